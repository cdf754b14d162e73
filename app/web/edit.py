"""Editing a game: an entry opened, the preview of what would be otherwise, and the game kept so.

An edit travels in the form, as the list of its operations; each page of it answers a form.
"""

from collections.abc import Mapping, Sequence

import msgspec
from flask import Blueprint, Response, flash, request, url_for
from msgspec.structs import replace
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.forms import (
    MAX_SEQ,
    Refusal,
    attempt,
    is_sent_again,
    lead_to,
    read_int,
    submit,
)
from app.http.limits import one_at_a_time
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.rules.codes import BadFile
from app.rules.edit import (
    ANY_STEP,
    Entry,
    LeftOut,
    Moment,
    Operation,
    moment_of,
    neighbours,
    operate,
    read_operations,
    replay_entries,
)
from app.rules.events import (
    BreakOff,
    Correction,
    Event,
    Joins,
    NoBestHand,
    read_any_event,
    write_event,
)
from app.rules.gamefile import MAX_EVENTS
from app.rules.names import short_names
from app.rules.settlement import payout
from app.rules.state import GameState, scorers
from app.services.edit import Consequence, Edit, Plan, find_consequences, plan_edit
from app.services.table_view import TableView, UndoableChange
from app.web.board import find_doubted
from app.web.grid import grid_rows, read_event_form
from app.web.protocol import EDITED, sheet_address
from app.web.table import (
    Dialog,
    draw_dialog,
    find_filled_in,
    read_dialog,
    read_typed,
)
from app.web.templates import render

bp = Blueprint("edit", __name__, url_prefix="/t/<link>")

STALE = N_("Somebody else got there first. This is the game now.")
ONE_ENTRY = ("change", "remove")


class EditForm(msgspec.Struct, frozen=True):
    """An edit so far, of game `number` as the table was at version `seq`.

    A tap does `do` at `at`: it is that entry (`change`), or goes before it (`insert`; `fill`
    where it is missing in a deal). `recorded` is what the page shows to have been tapped.
    """

    number: int
    seq: int
    operations: Sequence[Operation] = ()
    do: str = "change"
    at: int = 0
    recorded: Event | None = None

    @property
    def code(self) -> str:
        """The operations as a form has them."""
        return msgspec.json.encode(self.operations).decode()


class Opened(msgspec.Struct, frozen=True):
    """An entry at its moment, the states before and after it, and why it is left out if it is."""

    event: Event
    moment: Moment
    before: GameState
    after: GameState | None
    left: LeftOut | None = None

    @property
    def due(self) -> GameState | None:
        """The state in which something else may be recorded; None where it comes too late."""
        in_time = moment_of(self.before) == self.moment and not self.before.over
        return self.before if in_time else None


class Line(msgspec.Struct, frozen=True):
    """A line of what is otherwise: an operation by its place, or another entry that it changes."""

    kind: str
    deal: int
    moment: Moment | None = None
    was: Event | None = None
    now: Event | None = None
    place: int | None = None


class Way(msgspec.Struct, frozen=True):
    """What comes of an edit: for whom, the payouts in öre, and whether the end is another.

    Where there are several ways, `value` and `label` are this one's in the form.
    """

    plan: Plan
    consequences: Sequence[Consequence]
    pays: Mapping[str, int]
    ends_otherwise: bool
    value: str
    label: str


@bp.get("/games/<int:number>/entries/<int:index>")
@one_at_a_time()
def entry(number: int, index: int) -> Response:
    """One entry: its effects and their reasons, and what else it may have been."""
    view = context.read_view(number)
    if index >= len(view.game.events):
        raise NotFound
    return _show(EditForm(number, view.seq, at=index))


@bp.post("/games/<int:number>/edit")
@one_at_a_time()
def edit(number: int) -> Response:
    """Add to an edit as a tap asks, and show what comes of it; or save it."""
    seq = read_int(request.form.get("seq", ""), 0, MAX_SEQ)
    editing = EditForm(number, context.access().seq if seq is None else seq)
    read = attempt(lambda: _read_form(editing))
    if isinstance(read, Refusal):
        return _show(editing, read)
    if read.do in ("save", "at_once") and (response := _save(read)):
        return response
    if "ask" in request.form or (read.do in ("change", "insert") and not _is_tapped()):
        return _show(read)
    added = attempt(lambda: _add(read))
    return _show(read, added) if isinstance(added, Refusal) else _show_added(read, added)


def _read_form(editing: EditForm) -> EditForm:
    """The edit that the form goes on with, and where. Raises BadFile."""
    form = request.form
    do, _, place = next(reversed(form.getlist("do")), "").partition(":")
    at = read_int(place or form.get("at", "0"), 0, MAX_EVENTS)
    if at is None:
        raise BadFile("edit_unreadable")
    operations = read_operations(form.get("operations", "[]"))
    return replace(editing, operations=operations, do=do, at=at)


def _is_tapped() -> bool:
    """Whether the form records an event; else it leads to an entry, or away from it."""
    return bool(request.form.get("event"))


def _add(editing: EditForm) -> EditForm:
    """The edit after one more tap. Raises BadFile, NotAllowed."""
    operations = [*editing.operations]
    if editing.do == "drop":
        del operations[editing.at : editing.at + 1]
    elif new := _read_tap(editing):
        operations = [each for each in operations if not _takes_place(new, each)] + [new]
    return replace(
        editing, operations=read_operations(replace(editing, operations=operations).code)
    )


def _read_tap(editing: EditForm) -> Operation | None:
    """The operation that a tap adds, None for one that adds none. Raises BadFile, NotAllowed."""
    unhappened = editing.do == "at_once" and request.form.get("event") == ""
    if editing.do in ("remove", "move") or unhappened:
        return Operation("move" if editing.do == "move" else "remove", editing.at)
    if not _is_tapped() or editing.do not in ("change", "insert", "fill", "at_once"):
        return None
    event = write_event(read_any_event(read_event_form(request.form)))
    return Operation("insert" if editing.do in ("insert", "fill") else "change", editing.at, event)


def _takes_place(new: Operation, old: Operation) -> bool:
    """Whether an operation takes the place of an older one, as it is of the same entry."""
    if new.at != old.at:
        return False
    ends = [(each.kind, (each.event or {}).get("event")) for each in (new, old)]
    return ends == [("insert", "break_off")] * 2 or (
        new.kind in ONE_ENTRY and old.kind in ONE_ENTRY
    )


def _save(editing: EditForm) -> Response | None:
    """Save an edit; `at_once` where nothing stands in its way, else None, and it is shown."""
    at_once = editing.do == "at_once"
    added = attempt(lambda: _add(editing)) if at_once else editing
    if isinstance(added, Refusal) or (at_once and not is_sent_again() and not _fits(added)):
        return None
    outcome = submit(lambda: Edit(added.number, added.operations), STALE)
    if isinstance(outcome, Refusal):
        return _show(replace(added, do="", seq=context.read_view().seq), outcome)
    if at_once:
        return lead_to(url_for("table.page"), context.gettext(EDITED))
    newest = outcome.undoable
    # What stood there already is no change, and one of who deals is of no deal.
    deal = (
        newest.deal if isinstance(newest, UndoableChange) and newest.number == editing.number else 0
    )
    address = sheet_address(editing.number, deal or None)
    flash(context.gettext(EDITED), url_for("protocol.game", number=editing.number))
    return lead_to(address)


def _fits(editing: EditForm) -> bool:
    """Whether all entries fit after an edit."""
    plan = attempt(lambda: _preview(editing))
    return isinstance(plan, Plan) and not (plan.edited.left or plan.edited.unfinished)


def _preview(editing: EditForm) -> Plan:
    return plan_edit(context.db(), context.link(), Edit(editing.number, editing.operations))


def _show_added(before: EditForm, editing: EditForm) -> Response:
    """The preview of an edit; where the tapped event may not be recorded there, the reason why."""
    plan = attempt(lambda: _preview(editing))
    if isinstance(plan, Refusal):
        return _show(before, plan)
    if editing.do in ("change", "insert"):
        tapped = editing.operations[-1].event
        for left in plan.edited.left:
            if left.entry.index is None and write_event(left.entry.event) == tapped:
                reason = Refusal(error_text(left.reason, context.language().of_pages))
                return _show(before, reason, plan)
    if editing.do == "insert" and (place := _find_movable(plan, editing)) is not None:
        # What was recorded after a forgotten fact was recorded a step too early.
        moved = attempt(lambda: _add(replace(editing, do="move", at=place)))
        return _show(before, moved) if isinstance(moved, Refusal) else _show_added(before, moved)
    return _render_preview(plan, editing)


def _show(editing: EditForm, refusal: Refusal | None = None, tried: Plan | None = None) -> Response:
    """The page that a form was on: an entry's, or the preview; `tried` is what was refused."""
    plan = attempt(lambda: _preview(editing)) if tried is None else tried
    if isinstance(plan, Refusal):
        editing, refusal = EditForm(editing.number, editing.seq, do=""), plan
        plan = _preview(editing)
    opens = editing.do in ("change", "insert") and editing.at < len(plan.recorded)
    if not opens or editing.at not in plan.edited.came:
        return _render_preview(plan, editing, refusal)
    now, before = plan.edited.came[editing.at]
    opened = _open(plan, plan.recorded[editing.at] if tried else now, before)
    return _render_entry(plan.view, editing, opened, refusal)


def _open(plan: Plan, entry: Entry, before: GameState) -> Opened:
    """An entry of an edited game, and the state that it comes to."""
    states, left = plan.edited.states, [each for each in plan.edited.left if each.entry is entry]
    place = next((place for place, state in enumerate(states[:-1]) if state is before), None)
    after = None if left or place is None else states[place + 1]
    moment = left[0].moment if left else moment_of(before)
    return Opened(entry.event, moment, before, after, next(iter(left), None))


def _render_entry(
    view: TableView, editing: EditForm, opened: Opened, refusal: Refusal | None = None
) -> Response:
    due = opened.due if context.access().writes else None
    own = None if editing.operations or editing.do != "change" else opened.event
    dialog = _draw_asked(view, editing, due, refusal, own)
    return render(
        "edit/entry.html",
        "",
        refusal,
        view=view,
        editing=replace(editing, recorded=opened.event if editing.do == "change" else None),
        opened=opened,
        dialog=dialog,
        **_grid(due, closes=editing.do == "change" and isinstance(opened.event, NoBestHand)),
        **_doubts(view, editing, opened),
    )


def _grid(due: GameState | None, *, closes: bool = True) -> dict[str, object]:
    """Values of the grid of a state, if it has one.

    Where everybody's own hand scores, that the rest have nothing `closes` the step: it stands for
    no hand.
    """
    if due is None:
        return {"state": None}
    rows, names = grid_rows(due), [*short_names(due.players).items()]
    if scorers(due) == "everyone" and not closes:
        hands = [tuple(c for c in row.cells if not isinstance(c.event, NoBestHand)) for row in rows]
        rows = [replace(row, cells=cells) for row, cells in zip(rows, hands, strict=True)]
    return {"state": due, "rows": rows, "names": names}


def _draw_asked(
    view: TableView,
    editing: EditForm,
    due: GameState | None,
    refusal: Refusal | None,
    own: Event | None = None,
) -> str:
    """The dialog that was asked for or filled in, or that of an entry by its `own` event; or none.

    A refusal is told on it. Raises NotFound.
    """
    dialog: Dialog | None = None
    typed: Mapping[str, object] = read_typed()
    if due is None:
        return ""
    if "ask" in request.form:
        dialog = read_dialog(due, request.form["ask"])
    elif refusal:
        dialog = find_filled_in(due)
    elif own:
        dialog, typed = _find_own_dialog(due, own)
    if dialog is None:
        return ""
    shown = {"view": view, "state": due, "editing": editing, "typed": typed, "writes": True}
    return draw_dialog(dialog, refusal, **shown)


def _find_own_dialog(state: GameState, event: Event) -> tuple[Dialog | None, Mapping[str, object]]:
    """The dialog on which an entry was filled in, and its fields."""
    write = context.language().number
    match event:
        case NoBestHand(hand=hand, tied=tied) if hand and tied:
            return read_dialog(state, "tie"), {"hand": hand, "tied": tied}
        case Correction(player=player, points=points):
            seat = state.players.index(player) + 1
            return read_dialog(state, f"player/{seat}"), {"points": write(points)}
        case Joins(player=player, after=after, points=points):
            begins = write(points)
            joined = {"name": player, "after": after, "begins": begins}
            return read_dialog(state, "latecomer"), joined
    return None, {}


def _doubts(view: TableView, editing: EditForm, opened: Opened) -> dict[str, object]:
    """What is said of a recorded entry: to who writes, what else it was; `gone`: or nothing."""
    if editing.operations or editing.do != "change":
        return {"doubted": None}
    about = editing.number, editing.at
    doubted = next((each for each in find_doubted() if (each.number, each.index) == about), None)
    if not context.access().writes:
        return {"doubted": doubted, "me": context.find_me()}
    if doubted is None:
        return {"doubted": None}
    likely = neighbours(opened.before, opened.event, doubted.who)
    # A hand that did not happen is nobody's.
    removed = replace(editing, operations=[Operation("remove", editing.at)])
    gone = NoBestHand() not in likely and _fits(removed)
    return {"doubted": doubted, "neighbours": likely, "gone": gone}


def _render_preview(plan: Plan, editing: EditForm, refusal: Refusal | None = None) -> Response:
    view, edited = plan.view, plan.edited
    gap, last = next(iter(edited.unfinished), None), next(reversed(edited.entries), None)
    filling = replace(editing, do="fill", at=gap.at if gap else 0)
    due = gap.due if gap else None
    dialog = _draw_asked(view, filling, due if editing.do == "fill" else None, refusal)
    ends = last is not None and last.index is None and isinstance(last.event, BreakOff)
    return render(
        "edit/preview.html",
        "",
        refusal,
        view=view,
        editing=replace(editing, do="look", at=0),
        filling=filling,
        dialog=dialog,
        changes=_list_changes(plan, editing.operations),
        misfits=_find_misfits(plan),
        movable=_find_movable(plan, editing),
        # A game that others have followed has an end.
        ending=replace(editing, do="fill", at=len(plan.recorded)) if ends else None,
        end=last.event if ends and last else None,
        ends=[BreakOff(settle=True), BreakOff(settle=False)],
        plan=plan,
        # Of each moment the last state: an entry that the rest have nothing comes to that.
        stood={moment_of(state): state for state in edited.states},
        way=way_of(plan),
        **_grid(due),
    )


def way_of(plan: Plan, value: str = "", label: str = "") -> Way:
    """What comes of an edit, as its way is labelled in the form."""
    now, after = plan.view.state, plan.state
    winners = tuple(plan.was.get(name, name) for name in after.winners)
    ends_otherwise = (now.over, now.winners) != (after.over, winners)
    consequences = find_consequences(now, after, plan.was)
    return Way(plan, consequences, payout(after) or {}, ends_otherwise, value, label)


def _list_changes(plan: Plan, operations: Sequence[Operation]) -> list[Line]:
    """What is otherwise: each operation, then what else is another entry by it."""
    lines = [_line(plan, place, each) for place, each in enumerate(operations)]
    # What is left out is told as that, and a deal that is left out as one.
    left = [each.entry.event for each in plan.edited.left]
    was, now = [None, *left, *(line.was for line in lines)], [None, *(line.now for line in lines)]
    gone = {each.deal for each in plan.edited.unfinished}
    others = [
        each
        for each in plan.differences
        if each.moment.deal not in gone and (each.was not in was or each.now not in now)
    ]
    return lines + [Line("", each.moment.deal, each.moment, each.was, each.now) for each in others]


def _line(plan: Plan, place: int, operation: Operation) -> Line:
    kind, at = operation.kind, operation.at
    now = read_any_event(operation.event) if operation.event else None
    if kind in ("insert_deal", "remove_deal") or at >= len(plan.recorded):
        return Line(kind, at, now=now, place=place)
    stood = plan.recorded[at]
    was = None if kind == "insert" else stood.event
    if kind == "remove":
        instead = [
            each.now for each in plan.differences if (each.moment, each.was) == (stood.moment, was)
        ]
        now = next(iter(instead), None)
    return Line(kind, 0, stood.moment, was, now, place)


def _find_misfits(plan: Plan) -> list[tuple[LeftOut, Entry | None, bool]]:
    """The entries that are left out, each with what stands there, and whether it opens itself."""
    edited = plan.edited
    kept = [each for each in edited.entries if each.index is not None]
    stands = {each.moment: each for each in kept if not isinstance(each.event, ANY_STEP)}
    left = [(left, None) for each in edited.unfinished for left in each.left]
    others = [each for each in edited.left if each.reason.code != "game_was_over"]
    misfits = left + [(each, stands.get(each.moment)) for each in others]
    found = []
    for each, stood in misfits:
        entry, before = edited.came[each.entry.at]
        opens = entry is each.entry and moment_of(before) == each.moment and not before.over
        found.append((each, stood, opens))
    return found


def _find_movable(plan: Plan, editing: EditForm) -> int | None:
    """The entry from which the rest may move one step on, and less is left out then."""
    pushed = next((each for each in plan.edited.left if each.entry.index is not None), None)
    place, edited = pushed.entry.at if pushed else 0, plan.edited
    inserted = any(each.kind == "insert" and each.at <= place for each in editing.operations)
    if pushed is None or not inserted:
        return None
    moved = operate(plan.recorded, [*editing.operations, Operation("move", place)])
    then = replay_entries(edited.setup, moved)
    fewer = len(then.left) + len(then.unfinished) < len(edited.left) + len(edited.unfinished)
    return place if fewer else None
