"""The form for house rules: for a new table, and for the next game of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

from flask import Blueprint, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.i18n.errors import error_text
from app.i18n.house_rules import GROUPS, difference_text
from app.i18n.language import Language
from app.i18n.rule_notes import notes_by_field
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.hands import Hand
from app.rules.house import HouseRules, changed_fields, groups
from app.rules.presets import SCALES, scale_of, write_code, write_rules
from app.services import play, rule_sets, tables
from app.services.tables import Sheet
from app.web.rules.actions import Edit, act, edit_draft, starting_point, starting_points
from app.web.rules.form import controls, form_values, pressed_button, read_form
from app.web.setup import draft as drafts

bp = Blueprint("rules", __name__)

Answer = AnyResponse | tuple[str, int] | str


@bp.get("/rules")
def change() -> str:
    """The form, with the rules that are chosen on the start page."""
    return _form(edit_draft(drafts.load() or drafts.new_draft(None)), None)


@bp.post("/rules")
def send() -> Answer:
    """Change the form as a button asks, or take the rules to the start page."""

    def use(edit: Edit) -> AnyResponse:
        draft = drafts.load() or drafts.new_draft(None)
        drafts.choose_rules(draft, edit.base.key, edit.base.preset, edit.rules)
        return redirect(url_for("new_table.page"), HTTPStatus.SEE_OTHER)

    return _press(None, use)


@bp.get("/t/<link>/rules/change")
def change_next(link: str) -> AnyResponse | str:
    """The form for a table's next game; while a game is played, its rules stand."""
    sheet = tables.sheet(context.pool(), link)
    if not sheet.state.over or not tables.may_write(context.pool(), link, context.pen()):
        return redirect(url_for("rule_page.table_rules", link=link), HTTPStatus.SEE_OTHER)
    if "drafted" in request.args and (draft := drafts.load(link)) is not None:
        return _form(edit_draft(draft), sheet, link)
    if drafts.load(link) is not None:
        drafts.clear()
    base = starting_point("table", sheet)
    return _form(Edit(base, base.rules), sheet, link)


@bp.post("/t/<link>/rules/change")
def send_next(link: str) -> Answer:
    """Change the form as a button asks, or start the next game with these rules.

    Where the next game is being filled in, the rules go there.
    """
    sheet = tables.sheet(context.pool(), link)

    def use(edit: Edit) -> AnyResponse:
        if (draft := drafts.load(link)) is not None:
            key = edit.base.preset if edit.base.key == "table" else edit.base.key
            drafts.choose_rules(draft, key, edit.base.preset, edit.rules)
            return redirect(url_for("next_game.page", link=link), HTTPStatus.SEE_OTHER)
        rules = write_rules(edit.base.preset, edit.rules)
        play.next_game(context.pool(), context.write_request(link, "game"), {"rules": rules})
        return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)

    return _press(sheet, use, link)


def _press(sheet: Sheet | None, use: Callable[[Edit], AnyResponse], link: str = "") -> Answer:
    """The form after the button that was pressed, or where that leads."""
    sent = request.form.to_dict(flat=False)
    what, which = pressed_button(sent)
    base = starting_point(request.form.get("base", ""), sheet)
    rules, faults = read_form(sent, base.rules)
    edit = Edit(base, rules, faults, request.form.get("before", ""))
    try:
        if what == "use" and not faults:
            return use(edit)
        if what == "words" and not faults:
            code = write_code(base.preset, rules)
            return redirect(url_for("rule_page.link_rules", code=code), HTTPStatus.SEE_OTHER)
        edit = act(edit, what, which, sheet)
    except Stale:
        message = context.language().gettext("Somebody else was first. This is the table now.")
        return _form(replace(edit, message=message), sheet, link), HTTPStatus.CONFLICT
    except (BadFile, NotAllowed) as refusal:
        message = error_text(refusal, context.language())
        return _form(replace(edit, message=message), sheet, link), HTTPStatus.UNPROCESSABLE_ENTITY
    status = HTTPStatus.UNPROCESSABLE_ENTITY if edit.faults else HTTPStatus.OK
    return _form(edit, sheet, link), status


def _form(edit: Edit, sheet: Sheet | None, link: str = "") -> str:
    """The form: the whole page, or what htmx swaps."""
    saved = rule_sets.list_rule_sets(context.pool(), context.pen())
    return render_template(
        "rules/_form.html" if "HX-Request" in request.headers else "rules/form.html",
        edit=edit,
        action=url_for("rules.send_next", link=link) if link else url_for("rules.send"),
        link=link,
        sheet=sheet,
        drafted=bool(link) and drafts.load(link) is not None,
        bases=starting_points(saved, sheet),
        saved=saved,
        groups=groups(GROUPS),
        controls=controls(),
        values=form_values(edit.rules, request.form.to_dict(flat=False), edit.faults),
        notes=notes_by_field(edit.rules, context.language()),
        changes=_changes(edit, context.language()),
        scales={number: _high_points(scale.hand_points) for number, scale in SCALES.items()},
        scale=scale_of(edit.rules),
    )


def _changes(edit: Edit, language: Language) -> dict[str, tuple[str, str]]:
    """What each rule that is changed is now, and what it was."""

    def text(field: str, rules: HouseRules, other: HouseRules) -> str:
        return difference_text(field, getattr(rules, field), getattr(other, field), language)

    base, rules = edit.base.rules, edit.rules
    return {
        field: (text(field, rules, base), text(field, base, rules))
        for field in changed_fields(base, rules)
    }


def _high_points(points: Mapping[Hand, int]) -> str:
    """What the high hands of a scale give, lowest first."""
    high = list(Hand)[list(Hand).index(Hand.FOUR_OF_A_KIND) :]
    return " · ".join(str(points[hand]) for hand in high if hand in points)
