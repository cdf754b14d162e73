"""The pages about house rules: change them, read them, keep them on the phone, pass them on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus

import msgspec
import segno
from flask import Blueprint, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.address import reachable_host
from app.i18n.errors import error_text
from app.i18n.house_rules import difference_text, differences, label
from app.i18n.rule_notes import readings
from app.i18n.rule_summary import preset_label
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.hands import Hand
from app.rules.house import HouseRules
from app.rules.presets import (
    DEFAULT_PRESET,
    PRESETS,
    SCALES,
    read_code,
    scale_of,
    write_code,
    write_rules,
)
from app.services import play, rule_sets, tables
from app.services.tables import Sheet
from app.web.rules.boxes import groups
from app.web.rules.fields import Unreadable
from app.web.rules.form import changed_fields, pressed_button, read_form, reset_field, with_scale
from app.web.rules.page import points_table, sections
from app.web.setup import draft as drafts
from app.web.setup.draft import OWN, SAVED

bp = Blueprint("rules", __name__)

LONGEST_CODE = 6000
Refusal = tuple[str, int]


class StartingPoint(msgspec.Struct, frozen=True):
    """What one starts from: a published rule set, one kept on the phone, or a table's rules."""

    key: str
    label: str
    preset: str
    rules: HouseRules


class Edit(msgspec.Struct, frozen=True):
    """The form as it stands. `before` brings back what a button has just swept away."""

    base: StartingPoint
    rules: HouseRules
    faults: dict[str, Unreadable] = {}
    before: str = ""
    opened: str = ""
    said: str = ""


@bp.get("/rules")
def change() -> str:
    """The form, with the rules that are chosen on the start page."""
    return _form(_begin(_draft()), None)


@bp.post("/rules")
def changing() -> AnyResponse | Refusal | str:
    """Change the form as a button asks, or take the rules to the start page."""

    def use(edit: Edit) -> AnyResponse:
        drafts.choose_rules(_draft(), edit.base.key, edit.base.preset, edit.rules)
        return redirect(url_for("new_table.page"), HTTPStatus.SEE_OTHER)

    return _changing(None, use)


@bp.get("/t/<link>/rules/change")
def change_next(link: str) -> AnyResponse | str:
    """The form for a table's next game; while a game is played, its rules stand."""
    sheet = tables.sheet(context.pool(), link)
    if not sheet.state.over or not tables.may_write(context.pool(), link, context.pen()):
        return redirect(url_for("rules.played", link=link), HTTPStatus.SEE_OTHER)
    if "drafted" in request.args and (draft := drafts.load(link)) is not None:
        return _form(_begin(draft), sheet, link)
    if drafts.load(link) is not None:
        drafts.clear()
    base = _base("table", sheet)
    return _form(Edit(base, base.rules), sheet, link)


@bp.post("/t/<link>/rules/change")
def changing_next(link: str) -> AnyResponse | Refusal | str:
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
        context.perform(
            link,
            lambda write: play.next_game(context.pool(), write, {"rules": rules}),
            lambda: tables.sheet(context.pool(), link),
        )
        return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)

    return _changing(sheet, use, link)


@bp.get("/t/<link>/rules")
def played(link: str) -> str:
    """What a table plays, on one page."""
    sheet = tables.sheet(context.pool(), link)
    setup = sheet.game.setup
    return render_template(
        "rules/page.html",
        link=link,
        sheet=sheet,
        may_change=sheet.state.over and tables.may_write(context.pool(), link, context.pen()),
        **_told(setup.preset, setup.rules),
        stake=setup.stake_ore,
    )


@bp.get("/r/<code>")
def shared(code: str) -> Refusal | str:
    """Rules that came by a link, in words."""
    try:
        preset, rules = _read(code)
    except BadFile as fault:
        return _unreadable(fault)
    return render_template("rules/page.html", code=code, **_told(preset, rules))


@bp.post("/r/<code>")
def take(code: str) -> AnyResponse | Refusal:
    """Use rules that came by a link for a new table, as they are or changed."""
    try:
        preset, rules = _read(code)
    except BadFile as fault:
        return _unreadable(fault)
    drafts.choose_rules(_draft(), preset, preset, rules)
    page = (
        "rules.change"
        if pressed_button(request.form.to_dict(flat=False)).what == "change"
        else "new_table.page"
    )
    return redirect(url_for(page), HTTPStatus.SEE_OTHER)


def _draft() -> drafts.Draft:
    return drafts.load() or drafts.new_draft(None)


def _read(code: str) -> tuple[str, HouseRules]:
    if len(code) > LONGEST_CODE:
        raise BadFile("not_json")
    return read_code(code)


def _unreadable(fault: BadFile) -> Refusal:
    why = "" if fault.code == "not_json" else error_text(fault, context.language())
    return render_template("rules/unreadable.html", why=why), HTTPStatus.UNPROCESSABLE_ENTITY


def _begin(form: drafts.Draft) -> Edit:
    """The form with the rules that are chosen on the start page."""
    try:
        preset, rules = drafts.rules_of(form)
    except BadFile:
        preset, rules = DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]
    key = preset if form.preset == OWN else form.preset
    return Edit(_base(key, None), rules)


def _base(key: str, sheet: Sheet | None) -> StartingPoint:
    """What a key names; the usual rule set for a key that names nothing here."""
    language = context.language()
    if key == "table" and sheet is not None:
        setup = sheet.game.setup
        return StartingPoint(key, language.gettext("the last game"), setup.preset, setup.rules)
    kind, _, number = key.partition(":")
    kept = drafts.saved_rule_set(number) if kind == SAVED else None
    if kept is not None:
        return StartingPoint(key, kept.name, kept.preset, kept.rules)
    preset = key if key in PRESETS else DEFAULT_PRESET
    return StartingPoint(preset, preset_label(preset, language), preset, PRESETS[preset])


def _changing(
    sheet: Sheet | None, use: Callable[[Edit], AnyResponse], link: str = ""
) -> AnyResponse | Refusal | str:
    sent = request.form.to_dict(flat=False)
    base = _base(request.form.get("base", ""), sheet)
    rules, faults = read_form(sent, base.rules)
    edit = Edit(base, rules, dict(faults), request.form.get("before", ""))
    what = pressed_button(sent)
    try:
        if what.what == "use" and not faults:
            return use(edit)
        if what.what == "words" and not faults:
            code = write_code(base.preset, rules)
            return redirect(url_for("rules.shared", code=code), HTTPStatus.SEE_OTHER)
        edit = _acted(edit, what.what, what.which, sheet)
    except Stale:
        said = context.language().gettext("Somebody else was first. This is the table now.")
        return _form(replace(edit, said=said), sheet, link), HTTPStatus.CONFLICT
    except (BadFile, NotAllowed) as refusal:
        said = error_text(refusal, context.language())
        return _form(replace(edit, said=said), sheet, link), HTTPStatus.UNPROCESSABLE_ENTITY
    status = HTTPStatus.UNPROCESSABLE_ENTITY if edit.faults else HTTPStatus.OK
    return _form(edit, sheet, link), status


def _acted(edit: Edit, what: str, which: str, sheet: Sheet | None) -> Edit:
    """The form after a button. Raises BadFile when rules cannot be kept under a name."""
    if what not in _ACTIONS:
        return edit
    return _ACTIONS[what](edit, which, sheet)


def _put_back(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    faults = {field: fault for field, fault in edit.faults.items() if field != which}
    rules = reset_field(edit.rules, edit.base.rules, which)
    return replace(edit, rules=rules, faults=faults, opened=which)


def _put_all_back(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    return _swept(edit, edit.base, edit.base.rules)


def _start_from(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    base = _base(which, sheet)
    return _swept(edit, base, base.rules)


def _swept(edit: Edit, base: StartingPoint, rules: HouseRules) -> Edit:
    """Other rules in place of these, which can be had back."""
    before = f"{edit.base.key} {write_code(edit.base.preset, edit.rules)}"
    return Edit(base, rules, before="" if edit.rules == rules else before)


def _bring_back(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    key, _, code = edit.before.partition(" ")
    return Edit(_base(key, sheet), _read(code)[1])


def _use_scale(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    number = int(which) if which in map(str, SCALES) else 0
    faults = {f: fault for f, fault in edit.faults.items() if f != "hand_points"}
    return replace(edit, rules=with_scale(edit.rules, number), faults=faults, opened="hand_points")


def _keep(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    """Keep the rules on this phone; from now on they are what one started from."""
    name = request.form.get("name", "")
    if edit.faults:
        return edit
    kept = rule_sets.save(context.pool(), context.take_pen(), name, edit.base.preset, edit.rules)
    said = context.language().gettext("Kept on this phone: %(name)s.", name=kept.name)
    return Edit(_base(f"{SAVED}:{kept.id}", sheet), kept.rules, said=said)


def _forget(edit: Edit, which: str, sheet: Sheet | None) -> Edit:
    if which.isascii() and which.isdigit():
        rule_sets.delete(context.pool(), context.pen(), int(which[:15]))
    gone = edit.base.key == f"{SAVED}:{which}"
    return replace(edit, base=_base(edit.base.preset, sheet)) if gone else edit


_ACTIONS: dict[str, Callable[[Edit, str, Sheet | None], Edit]] = {
    "reset": _put_back,
    "reset-all": _put_all_back,
    "base": _start_from,
    "restore": _bring_back,
    "scale": _use_scale,
    "keep": _keep,
    "forget": _forget,
}


def _form(edit: Edit, sheet: Sheet | None, link: str = "") -> str:
    """The form: the whole page, or what htmx swaps."""
    language, part = context.language(), "HX-Request" in request.headers
    base, rules = edit.base, edit.rules
    return render_template(
        "rules/_form.html" if part else "rules/form.html",
        edit=edit,
        base=base,
        action=url_for("rules.changing_next", link=link) if link else url_for("rules.changing"),
        link=link,
        sheet=sheet,
        drafted=bool(link) and drafts.load(link) is not None,
        bases=_bases(sheet),
        kept=rule_sets.list_rule_sets(context.pool(), context.pen()),
        groups=groups(base.rules, rules, request.form.to_dict(flat=False), edit.faults, language),
        differ=[
            (
                f,
                label(f, language),
                *(
                    difference_text(f, getattr(a, f), getattr(b, f), language)
                    for a, b in ((rules, base.rules), (base.rules, rules))
                ),
            )
            for f in changed_fields(base.rules, rules)
        ],
        scales=[(n, _worth(scale.hand_points)) for n, scale in SCALES.items()],
        scale=scale_of(rules),
    )


def _worth(points: Mapping[Hand, int]) -> str:
    """What the high hands of a scale give, lowest first."""
    high = list(Hand)[list(Hand).index(Hand.FOUR_OF_A_KIND) :]
    return " · ".join(str(points[hand]) for hand in high if hand in points)


def _bases(sheet: Sheet | None) -> list[StartingPoint]:
    """Everything one may start from."""
    saved = [
        f"{SAVED}:{kept.id}" for kept in rule_sets.list_rule_sets(context.pool(), context.pen())
    ]
    keys = [*(["table"] if sheet else []), *saved, *PRESETS]
    return [_base(key, sheet) for key in keys]


def _told(preset: str, rules: HouseRules) -> dict[str, object]:
    """What the page that tells the rules shows."""
    language = context.language()
    path = url_for("rules.shared", code=write_code(preset, rules))
    address = f"{request.scheme}://{reachable_host(request.host)}{path}"
    return {
        "preset": preset_label(preset, language),
        "differs": differences(preset, rules, language),
        "points": points_table(rules, language),
        "sections": sections(rules, language),
        "readings": readings(rules, language),
        "address": address,
        "qr": segno.make(address, error="l").svg_inline(border=4, light="#fff", omitsize=True),
    }
