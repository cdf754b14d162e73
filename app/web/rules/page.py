"""Rule pages: rules of a table or from a link, to read and to use, and how Chicago is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import Refusal, redirect_to
from app.i18n import house_rules, rule_summary
from app.i18n.errors import error_text
from app.i18n.how_to import example_hands, how_to_play
from app.i18n.rule_notes import readings
from app.i18n.rule_sentences import changed_sentences, points_table, sections
from app.i18n.rule_summary import preset_label, preset_source, rules_label
from app.rules.errors import BadFile
from app.rules.hands import Hand
from app.rules.house import HouseRules
from app.rules.presets import DEFAULT_PRESET, PRESETS, write_code
from app.services import table_view
from app.web.pwa import draw_code
from app.web.rules.actions import read_link
from app.web.rules.fields import value_key
from app.web.setup import draft as drafts
from app.web.templates import render


def is_low_hand(member: object) -> bool:
    """Whether a hand gives points at most tables, and has no other effect."""
    order = list(Hand)
    return isinstance(member, Hand) and order.index(member) < order.index(Hand.FOUR_OF_A_KIND)


FILTERS: Mapping[str, Callable[..., object]] = {
    "group_title": lambda group: house_rules.group_title(group, context.language()),
    "group_brief": lambda group, rules: rule_summary.group_brief(group, rules, context.language()),
    "rule_words": house_rules.words_of,
    "translate": lambda text: context.language().gettext(text),
    "rule_value": lambda value, field: house_rules.value_words(field, value, context.language()),
    "suit_signs": house_rules.suit_signs,
    "in_usual_order": lambda values, field: house_rules.in_usual_order(field, values),
    "value_key": value_key,
}


bp = Blueprint("rule_page", __name__)


@bp.get("/t/<link>/rules")
def table_rules(link: str) -> AnyResponse:
    """A table's rules on one page."""
    view = table_view.read_view(context.db(), link)
    setup = view.game.setup
    return render(
        "rules/page.html",
        view=view,
        may_change=view.state.over and context.access().writes,
        **_in_words(setup.preset, setup.rules),
        stake=setup.stake_ore,
    )


@bp.get("/how")
@bp.get("/how/<preset>")
@bp.get("/t/<link>/how")
def how(preset: str = DEFAULT_PRESET, link: str = "") -> AnyResponse:
    """The guide by a table's rules, or by published ones: a new table's where none are named.

    Raises NotFound for rules that are not published.
    """
    language = context.language()
    if link:
        setup = table_view.read_view(context.db(), link).game.setup
        preset, rules = setup.preset, setup.rules
    elif preset in PRESETS:
        rules = PRESETS[preset]
    else:
        raise NotFound
    return render(
        "rules/how.html",
        code=write_code(preset, rules),
        label=rules_label(preset, rules, language),
        chapters=how_to_play(rules, language),
        hands=example_hands(rules, language),
        others={key: preset_label(key, language) for key in PRESETS if not link and key != preset},
    )


@bp.get("/r/<code>")
def link_rules(code: str) -> AnyResponse:
    """Rules that came by a link, in words."""
    try:
        preset, rules = read_link(code)
    except BadFile as fault:
        return _render_unreadable(fault)
    return render("rules/page.html", code=code, **_in_words(preset, rules))


@bp.post("/r/<code>")
def use_link_rules(code: str) -> AnyResponse:
    """Use rules that came by a link for a new table, as they are or changed."""
    try:
        preset, rules = read_link(code)
    except BadFile as fault:
        return _render_unreadable(fault)
    drafts.choose_rules(drafts.load() or drafts.new_draft(None), preset, preset, rules)
    page = "rules.change" if request.form.get("do") == "change" else "new_table.page"
    return redirect_to(url_for(page))


def _render_unreadable(fault: BadFile) -> AnyResponse:
    why = "" if fault.code == "not_json" else error_text(fault, context.language())
    return render("rules/unreadable.html", "", Refusal(why))


def _in_words(preset: str, rules: HouseRules) -> dict[str, object]:
    """Values of the rule page, and the link that passes the rules on."""
    language = context.language()
    code = write_code(preset, rules)
    address = context.shareable_url(url_for("rule_page.link_rules", code=code))
    return {
        "label": rules_label(preset, rules, language),
        "preset": preset_label(preset, language),
        "source": preset_source(preset, language),
        "changed": changed_sentences(preset, rules, language),
        "points": points_table(rules, language),
        "sections": sections(rules, language),
        "readings": readings(rules, language),
        "address": address,
        "qr": draw_code(address, "l", 4),
    }
