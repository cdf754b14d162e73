"""Amending a game: every entry belongs to its deal and step, and moves only where that is asked.

A draft of an amended game is judged entry by entry. One that no longer fits its moment is named
with the reason and left out; where an entry is missing, nothing after it is known.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from app.rules.checks import can
from app.rules.errors import NotAllowed
from app.rules.events import (
    BestHand,
    BreakOff,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    Joins,
    LastTrick,
    Leaves,
    NoBestHand,
    Rules,
)
from app.rules.game import apply, begin
from app.rules.hands import Hand
from app.rules.house import common_hands, listed_hands
from app.rules.names import clockwise
from app.rules.outcome import bookings
from app.rules.rights import speaking_order
from app.rules.state import HAND_DUE, GameState, Setup, Step

# Events that belong to no step of their deal; for some of them the deal must not have begun.
ANY_STEP = (Correction, Leaves, Joins, FalseClaim, IllegalExchange, BreakOff, Rules)
_ORDER = {step: place for place, step in enumerate(Step)}


class Moment(NamedTuple):
    """A moment of a game: the number of the deal, from 1, and the step due in it."""

    deal: int
    step: Step


class Entry(msgspec.Struct, frozen=True):
    """An event of a draft at the moment it belongs to.

    `index` is that of the same entry in the game as it was recorded, None for a new one. Without
    a `moment` it belongs to whichever it comes to.
    """

    event: Event
    moment: Moment | None = None
    index: int | None = None


class Conflict(msgspec.Struct, frozen=True):
    """The entry at `place` of a draft, which no longer fits, and why."""

    place: int
    entry: Entry
    reason: NotAllowed


class Amendment(msgspec.Struct, frozen=True):
    """The result of a draft, as far as it is known.

    `states`: the first before any entry, then one for each entry of `held`, which are places in
    the draft. `befores`: the state that each entry came to, in the order of the draft; there are
    fewer than entries where one is missing. `missing`: the state in which an entry is missing.
    """

    draft: tuple[Entry, ...]
    states: tuple[GameState, ...]
    befores: tuple[GameState, ...]
    held: tuple[int, ...]
    conflicts: tuple[Conflict, ...]
    missing: GameState | None

    @property
    def stands(self) -> bool:
        """Whether every entry fits and none is missing."""
        return not self.conflicts and self.missing is None

    @property
    def gap(self) -> int:
        """The place in the draft of a missing entry; its end where none is."""
        return len(self.befores)

    def certain_until(self, deal: int) -> bool:
        """Whether nothing is unsettled in the deals up to this one."""
        missing = [] if self.missing is None else [self.missing.deal.number]
        conflicts = (self.moment_at(conflict.place).deal for conflict in self.conflicts)
        return all(deal < other for other in (*conflicts, *missing))

    def moment_at(self, place: int) -> Moment:
        """The moment that an entry belongs to, or that it comes to: behind a gap the gap's."""
        comes_to = self.befores[place] if place < self.gap else self.states[-1]
        return self.draft[place].moment or moment_of(comes_to)


def moment_of(state: GameState) -> Moment:
    """The moment of a game that a state stands at."""
    return Moment(state.deal.number, state.deal.step)


def place_entries(states: Iterable[GameState], events: Iterable[Event]) -> tuple[Entry, ...]:
    """A recorded game as a draft: each event at the moment at which it was recorded."""
    recorded = enumerate(zip(states, events, strict=False))
    return tuple(Entry(event, moment_of(state), index) for index, (state, event) in recorded)


def judge(setup: Setup, draft: Sequence[Entry], must_end: bool = False) -> Amendment:
    """Judge a draft; where the game `must_end`, a missing end counts as missing."""
    states, befores = [begin(setup)], list[GameState]()
    held, conflicts, missing = list[int](), list[Conflict](), None
    for place, entry in enumerate(draft):
        if _comes_before(states[-1], entry):
            missing = states[-1]
            break
        befores.append(states[-1])
        try:
            states.append(_apply_entry(states[-1], entry))
            held.append(place)
        except NotAllowed as reason:
            conflicts.append(Conflict(place, entry, reason))
    if must_end and missing is None and not states[-1].over:
        missing = states[-1]
    return Amendment(
        tuple(draft), tuple(states), tuple(befores), tuple(held), tuple(conflicts), missing
    )


def require_standing(amendment: Amendment) -> None:
    """Raise NotAllowed for the first entry that does not fit, with its place in the draft.

    An end that is missing is no entry's fault, and refuses nothing.
    """
    first = amendment.conflicts[0].place if amendment.conflicts else amendment.gap
    try:
        if amendment.conflicts:
            raise amendment.conflicts[0].reason
        if amendment.missing is not None and amendment.gap < len(amendment.draft):
            raise NotAllowed("entry_missing", deal=amendment.missing.deal.number)
    except NotAllowed as refusal:
        refusal.event = first
        raise


def state_after_deal(states: Sequence[GameState], deal: int) -> GameState | None:
    """The state that a deal ended in, None where it has not ended."""
    ended = (s for s in states if s.deal.number > deal or (s.over and s.deal.number == deal))
    return next(ended, None)


def shift(setup: Setup, draft: Sequence[Entry], place: int) -> tuple[Entry, ...]:
    """A draft in which the entries behind the one put in at `place` move one step on.

    All of it moves where all of it fits; else up to the first gap, a hand that nobody won, which
    goes; else up to the first entry that finds no room. New entries get the moments they come to.
    """
    moved = (*draft[: place + 1], *(replace(each, moment=None) for each in draft[place + 1 :]))
    amendment = judge(setup, moved)
    moved = tuple(
        replace(each, moment=moment_of(before)) if each.index is None else each
        for each, before in zip(moved, amendment.befores, strict=False)
    )
    until = amendment.conflicts[0].place if amendment.conflicts else amendment.gap
    if amendment.stands or until <= place:
        return moved if amendment.stands else tuple(draft)
    for at in range(place + 1, until + 1):
        if is_empty_hand(draft[at].event) and _resumes(amendment, draft, at):
            return (*moved[:at], *draft[at + 1 :])
    end = until + 1 if _resumes(amendment, draft, until) else len(draft)
    return (*moved[:end], *draft[end:])


def is_empty_hand(event: Event) -> bool:
    """Whether an event says that nobody had the best hand, and no more."""
    return isinstance(event, NoBestHand) and event.tied is None


def _resumes(amendment: Amendment, draft: Sequence[Entry], at: int) -> bool:
    """Whether without the entry at a place the next one comes to the moment it belongs to."""
    after = draft[at + 1 : at + 2]
    return all(entry.moment == moment_of(amendment.befores[at]) for entry in after)


def neighbours(state: GameState, event: Event, doubters: Sequence[str] = ()) -> list[Event]:
    """What an entry was most likely instead, likeliest first: what may be recorded at its state.

    A hand's are the next one up and down, the same of the next players, and nobody's. Where nobody
    had one, whoever doubts it did. The event is one that may be recorded there.
    """
    found, states = list[Event](), [apply(state, event)]
    for each in _alternatives(state, event, doubters):
        # What the rules make no difference of is the same.
        if can(state, each) and (after := apply(state, each)) not in states:
            found.append(each)
            states.append(after)
    return found


def _alternatives(state: GameState, event: Event, doubters: Sequence[str]) -> Iterable[Event]:
    match event:
        case BestHand(player=player, hand=hand):
            yield from (
                way
                for each in _next_hands(state, hand)
                for way in _book(state, event, player, each)
            )
            yield from (
                way for other in _others(state, player) for way in _book(state, event, other, hand)
            )
            yield NoBestHand()
        case NoBestHand(hand=tied):
            for name in doubters if tied is None else ():
                yield from (BestHand(player=name, hand=hand) for hand in common_hands(state.rules))
            # Who was not seen to have anything had little.
            for name in event.tied or speaking_order(state):
                yield from bookings(state, name, tied or listed_hands(state.rules)[0])
            yield NoBestHand()
        case ChicagoResult():
            yield ChicagoResult(won=True)
            yield ChicagoResult(won=True, with_two=True)
            yield ChicagoResult(won=False)
            yield from (ChicagoResult(won=False, broken_by=name) for name in speaking_order(state))
        case LastTrick(player=player):
            yield from (replace(event, player=other) for other in _others(state, player))
            yield replace(event, with_two=not event.with_two)
        case Correction():
            yield replace(event, points=-event.points)
            yield from (replace(event, player=other) for other in _others(state, event.player))
        case Chicago() | Leaves() | FalseClaim() | IllegalExchange():
            yield from (replace(event, player=other) for other in _others(state, event.player))


def _others(state: GameState, player: str) -> Iterable[str]:
    return (name for name in clockwise(state.players, player) if name in state.playing)


def _next_hands(state: GameState, hand: Hand) -> list[Hand]:
    """The next hand up, and the next one down, of those that the rules tell apart."""
    hands = listed_hands(state.rules)
    place = hands.index(hand) if hand in hands else len(hands) - 1
    return [*hands[place + 1 : place + 2], *hands[max(place - 1, 0) : place]]


def _book(state: GameState, was: BestHand, player: str, hand: Hand) -> list[BestHand]:
    """A player's hand booked as another one was, where the rules allow that; else as they do."""
    ways = [way for way in bookings(state, player, hand) if can(state, way)]
    alike = [way for way in ways if (way.choose, way.victim) == (was.choose, was.victim)]
    return alike or ways[:1]


def insert_deal(states: Sequence[GameState], draft: Sequence[Entry], taker: str) -> list[Entry]:
    """A recorded game with one deal more before the one at hand, whose entries go into the next.

    In it nobody had a best hand, and `taker` took the last trick. Raises NotAllowed for somebody
    who does not play.
    """
    deal = states[-1].deal.number
    place = next((n for n, entry in enumerate(draft) if _deal_of(entry) == deal), len(draft))
    entries, state = list[Entry](), states[place]
    while not state.over and state.deal.number == deal:
        due = state.deal.step in HAND_DUE
        event = NoBestHand() if due else LastTrick(player=taker)
        entries.append(Entry(event, moment_of(state)))
        state = apply(state, event)
    return [*draft[:place], *entries, *(_move_deal(each, 1) for each in draft[place:])]


def remove_deal(draft: Sequence[Entry], deal: int) -> list[Entry]:
    """A recorded game without one of its deals: the later ones are each one earlier."""
    kept = (each for each in draft if _deal_of(each) != deal)
    return [_move_deal(each, -1) if _deal_of(each) > deal else each for each in kept]


def _deal_of(entry: Entry) -> int:
    return entry.moment.deal if entry.moment else 0


def _move_deal(entry: Entry, deals: int) -> Entry:
    moment = entry.moment and entry.moment._replace(deal=entry.moment.deal + deals)
    return replace(entry, moment=moment)


def settle(setup: Setup, draft: Sequence[Entry]) -> list[Entry]:
    """A draft in which all entries fit, as far as that can be told.

    Entries that do not fit are left out, a hand that no longer zeroes scores, and where a hand is
    missing nobody had the best. Behind a missing trick or result of a Chicago all stays as it is.
    """
    state, settled = begin(setup), list[Entry]()
    for place, entry in enumerate(draft):
        while _comes_before(state, entry) and state.deal.step in HAND_DUE:
            settled.append(Entry(NoBestHand(), moment_of(state)))
            state = apply(state, NoBestHand())
        if _comes_before(state, entry):
            return [*settled, *draft[place:]]
        for way in _ways(state, entry):
            try:
                state = _apply_entry(state, way)
            except NotAllowed:
                continue
            settled.append(way)
            break
    return settled


def _ways(state: GameState, entry: Entry) -> Iterable[Entry]:
    """An entry as it is; and of a hand that was to zero, that it scores."""
    yield entry
    if isinstance(entry.event, BestHand):
        scored = replace(entry.event, choose="score", victim=None)
        if scored != entry.event and can(state, scored):
            yield Entry(scored, entry.moment)


def _comes_before(state: GameState, entry: Entry) -> bool:
    """Whether a state stands before an entry's moment, so that something is missing in between."""
    if entry.moment is None or state.over:
        return False
    return _rank(moment_of(state)) < _rank(entry.moment)


def _rank(moment: Moment) -> tuple[int, int]:
    return moment.deal, _ORDER[moment.step]


def _apply_entry(state: GameState, entry: Entry) -> GameState:
    """The state after an entry that is due or overdue. Raises NotAllowed when it does not fit."""
    if entry.moment is not None:
        require_moment(state, entry.event, entry.moment)
    return apply(state, entry.event)


def require_moment(state: GameState, event: Event, due: Moment) -> None:
    """Raise NotAllowed where an event belongs to another moment than the one a state stands at.

    One of no step belongs to any moment of its deal.
    """
    if state.over:
        raise NotAllowed("game_was_over", deal=state.deal.number)
    if due.deal < state.deal.number:
        raise NotAllowed("deal_was_over", deal=due.deal)
    now = moment_of(state)
    if due != now and not (due.deal == now.deal and isinstance(event, ANY_STEP)):
        _refuse_elsewhere(state, due)


def _refuse_elsewhere(state: GameState, due: Moment) -> None:
    """Raise NotAllowed: the entry's step is over, never came, or has not come."""
    deal, step = state.deal, due.step
    if _rank(moment_of(state)) < _rank(due):
        raise NotAllowed("entry_missing", deal=deal.number)
    if step is Step.CHICAGO_PLAY and deal.declarer is None:
        raise NotAllowed("no_chicago_bid", deal=deal.number)
    if step is Step.LAST_TRICK and deal.declarer in (None, deal.taker):
        raise NotAllowed("no_chicago_lost", deal=deal.number)
    if deal.declarer is not None and (deal.blind or step is Step.PLAY):
        raise NotAllowed("chicago_was_bid", deal=deal.number, by=deal.declarer)
    raise NotAllowed("recorded_already", deal=deal.number)
