"""House rules: the page that says them, how Chicago is played by them, and the form that sets them.

The form is for a new table, and for the next game of one; rules also come by a link, to read and to
use.
"""

import re
from collections.abc import Callable, Mapping

import msgspec
from flask import Blueprint, Response, request, url_for
from msgspec.structs import replace
from werkzeug.exceptions import NotFound

from app.http import context, cookies
from app.http.forms import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    MAX_SEQ,
    Refusal,
    attempt,
    read_int,
    redirect_to,
)
from app.http.limits import NEW_TABLES, rate_limit
from app.i18n import house_rules
from app.i18n.errors import error_text
from app.i18n.house_rules import example_hands, how_to_play
from app.rules.codes import BadFile
from app.rules.house import OPTIONS, HouseRules, changed_fields, groups
from app.rules.presets import (
    DEFAULT_PRESET,
    PRESETS,
    read_code,
    write_code,
)
from app.services import phones
from app.services.table_view import TableView
from app.web import change_game, game_form
from app.web.game_form import (
    LONGEST_PACKED,
    OWN,
    SAVED,
    GameForm,
    KnownRules,
    find_rules,
    kept_rules,
    published_rules,
    read_game_form,
)
from app.web.new_table import show_next, show_start
from app.web.pwa import draw_code
from app.web.rule_form import (
    LEADING,
    Faults,
    controls,
    form_values,
    origin_of,
    questions,
    read_form,
    value_key,
)
from app.web.templates import render

bp = Blueprint("rules", __name__)

LONGEST_CODE = 6000
# The key of the rules of a table's last game.
TABLE = "table"
# The form shows the fault at each rule.
UNREADABLE = Refusal("")


FILTERS: Mapping[str, Callable[..., object]] = {
    "rule_words": house_rules.words_of,
    "rule_value": lambda value, field: house_rules.value_words(field, value, context.language()),
    "in_usual_order": lambda values, field: house_rules.in_usual_order(field, values),
    "value_key": value_key,
}


@bp.get("/t/<link>/rules")
def table_rules() -> Response:
    """A table's rules on one page."""
    view = context.read_view()
    setup = view.state.setup
    return _render_page(
        setup.preset,
        setup.rules,
        view=view,
        may_change=view.state.over and context.access().writes,
        stake=setup.stake_ore,
    )


@bp.get("/how")
@bp.get("/how/<preset>")
@bp.get("/t/<link>/how")
def how(preset: str = DEFAULT_PRESET) -> Response:
    """The guide by a table's rules, or by published ones: a new table's where none are named.

    Raises NotFound for rules that are not published.
    """
    language = context.language()
    if context.link():
        setup = context.read_view().state.setup
        preset, rules = setup.preset, setup.rules
    elif preset in PRESETS:
        rules = PRESETS[preset]
    else:
        raise NotFound
    others = [key for key in PRESETS if not context.link() and key != preset]
    return render(
        "rules/how.html",
        code=write_code(preset, rules),
        label=house_rules.rules_label(preset, rules, language),
        chapters=how_to_play(rules, language),
        hands=example_hands(rules, language),
        others={key: house_rules.preset_label(key, language) for key in others},
    )


@bp.get("/r/<code>")
def link_rules(code: str) -> Response:
    """Rules that came by a link, in words. Raises BadFile."""
    preset, rules = _read_link(code)
    return _render_page(preset, rules, code=code)


@bp.post("/r/<code>")
def use_link_rules(code: str) -> Response:
    """Use rules that came by a link for a new table, as they are or changed. Raises BadFile."""
    form = game_form.empty_form(None)
    preset, rules = _read_link(code)
    game_form.choose_rules(form, preset, preset, rules)
    page = "rules.change" if request.form.get("do") == "change" else "new_table.page"
    return redirect_to(url_for(page, preset=form.preset, own=form.own or None))


def _read_link(code: str) -> tuple[str, HouseRules]:
    """The rules that a link carries, whatever stands behind it. Raises BadFile."""
    if len(code) > LONGEST_CODE:
        raise BadFile("not_json")
    return read_code(re.split(r"[^\w-]", code, maxsplit=1, flags=re.ASCII)[0])


@bp.errorhandler(BadFile)
def render_unreadable(fault: BadFile) -> Response:
    """The page that says why a link holds no rules."""
    why = "" if fault.code == "not_json" else error_text(fault, context.language())
    return render("rules/unreadable.html", "", Refusal(why))


def _render_page(preset: str, rules: HouseRules, **values: object) -> Response:
    """The page of these rules, and what is otherwise in those that the address names."""
    language, beside = context.language(), request.args.get("with", "")
    labels = {key: house_rules.preset_label(key, language) for key in PRESETS}
    return render(
        "rules/page.html",
        **values,
        **_in_words(preset, rules),
        sets=labels,
        beside=labels.get(beside, ""),
        differences=house_rules.changed_rules(PRESETS[beside], rules, language)
        if beside in PRESETS
        else [],
    )


def _in_words(preset: str, rules: HouseRules) -> dict[str, object]:
    """Values of the rule page, and the link that passes the rules on."""
    language = context.language()
    code = write_code(preset, rules)
    address = context.shareable_url(url_for("rules.link_rules", code=code))
    return {
        "label": house_rules.rules_label(preset, rules, language),
        "preset": house_rules.preset_label(preset, language),
        "source": house_rules.preset_source(preset, language),
        "changed": house_rules.changed_sentences(preset, rules, language),
        "points": house_rules.points_table(rules, language),
        "sections": house_rules.sections(rules, language),
        "address": address,
        "qr": draw_code(address, "l", 4),
    }


class RuleForm(msgspec.Struct, frozen=True):
    """The form as it stands.

    `before` brings back rules that a button has replaced, `message` is the result of a button,
    `name_fault` the reason why a name will not do.
    """

    base: KnownRules
    rules: HouseRules
    faults: Faults = {}
    before: str = ""
    message: str = ""
    name_fault: str = ""


class Seating(msgspec.Struct, frozen=True):
    """The page that seats a game, which the rules are for.

    They begin as `chosen` there. Its form is `carried` along. One may start from the rules of its
    table, the `view`.
    """

    page: str
    show: Callable[[GameForm, Refusal | None], Response]
    view: TableView | None
    chosen: GameForm
    carried: str

    def rules_page(self, preset: str | None = None, own: str = "") -> str:
        """The address of the form for rules, which begins with those chosen."""
        if self.view is None:
            return url_for("rules.change", preset=preset, own=own or None)
        to = "edit" if self.page == "change_game.page" else None
        return url_for("rules.change_next", to=to, preset=preset, own=own or None)


@bp.get("/rules")
@bp.get("/t/<link>/rules/change", endpoint="change_next")
def change() -> Response:
    """The form, with the rules that the address chooses, or those of a table's game."""
    seating = _find_seating()
    if seating is None or (seating.view and not context.access().writes):
        return redirect_to(url_for("rules.table_rules"))
    return _render_first(seating)


@bp.post("/rules")
@bp.post("/t/<link>/rules/change", endpoint="send_next")
def send() -> Response:
    """Go from the page that seats a game to the form, change that, or go back with the rules."""
    seating = _find_seating()
    return _press(seating) if seating else redirect_to(url_for("rules.table_rules"))


def _find_seating() -> Seating | None:
    """The page that the rules are for; while a game is played, its rules stand."""
    if not context.link():
        return _read_seating("new_table.page", show_start)
    view = context.read_view()
    if request.args.get("to") == "edit":
        return _read_seating("change_game.page", change_game.show, view)
    return _read_seating("new_table.next_game", show_next, view) if view.state.over else None


def _read_seating(
    page: str, show: Callable[[GameForm, Refusal | None], Response], view: TableView | None = None
) -> Seating:
    """What was chosen and is carried; at a table the rules of its last game, where none were."""
    chosen, carried = read_game_form(request.values), request.form.get("seating", "")
    if view and "preset" not in request.values:
        chosen.preset = TABLE
    return Seating(page, show, view, chosen, carried[:LONGEST_PACKED])


def _first_form(seating: Seating) -> RuleForm:
    """The form before anything is changed."""
    if seating.chosen.preset != OWN:
        base = _find_base(seating.chosen.preset, seating.view)
        return RuleForm(base, base.rules)
    preset, rules = game_form.rules_or_usual(seating.chosen)
    return RuleForm(_find_base(preset, None), rules)


def _press(seating: Seating) -> Response:
    """The form after the button that was pressed, or where that leads."""
    if request.form.get("do") == "rules":
        return _come_from(seating)
    base = _find_base(request.form.get("base", ""), seating.view)
    rules, faults = read_form(request.form.to_dict(flat=False), base.rules)
    form = RuleForm(base, rules, faults, request.form.get("before", "")[:LONGEST_FIELD])
    outcome = attempt(lambda: _act(form, seating))
    if isinstance(outcome, Refusal):
        return _render_form(replace(form, message=outcome.message), seating, outcome)
    if isinstance(outcome, RuleForm):
        refused = outcome.faults or outcome.name_fault
        return _render_form(outcome, seating, UNREADABLE if refused else None)
    return outcome


def _come_from(seating: Seating) -> Response:
    """The form with the rules of the form that seats a game, which it carries along."""
    game = read_game_form(request.form, context.currency())
    refusal = attempt(lambda: game_form.take_answers(game, request.form))
    if refusal:
        return seating.show(game, refusal)
    return _render_first(replace(seating, chosen=game, carried=game_form.pack(game)))


def _use(form: RuleForm, seating: Seating) -> Response:
    """Go back with the rules to the form that seats a game, as it was filled in."""
    key = form.base.preset if form.base.key == TABLE else form.base.key
    carried = game_form.unpack(seating.carried)
    game = carried or game_form.empty_form(None)
    game_form.choose_rules(game, key, form.base.preset, form.rules)
    if carried:
        return seating.show(game, None)
    return redirect_to(url_for(seating.page, preset=game.preset, own=game.own or None))


def _act(form: RuleForm, seating: Seating) -> RuleForm | Response:
    """Carry out the button's action. Raises BadFile."""
    view = seating.view
    action, _, which = request.form.get("do", "").partition(":")
    if action == "use" and not form.faults:
        return _use(form, seating)
    if action == "words" and not form.faults:
        code = write_code(form.base.preset, form.rules)
        return redirect_to(url_for("rules.link_rules", code=code))
    match action:
        case "reset":
            return _reset(form, which)
        case "base":
            return _start_anew(form, _find_base(which, view))
        case "restore":
            key, _, code = form.before.partition(" ")
            return RuleForm(_find_base(key, view), _read_link(code)[1])
        case "keep":
            return _save(form, view)
        case "forget":
            return _delete(form, which, view)
    return form


def _render_first(seating: Seating) -> Response:
    return _render_form(_first_form(seating), seating)


def _render_form(form: RuleForm, seating: Seating, refusal: Refusal | None = None) -> Response:
    """The form: the whole page, or the part that htmx swaps."""
    first, view, chosen = _first_form(seating), seating.view, seating.chosen
    saved = kept_rules()
    # All that one may start from.
    keys = [*([TABLE] if view else []), *(each.key for each in saved), *PRESETS]
    sent = request.form
    return render(
        "rules/form.html",
        "rules/_form.html",
        refusal,
        form=form,
        origin=origin_of(first.base.key, first.base.preset, first.rules),
        chosen=chosen,
        carried=seating.carried,
        name="" if form.message else sent.get("name", "")[:LONGEST_TEXT],
        address=seating.rules_page(chosen.preset, chosen.own),
        action=seating.rules_page(),
        bases=[_find_base(key, view) for key in keys],
        saved=saved,
        leading=questions(form.base.rules, form.rules),
        # Those that stand first are in no group.
        groups={
            group: [field for field in fields if field not in LEADING]
            for group, fields in groups(house_rules.GROUPS).items()
        },
        apart=LEADING,
        controls=controls(form.rules.exchanges),
        values=form_values(form.rules, sent.to_dict(flat=False), form.faults),
        faults=_tell_faults(form),
        changes=_changes(form),
    )


def _tell_faults(form: RuleForm) -> dict[str, str]:
    """By the field at fault, why it cannot be read."""
    told = {"name": form.name_fault} if form.name_fault else {}
    language = context.language()
    return told | {each.form_field: error_text(each, language) for each in form.faults.values()}


def _changes(form: RuleForm) -> dict[str, tuple[str, str]]:
    """The changed rules, each with its value now and before."""
    base, rules, language = form.base.rules, form.rules, context.language()
    return {
        field: (
            house_rules.difference_text(field, base, rules, language),
            house_rules.difference_text(field, rules, base, language),
        )
        for field in changed_fields(base, rules)
    }


def _find_base(key: str, view: TableView | None) -> KnownRules:
    """The rules of a key, or of the table's last game; the usual ones where there are none."""
    if key == TABLE and view is not None:
        setup, label = view.state.setup, context.gettext("the last game")
        return KnownRules(key, label, setup.preset, setup.rules)
    return find_rules(key) or published_rules(DEFAULT_PRESET)


def _reset(form: RuleForm, field: str) -> RuleForm:
    old = {field: getattr(form.base.rules, field)} if field in OPTIONS else {}
    rules = replace(form.rules, **old)
    others = {name: fault for name, fault in form.faults.items() if name != field}
    return replace(form, rules=rules, faults=others)


def _start_anew(form: RuleForm, base: KnownRules) -> RuleForm:
    """The rules of a starting point in place of these, which can be had back."""
    before = f"{form.base.key} {write_code(form.base.preset, form.rules)}"
    return RuleForm(base, base.rules, before="" if form.rules == base.rules else before)


@rate_limit(NEW_TABLES)
def _save(form: RuleForm, view: TableView | None) -> RuleForm:
    """Keep the rules on this phone; later changes are shown against them."""
    if form.faults:
        return form
    name, preset = request.form.get("name", ""), form.base.preset
    db, pen = context.db(), cookies.get_or_create_pen()
    saved = attempt(lambda: phones.save_rule_set(db, pen, name, preset, form.rules))
    if isinstance(saved, Refusal):
        return replace(form, name_fault=saved.message)
    message = context.gettext("Kept on this phone: %(name)s.", name=saved.name)
    return RuleForm(_find_base(f"{SAVED}:{saved.id}", view), saved.rules, message=message)


def _delete(form: RuleForm, key: str, view: TableView | None) -> RuleForm:
    if (number := read_int(key.removeprefix(f"{SAVED}:"), 0, MAX_SEQ)) is not None:
        phones.delete_rule_set(context.db(), cookies.pen(), number)
    if form.base.key != key:
        return form
    return replace(form, base=_find_base(form.base.preset, view))
