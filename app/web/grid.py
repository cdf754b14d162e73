"""The keeper's grid: a row for each event that can be recorded now, a cell for each player.

A row's points, zeroing and winning are the engine's own answer (`outcome`). What a tapped cell
sends, or a few fields filled in, becomes an event as a game file writes it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from app.http import context
from app.http.forms import read_field
from app.i18n.cards import HAND_LABELS
from app.i18n.language import N_, read_number
from app.rules.ahead import Fate, fate
from app.rules.codes import BadFile, NotAllowed
from app.rules.events import (
    MOST_JOINING_POINTS,
    BestHand,
    Chicago,
    ChicagoResult,
    Event,
    LastTrick,
    NoBestHand,
    write_event,
)
from app.rules.hands import COMMON_HANDS, Hand
from app.rules.house import listed_hands
from app.rules.names import ask_about, decode, read_name
from app.rules.outcome import (
    Choose,
    Outcome,
    Value,
    announcements,
    chicago_outcome,
    common_value,
    hand_events,
    hypothetical_chicago,
    hypothetical_outcome,
    outcome,
    value_of,
)
from app.rules.rights import can, chicago_step, may_bid_blind, may_tell, speaking_order
from app.rules.state import HAND_DUE, GameState, Step, scorers


class GridCell(msgspec.Struct, frozen=True):
    """One tap: it records `event`, or opens the dialog at `ask`, an address below the table's.

    `open` is False for a cell that answers only why it may not be used; `short` is then the points
    lacking for a bid, if that is why. `player` is whose column it stands in; a cell across all
    columns has a `text` instead, a message to be translated. `value` is its gain where that differs
    from its row's, and `fate` what becomes of the player. `turn`: the place in which they are asked
    for a bid, from 1, where the first has it. `told`: it is recorded at this step already.
    """

    event: Event
    open: bool
    player: str | None = None
    ask: str = ""
    text: str = ""
    value: Value | None = None
    fate: Fate | None = None
    short: int | None = None
    turn: int | None = None
    told: bool = False

    @property
    def bids(self) -> bool:
        """Whether it is a bid that may be made."""
        return self.open and isinstance(self.event, Chicago)

    @property
    def wins(self) -> bool:
        """Whether the score that its own value says ends the game."""
        return bool(self.value and self.value.wins and self.value.wins_with is not None)


def aloud(cell: GridCell, label: str, value: str) -> str:
    """A cell in words: player, fact and value, if told."""
    said = f"{cell.player}: {label}" if cell.player else label
    return f"{said} ({value})" if value else said


class GridRow(msgspec.Struct, frozen=True):
    """A row of the grid: a cell for every player, or a few `wide` ones across all columns.

    `label` is a message to be translated. `signed`: points are written with their sign. `tall`: of
    the play, where few rows share the room. `leads_to`: the declarer's score after it.
    """

    name: str
    label: str
    value: Value | None
    cells: tuple[GridCell, ...]
    wide: bool = False
    tall: bool = False
    signed: bool = False
    leads_to: int | None = None

    @property
    def open(self) -> bool:
        """Whether anything in it can be recorded now."""
        return any(cell.open for cell in self.cells)

    @property
    def speaks(self) -> bool:
        """Whether a cell of it has something to say."""
        return any(cell.bids or cell.short or cell.value or cell.ask for cell in self.cells)


def strikes_others(result: Outcome) -> bool:
    """Whether a hand zeroes others, at once or later."""
    return any(effect.code in ("zeroes", "zeroed") for effect in result.after.effects)


class Evaluator(NamedTuple):
    """The functions that find an event's outcome: if it may be recorded, and if it may not."""

    real: Callable[[GameState, Any], Outcome | NotAllowed]
    hypothetical: Callable[[GameState, Any], Outcome]


RECORDED = Evaluator(outcome, hypothetical_outcome)
# A bid gives nothing by itself: its row shows the gain of the Chicago when it is made.
MADE = Evaluator(chicago_outcome, hypothetical_chicago)

Kinds = tuple[Choose, ...]
MakeEvent = Callable[[str], Event]


def dialog_row(state: GameState, hand: Hand, kind: Choose) -> GridRow:
    """A row of a dialog whose heading says its effect: only a victim is asked for."""
    row = hand_row(state, hand, (kind,))
    cells = [
        cell
        if isinstance(cell.event, BestHand) and cell.event.victim is not None
        else replace(cell, ask="")
        for cell in row.cells
    ]
    return replace(row, cells=tuple(cells))


def hand_row(state: GameState, hand: Hand, kinds: Kinds) -> GridRow:
    """A row that books a hand in these `kinds` of ways."""
    name = f"{hand}-zero" if kinds == ("zero",) else str(hand)
    cells = [hand_cell(state, player, hand, kinds) for player in state.players]
    return _row(state, name, HAND_LABELS[hand], cells)


def hand_cell(
    state: GameState, player: str, hand: Hand, kinds: Kinds = ("score", "zero")
) -> GridCell:
    """The cell that books a hand which is due, asking where there are several ways."""
    # One of each kind: whichever victim is named, the holder books the same.
    by_kind = {way.choose: way for way in hand_events(state, player, hand) if way.choose in kinds}
    ways = iter(by_kind.values())
    for event in ways:
        result = outcome(state, event)
        if isinstance(result, Outcome):
            another = any(can(state, way) for way in ways)
            return _open_cell(state, event, result, another=another)
    told = state.deal.told.get(player) == hand
    return GridCell(BestHand(player=player, hand=hand, choose=kinds[0]), False, player, told=told)


def _open_cell(state: GameState, event: BestHand, result: Outcome, *, another: bool) -> GridCell:
    """The cell of a hand that may be booked, asking first where there is `another` way."""
    player, (value, end) = event.player, _told(result, event.player)
    after = result.after
    # A hand that wins by itself, or before the cards are played out.
    wins = after.ended == "won_by_hand" or (
        after.over and result.before.deal.step is not Step.FINAL_HAND
    )
    # Where a slip would be grave, a dialog first shows the consequences.
    if not (another or event.victim or strikes_others(result) or wins):
        return GridCell(event, True, player, value=value, fate=end)
    ask = f"hand/{state.players.index(player) + 1}/{event.hand}"
    return GridCell(event, True, player, ask, value=replace(value, or_zero=another), fate=end)


def _told(result: Outcome, name: str) -> tuple[Value, Fate | None]:
    """The value of an outcome to a player, and what becomes of them in its deal."""
    value = value_of(result, name)
    if isinstance(result.event, Chicago):
        # The bid itself ends no game: that a Chicago made does is said of its value.
        return value, None
    end = fate(result, name)
    if end == "wins" and result.after.ended != "won_by_hand":
        return replace(value, wins_with=result.after.score(name)), end
    return (replace(value, final_score=0) if end == "zeroed" else value), end


def event_row(
    state: GameState, name: str, label: str, make: MakeEvent, evaluator: Evaluator = RECORDED
) -> GridRow:
    """A row in which a tap records at once."""
    cells = [_event_cell(state, player, make(player), evaluator) for player in state.players]
    return replace(_row(state, name, label, cells, evaluator.hypothetical), tall=True)


def _event_cell(state: GameState, player: str, event: Event, evaluator: Evaluator) -> GridCell:
    result = evaluator.real(state, event)
    if isinstance(result, Outcome):
        value, end = _told(result, player)
        return GridCell(event, True, player, value=value, fate=end)
    return GridCell(event, False, player, short=_short(result))


def _short(refusal: NotAllowed) -> int | None:
    """The points lacking for a bid, where that is why it may not be made."""
    match refusal.values:
        case {"score": int(score), "minimum": int(minimum)}:
            return minimum - score
    return None


def wide_cell(state: GameState, event: Event, text: str) -> GridCell:
    """A cell across all columns; its text is a message to be translated."""
    return GridCell(event, can(state, event), text=text)


def _row(
    state: GameState,
    name: str,
    label: str,
    cells: list[GridCell],
    hypothetical: Callable[[GameState, Event], Outcome] = hypothetical_outcome,
) -> GridRow:
    """A row with the gain that all have in common, and in a cell only a gain that differs.

    `hypothetical` finds each outcome where nobody may use it now.
    """
    common = common_value(
        [cell.value for cell in cells if cell.value]
        or [
            _told(hypothetical(state, cell.event), cell.player)[0]
            for cell in cells
            if cell.player in state.playing
        ]
    )
    # Of a win no points are shown.
    cells = [
        replace(cell, value=None)
        if cell.value == common or (cell.value and cell.value.wins and common.wins)
        else cell
        for cell in cells
    ]
    return GridRow(name, label, common, tuple(cells))


NO_BLIND_NOW = ("no_blind_chicago", "blind_too_late", "blind_too_early")


def grid_rows(state: GameState) -> list[GridRow]:
    """The rows of all events possible now, in the order people look for them."""
    return list(_due_rows(state))


def asked_rows(state: GameState) -> list[GridRow]:
    """The rows that have a dialog of their own: bids before the play, and who broke a Chicago."""
    if state.deal.step in HAND_DUE:
        return _bid_rows(state)
    broken = state.deal.step is Step.CHICAGO_PLAY and not can(state, ChicagoResult(won=False))
    return [_breaker_row(state)] if broken else []


def dialogs_key(state: GameState, rows: Iterable[GridRow], seq: int) -> str:
    """The key of the dialogs that cells lead to: they show the same while it is the same.

    "" where no cell leads to one. One that tells scores is of its version alone.
    """
    rare = rare_hand_rows(state)
    asks = [cell.ask for row in [*rows, *rare] for cell in row.cells if cell.ask]
    if not asks:
        return ""
    version = seq if any(ask.startswith("hand/") for ask in asks) else 0
    shown = (*rare, *asked_rows(state)), (*listed_hands(state.rules),), scorers(state)
    return f"{hash((shown, state.players, may_tell(state), version)) & 0xFFFFFF:x}"


def rare_hand_rows(state: GameState) -> list[GridRow]:
    """A row for each way of booking each rare hand that may come now; none at other steps."""
    return [dialog_row(state, hand, kind) for hand, kind in _rare_ways(state)]


def _rare_ways(state: GameState) -> list[tuple[Hand, Choose]]:
    """The rare hands of the table while a hand is due, and what is laid open before the play."""
    if state.deal.step is Step.PLAY:
        return announcements(state)
    if state.deal.step not in HAND_DUE:
        return []
    rare = [hand for hand in listed_hands(state.rules) if hand not in COMMON_HANDS]
    ways = [(hand, way) for hand in rare for way in hand_events(state, state.playing[0], hand)]
    return [*dict.fromkeys((hand, way.choose) for hand, way in ways)]


def _due_rows(state: GameState) -> Iterator[GridRow]:
    match state.deal.step:
        case Step.OVER:
            return
        case Step.CHICAGO_PLAY:
            yield from _result_rows(state)
        case Step.LAST_TRICK:
            yield from _trick_rows(state)
        case Step.PLAY:
            yield from _trick_rows(state)
            yield from _bid_rows(state)
            if rare := _rare_cells(state):
                yield _wide_row(rare)
        case _:
            yield from _common_rows(state)


def _common_rows(state: GameState) -> Iterator[GridRow]:
    """The common hands, and in one row the rare ones, the early bids, nobody and a tie.

    Where everybody's own hand scores, nobody is tied: they say when the rest have nothing.
    """
    for hand in listed_hands(state.rules):
        if hand in COMMON_HANDS:
            yield hand_row(state, hand, ("score", "zero"))
    bids = [
        _dialog_cell(row.cells[0].event, f"row/{row.name}", EARLY[row.name])
        for row in _bid_rows(state)
        if row.open
    ]
    # Of more than three cells each says less.
    text = N_("Nobody") if bids else N_("Nobody has anything")
    nobody = wide_cell(state, NoBestHand(), N_("Done") if state.deal.told else text)
    rare = _rare_cells(state, N_("%(hand)s …") if bids else OR_BETTER)
    alone = scorers(state) == "everyone" or len(may_tell(state)) < 2
    tie = [] if alone else [_dialog_cell(NoBestHand(), "tie", N_("Tie …"))]
    yield _wide_row([*rare, *bids, nobody, *tie])


def _wide_row(cells: Iterable[GridCell]) -> GridRow:
    return GridRow("", "", None, tuple(cells), wide=True)


OR_BETTER = N_("%(hand)s or better …")
EARLY: Mapping[str, str] = {"chicago": N_("Chicago …"), "blind": N_("Blind …")}


def _rare_cells(state: GameState, text: str = OR_BETTER) -> list[GridCell]:
    """The cell that leads to the rare hands; its event has the lowest of them."""
    hands = [BestHand(player=state.playing[0], hand=hand) for hand, _kind in _rare_ways(state)]
    return [_dialog_cell(event, "rare", text) for event in hands[:1]]


def _dialog_cell(event: Event, ask: str, text: str) -> GridCell:
    """A wide cell that leads to a dialog; `event` stands for all events there."""
    return GridCell(event, True, ask=ask, text=text)


def _trick_rows(state: GameState) -> Iterator[GridRow]:
    yield event_row(state, "trick", N_("Last trick"), lambda n: LastTrick(player=n))
    somebody = state.playing[0]
    plain, two = LastTrick(player=somebody), LastTrick(player=somebody, with_two=True)
    if _differ(state, plain, two):
        label = N_("… with a two")
        yield event_row(state, "trick-two", label, lambda n: LastTrick(player=n, with_two=True))


def _bid_rows(state: GameState) -> list[GridRow]:
    rows = []
    if chicago_step(state).ok and state.deal.declarer is None:
        rows.append(_bid_row(state, "chicago", N_("Chicago"), blind=False))
    if may_bid_blind(state, state.playing[0]).code not in NO_BLIND_NOW:
        rows.append(_bid_row(state, "blind", N_("Blind Chicago"), blind=True))
    return rows


def _bid_row(state: GameState, name: str, label: str, *, blind: bool) -> GridRow:
    """A row of bids, each with the value of the Chicago if it is made."""
    row = event_row(state, name, label, lambda n: Chicago(player=n, blind=blind), MADE)
    bidders = [cell.player for cell in row.cells if cell.open]
    turns = [name for name in speaking_order(state) if name in bidders]
    if len(turns) < 2 or state.rules.chicago_priority == "overbid":
        turns = []
    places = {name: place for place, name in enumerate(turns, start=1)}
    cells = [replace(cell, turn=places.get(cell.player or "", 0)) for cell in row.cells]
    return replace(row, signed=True, cells=tuple(cells))


def _result_rows(state: GameState) -> Iterator[GridRow]:
    """The ends of the Chicago that is played, one cell each; a dialog asks for the breaker."""
    made, two = ChicagoResult(won=True), ChicagoResult(won=True, with_two=True)
    yield _result_row(state, "made", wide_cell(state, made, N_("Made")))
    if _differ(state, made, two):
        yield _result_row(state, "made-two", wide_cell(state, two, N_("Made with a two")))
    broken = wide_cell(state, ChicagoResult(won=False), N_("Broken"))
    if not broken.open:
        event = next(cell.event for cell in _breaker_row(state).cells if cell.open)
        broken = _dialog_cell(event, "row/broken", broken.text)
    yield _result_row(state, "broken", broken)


def _result_row(state: GameState, name: str, cell: GridCell) -> GridRow:
    """A result with its value to the declarer."""
    declarer, result = state.deal.declarer or "", hypothetical_outcome(state, cell.event)
    value, leads_to = value_of(result, declarer), result.after.score(declarer)
    return GridRow(name, "", value, (cell,), wide=True, signed=True, leads_to=leads_to)


def _breaker_row(state: GameState) -> GridRow:
    """The row of who broke the Chicago."""
    label = N_("Broken by")
    row = event_row(state, "broken", label, lambda n: ChicagoResult(won=False, broken_by=n))
    return replace(row, signed=True)


def _differ(state: GameState, event: Event, other: Event) -> bool:
    """Whether it makes a difference which of two events is recorded."""
    return hypothetical_outcome(state, event).after != hypothetical_outcome(state, other).after


FormData = MultiDict[str, str]

MOST_POINTS = 9999


def event_value(event: Event) -> str:
    """The value of a button that records this event."""
    return msgspec.json.encode(write_event(event), order="sorted").decode()


def read_event_form(form: FormData) -> object:
    """The event a form asks to record. Raises BadFile when it cannot be read."""
    value = form.get("event", "")
    if value in _FILLED_IN:
        return {"event": value, **_FILLED_IN[value](form)}
    return decode(value.encode("utf-8", "replace"))


def _read_points(form: FormData, field: str, limit: int) -> int:
    """The points that a field holds. Raises BadFile with the bounds."""
    text = form.get(field, "")
    points = read_number(text)
    if points is None or abs(points) > limit:
        raise BadFile("points_unreadable", limit=limit, typed=text)
    return points


def _correction(form: FormData) -> dict[str, object]:
    return {
        "player": form.get("player", ""),
        "points": _read_points(form, "points", MOST_POINTS),
    }


def _joins(form: FormData) -> dict[str, object]:
    def read_newcomer() -> str:
        name = read_name(form.get("name", "").strip() or form.get("known", ""))
        ask_about([name], form.get("asked", ""), context.known_names())
        return name

    begins = partial(_read_points, form, "begins", MOST_JOINING_POINTS)
    return {
        "player": read_field("name", read_newcomer),
        "after": form.get("after", ""),
        "points": read_field("begins", begins),
    }


def _tie(form: FormData) -> dict[str, object]:
    hand = {"hand": form["hand"]} if form.get("hand") else {}
    return {**hand, "tied": form.getlist("tied")}


_FILLED_IN: Mapping[str, Callable[[FormData], dict[str, object]]] = {
    "correction": _correction,
    "joins": _joins,
    "no_best_hand": _tie,
}
