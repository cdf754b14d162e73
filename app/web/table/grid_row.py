"""How a row of the grid is made: what it says of all, and in a cell what is otherwise there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from app.i18n.game import HAND_LABELS
from app.rules.checks import can
from app.rules.errors import NotAllowed
from app.rules.events import BestHand, Event
from app.rules.hands import Hand
from app.rules.outcome import (
    Choose,
    Outcome,
    Worth,
    bookings,
    common_worth,
    outcome,
    promised_outcome,
    supposed_outcome,
    supposed_promise,
    worth,
)
from app.rules.state import GameState
from app.web.table.consequences import strikes_others, wins_at_once


class GridCell(msgspec.Struct, frozen=True):
    """One tap: it records `event`, or opens the dialog at `ask`, an address below the table's.

    `open` is False for a cell that answers only why it may not be used. `player` is whose column
    it stands in; a cell across all columns has a `label` and a `text` instead, messages to be
    translated. `worth` is what it does where that is otherwise than its row says.
    """

    event: Event
    open: bool
    player: str | None = None
    ask: str = ""
    label: str = ""
    text: str = ""
    worth: Worth | None = None


def aloud(cell: GridCell, label: str, value: str) -> str:
    """What a cell says of itself: whom and what, both in words, and what that is worth, if told."""
    said = f"{cell.player}: {label}" if cell.player else label
    return f"{said} ({value})" if value else said


class GridRow(msgspec.Struct, frozen=True):
    """A row of the grid: a cell for every player, or a few `wide` ones across all columns.

    `label` is a message to be translated, with its `values`. `signed`: points are written with
    their sign. `victim`: whom the row zeroes, where one is named.
    """

    name: str
    label: str
    worth: Worth | None
    cells: tuple[GridCell, ...]
    wide: bool = False
    signed: bool = False
    victim: str | None = None
    values: Mapping[str, object] = {}

    @property
    def open(self) -> bool:
        """Whether anything in it can be recorded now."""
        return any(cell.open for cell in self.cells)


class Judges(NamedTuple):
    """How an event's outcome is found: if it may be recorded, and if it may not."""

    judge: Callable[[GameState, Any], Outcome | NotAllowed]
    suppose: Callable[[GameState, Any], Outcome]


RECORDED = Judges(outcome, supposed_outcome)
# A bid gives nothing by itself: its row tells what the Chicago gives when it is made.
PROMISED = Judges(promised_outcome, supposed_promise)

Kinds = tuple[Choose, ...]
MakeEvent = Callable[[str], Event]


def sheet_row(state: GameState, hand: Hand, kind: Choose) -> GridRow:
    """A row of a sheet that says itself what it does: only a victim is asked for."""
    row = hand_row(state, hand, (kind,), dialogs=True)
    cells = [cell if _names_victim(cell.event) else replace(cell, ask="") for cell in row.cells]
    return replace(row, cells=tuple(cells))


def _names_victim(event: Event) -> bool:
    return isinstance(event, BestHand) and event.victim is not None


def hand_cell(state: GameState, player: str, hand: Hand) -> GridCell:
    """The cell that books a hand which is due: every way there is, asking where there are more."""
    return _cell_of_kinds(state, player, hand, ("score", "zero"))


def hand_row(state: GameState, hand: Hand, kinds: Kinds, dialogs: bool) -> GridRow:
    """A row that books a hand in these `kinds` of ways; without `dialogs` it is scored at once."""
    name = f"{hand}-zero" if kinds == ("zero",) else str(hand)
    if not dialogs:
        return event_row(state, name, HAND_LABELS[hand], lambda n: BestHand(player=n, hand=hand))
    cells = [_cell_of_kinds(state, player, hand, kinds) for player in state.players]
    event = BestHand(player=state.playing[0], hand=hand, choose=kinds[0])
    return _row(state, name, HAND_LABELS[hand], cells, lambda: supposed_outcome(state, event))


def _cell_of_kinds(state: GameState, player: str, hand: Hand, kinds: Kinds) -> GridCell:
    # One of each kind: whichever victim is named, the holder books the same.
    by_kind = {way.choose: way for way in bookings(state, player, hand) if way.choose in kinds}
    ways = iter(by_kind.values())
    for event in ways:
        result = outcome(state, event)
        if isinstance(result, Outcome):
            another = any(can(state, way) for way in ways)
            return _open_cell(state, event, result, another=another)
    return GridCell(BestHand(player=player, hand=hand, choose=kinds[0]), False, player)


def _open_cell(state: GameState, event: BestHand, result: Outcome, *, another: bool) -> GridCell:
    """The cell of a hand that may be booked, asking first where there is `another` way."""
    player, value = event.player, worth(result, event.player)
    if not another and event.victim is None and not _is_dangerous(result):
        return GridCell(event, True, player, worth=value)
    ask = f"hand/{state.players.index(player) + 1}/{event.hand}"
    return GridCell(event, True, player, ask, worth=replace(value, or_zero=another))


def _is_dangerous(result: Outcome) -> bool:
    """Whether nobody wants it done by a slip, so that a sheet says first what it will do."""
    return strikes_others(result) or wins_at_once(result)


def event_row(
    state: GameState, name: str, label: str, make: MakeEvent, judges: Judges = RECORDED
) -> GridRow:
    """A row in which a tap records at once."""
    cells = [_event_cell(state, player, make(player), judges) for player in state.players]
    event = make(state.playing[0])
    return _row(state, name, label, cells, lambda: judges.suppose(state, event))


def _event_cell(state: GameState, player: str, event: Event, judges: Judges) -> GridCell:
    result = judges.judge(state, event)
    if not isinstance(result, Outcome):
        return GridCell(event, False, player)
    return GridCell(event, True, player, worth=worth(result, player))


def wide_cell(state: GameState, event: Event, label: str, text: str) -> GridCell:
    """A cell across all columns; `label` and `text` are messages to be translated."""
    return GridCell(event, can(state, event), label=label, text=text)


def _row(
    state: GameState,
    name: str,
    label: str,
    cells: list[GridCell],
    suppose: Callable[[], Outcome],
) -> GridRow:
    """A row that tells what holds for all, and in a cell only what is otherwise there.

    `suppose` finds what it would do where nobody may use it now.
    """
    worths = [cell.worth for cell in cells if cell.worth is not None]
    common = common_worth(worths or [worth(suppose(), state.playing[0])])
    cells = [replace(cell, worth=None) if _reads_as(cell.worth, common) else cell for cell in cells]
    return GridRow(name, label, common, tuple(cells))


def _reads_as(value: Worth | None, common: Worth) -> bool:
    """Whether a cell has nothing to add to its row; of a win no points are told."""
    return value == common or (value is not None and value.wins and common.wins)
