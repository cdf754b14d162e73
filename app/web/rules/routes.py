"""The form for house rules: for a new table, and for the next game of one."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    Refusal,
    attempt,
    lead_to,
    make_change,
    redirect_to,
)
from app.i18n.house_rules import GROUPS, SCALE_NAMES, difference_text
from app.i18n.language import N_, Language
from app.rules.house import HouseRules, changed_fields, groups
from app.rules.presets import scale_of, write_code, write_rules
from app.services import rule_sets, table_view
from app.services.play import Start
from app.services.table_view import TableView
from app.web.rules.actions import (
    RuleEdit,
    act,
    edit_draft,
    started_from,
    starting_point,
    starting_points,
)
from app.web.rules.fields import first_value
from app.web.rules.form import (
    LEADING,
    ORIGIN_LENGTH,
    controls,
    form_values,
    leading_rules,
    origin_of,
    pressed_button,
    read_form,
)
from app.web.setup import draft as drafts
from app.web.setup.draft import GameDraft
from app.web.templates import render

bp = Blueprint("rules", __name__)

STALE = N_("Somebody else was first. This is the table now.")
# The form shows the fault at each rule.
UNREADABLE = Refusal("")


@bp.get("/rules")
def change() -> AnyResponse:
    """The form, with the rules that are chosen on the start page."""
    return _render_form(_first_edit(None), None)


@bp.post("/rules")
def send() -> AnyResponse:
    """Change the form as a button asks, or take the rules to the start page."""

    def use(edit: RuleEdit) -> AnyResponse:
        draft = drafts.load() or drafts.new_draft(None)
        drafts.choose_rules(draft, edit.base.key, edit.base.preset, edit.rules)
        return redirect_to(url_for("new_table.page"))

    return _press(None, use)


@bp.get("/t/<link>/rules/change")
def change_next(link: str) -> AnyResponse:
    """The form for a table's next game; while a game is played, its rules stand."""
    view, draft = table_view.read_view(context.db(), link), _find_draft()
    if "drafted" not in request.args and draft is not None:
        drafts.clear()
        draft = None
    revises = draft is not None and draft.table != link
    if not (view.state.over or revises) or not context.access().writes:
        return redirect_to(url_for("rule_page.table_rules", link=link))
    return _render_form(_first_edit(view), view)


@bp.post("/t/<link>/rules/change")
def send_next(link: str) -> AnyResponse:
    """Change the form as a button asks, or start the next game with these rules.

    Where the next game is being filled in, the rules go there.
    """
    view = table_view.read_view(context.db(), link)

    def use(edit: RuleEdit) -> AnyResponse:
        if (draft := _find_draft()) is not None:
            key = edit.base.preset if edit.base.key == "table" else edit.base.key
            drafts.choose_rules(draft, key, edit.base.preset, edit.rules)
            page = "new_table.next_game" if draft.table == link else "revise.page"
            return redirect_to(url_for(page, link=link))
        rules = write_rules(edit.base.preset, edit.rules)

        make_change(lambda: Start({"rules": rules}))
        return redirect_to(url_for("table.page", link=link))

    return _press(view, use)


def _find_draft() -> GameDraft | None:
    """The draft for this table: of its next game, or of the one that is played."""
    link = context.link()
    return drafts.load(link) or drafts.load(drafts.revised(link))


def _first_edit(view: TableView | None) -> RuleEdit:
    """The form before anything is changed: as is being filled in, or as the last game was."""
    if view is None:
        return edit_draft(drafts.load() or drafts.new_draft(None))
    if (draft := _find_draft()) is not None:
        return edit_draft(draft)
    base = starting_point("table", view)
    return RuleEdit(base, base.rules)


def _press(view: TableView | None, use: Callable[[RuleEdit], AnyResponse]) -> AnyResponse:
    """The form after the button that was pressed, or where that leads."""
    base = starting_point(request.form.get("base", ""), view)
    rules, faults = read_form(_sent(), base.rules)
    edit = RuleEdit(base, rules, faults, request.form.get("before", "")[:LONGEST_FIELD])
    outcome = attempt(lambda: _act(edit, view, use), STALE)
    if isinstance(outcome, Refusal):
        return _render_form(replace(edit, message=outcome.message), view, outcome)
    if isinstance(outcome, RuleEdit):
        refused = outcome.faults or outcome.name_fault
        return _render_form(outcome, view, UNREADABLE if refused else None)
    return lead_to(outcome.location)


def _act(
    edit: RuleEdit, view: TableView | None, use: Callable[[RuleEdit], AnyResponse]
) -> RuleEdit | AnyResponse:
    """Carry out the button's action. Raises as a change of the table does."""
    action, which = pressed_button(_sent())
    if action == "use" and not edit.faults:
        return use(edit)
    if action == "words" and not edit.faults:
        code = write_code(edit.base.preset, edit.rules)
        return redirect_to(url_for("rule_page.link_rules", code=code))
    return act(edit, action, which, view)


def _sent() -> dict[str, list[str]]:
    return request.form.to_dict(flat=False)


def _render_form(
    edit: RuleEdit, view: TableView | None, refusal: Refusal | None = None
) -> AnyResponse:
    """The form: the whole page, or the part that htmx swaps."""
    saved = rule_sets.list_rule_sets(context.db(), cookies.pen())
    sent = _sent()
    return render(
        "rules/form.html",
        "rules/_form.html",
        refusal,
        edit=edit,
        origin=first_value(sent, "origin")[:ORIGIN_LENGTH] or _origin(edit),
        restored=started_from(_first_edit(view)) if first_value(sent, "restored") else "",
        name=first_value(sent, "name")[:LONGEST_TEXT] if edit.name_fault else "",
        action=url_for("rules.send_next", link=context.link()) if view else url_for("rules.send"),
        view=view,
        has_draft=view is not None and drafts.load(context.link()) is not None,
        bases=starting_points(saved, view),
        saved=saved,
        leading=leading_rules(edit.base.rules, edit.rules, context.language()),
        groups=_groups(),
        apart=LEADING,
        controls=controls(),
        values=form_values(edit.rules, sent, edit.faults),
        changes=_changes(edit, context.language()),
        scales=SCALE_NAMES,
        scale=scale_of(edit.rules),
    )


def _groups() -> dict[str, list[str]]:
    """The rules of each group, but for those that stand first."""
    return {
        group: [field for field in fields if field not in LEADING]
        for group, fields in groups(GROUPS).items()
    }


def _origin(edit: RuleEdit) -> str:
    return origin_of(edit.base.key, edit.base.preset, edit.rules)


def _changes(edit: RuleEdit, language: Language) -> dict[str, tuple[str, str]]:
    """The changed rules, each with its value now and before."""

    def text(field: str, rules: HouseRules, other: HouseRules) -> str:
        return difference_text(field, getattr(rules, field), getattr(other, field), language)

    base, rules = edit.base.rules, edit.rules
    return {
        field: (text(field, rules, base), text(field, base, rules))
        for field in changed_fields(base, rules)
    }
