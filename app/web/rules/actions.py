"""Buttons of the form for house rules, and the starting points."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from flask import request
from msgspec.structs import replace

from app.http import context, cookies
from app.http.forms import Refusal, attempt, read_int
from app.http.limits import NEW_TABLES, rate_limit
from app.i18n.house_rules import preset_label, preset_source
from app.rules.errors import BadFile
from app.rules.house import HouseRules
from app.rules.presets import DEFAULT_PRESET, PRESETS, SCALES, read_code, write_code
from app.services import rule_sets
from app.services.table_view import TableView
from app.web.rules.form import Faults, reset_field, with_scale
from app.web.setup import draft as drafts
from app.web.setup.draft import MAX_KEY, OWN, SAVED

LONGEST_CODE = 6000


class StartingPoint(msgspec.Struct, frozen=True):
    """A starting point: a published rule set, one kept on the phone, or a table's rules."""

    key: str
    label: str
    preset: str
    rules: HouseRules
    source: str = ""


class RuleEdit(msgspec.Struct, frozen=True):
    """The form as it stands.

    `before` brings back rules that a button has replaced, `opened` is the rule to show next,
    `message` is the result of a button, `name_fault` the reason why a name will not do.
    """

    base: StartingPoint
    rules: HouseRules
    faults: Faults = {}
    before: str = ""
    opened: str = ""
    message: str = ""
    name_fault: str = ""


def starting_point(key: str, view: TableView | None) -> StartingPoint:
    """The starting point of a key; the usual rule set for a key that names nothing here."""
    language = context.language()
    if key == "table" and view is not None:
        setup = view.game.setup
        return StartingPoint(key, language.gettext("the last game"), setup.preset, setup.rules)
    kind, _, number = key.partition(":")
    rule_set = drafts.saved_rule_set(number) if kind == SAVED else None
    if rule_set is not None:
        return StartingPoint(key, rule_set.name, rule_set.preset, rule_set.rules)
    preset = key if key in PRESETS else DEFAULT_PRESET
    label, source = preset_label(preset, language), preset_source(preset, language)
    return StartingPoint(preset, label, preset, PRESETS[preset], source)


def starting_points(saved: list[rule_sets.RuleSet], view: TableView | None) -> list[StartingPoint]:
    """Everything one may start from, with the rule sets saved on this phone."""
    keys = [
        *(["table"] if view else []),
        *(f"{SAVED}:{rule_set.id}" for rule_set in saved),
        *PRESETS,
    ]
    return [starting_point(key, view) for key in keys]


def edit_draft(draft: drafts.GameDraft) -> RuleEdit:
    """The form with the rules that are chosen on the start page."""
    try:
        preset, rules = drafts.rules_of(draft)
    except BadFile:
        preset, rules = DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]
    return RuleEdit(starting_point(preset if draft.preset == OWN else draft.preset, None), rules)


def started_from(edit: RuleEdit) -> str:
    """The name of a form's rules before anything is changed there."""
    same = edit.rules == edit.base.rules
    return edit.base.label if same else context.language().gettext("Our own rules")


def read_link(code: str) -> tuple[str, HouseRules]:
    """The rules that a link carries. Raises BadFile."""
    if len(code) > LONGEST_CODE:
        raise BadFile("not_json")
    return read_code(code)


def act(edit: RuleEdit, action: str, which: str, view: TableView | None) -> RuleEdit:
    """The form after a button."""
    return _ACTIONS[action](edit, which, view) if action in _ACTIONS else edit


def _reset(edit: RuleEdit, field: str, view: TableView | None) -> RuleEdit:
    rules = reset_field(edit.rules, edit.base.rules, field)
    return replace(edit, rules=rules, faults=_without(edit.faults, field), opened=field)


def _without(faults: Faults, field: str) -> Faults:
    return {name: fault for name, fault in faults.items() if name != field}


def _reset_all(edit: RuleEdit, which: str, view: TableView | None) -> RuleEdit:
    return _start_anew(edit, edit.base)


def _start_from(edit: RuleEdit, key: str, view: TableView | None) -> RuleEdit:
    return _start_anew(edit, starting_point(key, view))


def _start_anew(edit: RuleEdit, base: StartingPoint) -> RuleEdit:
    """The rules of a starting point in place of these, which can be had back."""
    before = f"{edit.base.key} {write_code(edit.base.preset, edit.rules)}"
    return RuleEdit(base, base.rules, before="" if edit.rules == base.rules else before)


def _restore(edit: RuleEdit, which: str, view: TableView | None) -> RuleEdit:
    key, _, code = edit.before.partition(" ")
    return RuleEdit(starting_point(key, view), read_link(code)[1])


def _use_scale(edit: RuleEdit, which: str, view: TableView | None) -> RuleEdit:
    rules = with_scale(edit.rules, int(which)) if which in map(str, SCALES) else edit.rules
    faults = _without(edit.faults, "hand_points")
    return replace(edit, rules=rules, faults=faults, opened="hand_points")


@rate_limit(NEW_TABLES)
def _save(edit: RuleEdit, which: str, view: TableView | None) -> RuleEdit:
    """Keep the rules on this phone; later changes are shown against them."""
    if edit.faults:
        return edit
    name, preset = request.form.get("name", ""), edit.base.preset
    db, pen = context.db(), cookies.take_pen()
    saved = attempt(lambda: rule_sets.save(db, pen, name, preset, edit.rules))
    if isinstance(saved, Refusal):
        return replace(edit, name_fault=saved.message)
    message = context.language().gettext("Kept on this phone: %(name)s.", name=saved.name)
    return RuleEdit(starting_point(f"{SAVED}:{saved.id}", view), saved.rules, message=message)


def _delete(edit: RuleEdit, number: str, view: TableView | None) -> RuleEdit:
    if (set_id := read_int(number, 0, MAX_KEY)) is not None:
        rule_sets.delete(context.db(), cookies.pen(), set_id)
    if edit.base.key != f"{SAVED}:{number}":
        return edit
    return replace(edit, base=starting_point(edit.base.preset, view))


_ACTIONS: Mapping[str, Callable[[RuleEdit, str, TableView | None], RuleEdit]] = {
    "reset": _reset,
    "reset-all": _reset_all,
    "base": _start_from,
    "restore": _restore,
    "scale": _use_scale,
    "keep": _save,
    "forget": _delete,
}
