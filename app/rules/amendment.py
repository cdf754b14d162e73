"""Amending a game: every entry belongs to its deal and step, and none ever moves into another.

A draft of an amended game is judged entry by entry. What no longer fits its moment is named with
the reason and left out; where an entry is missing, nothing after it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from app.rules.errors import NotAllowed
from app.rules.events import (
    BreakOff,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    Joins,
    Leaves,
)
from app.rules.game import apply, begin
from app.rules.state import GameState, Setup, Step

# What belongs to no step of its deal; for some of it the deal must not have begun.
ANY_STEP = (Correction, Leaves, Joins, FalseClaim, IllegalExchange, BreakOff)
_ORDER = {step: place for place, step in enumerate(Step)}


class Moment(NamedTuple):
    """A moment of a game: the number of the deal, from 1, and what was due in it."""

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


class Misfit(msgspec.Struct, frozen=True):
    """The entry at `place` of a draft, which no longer fits, and why."""

    place: int
    entry: Entry
    reason: NotAllowed


class Amendment(msgspec.Struct, frozen=True):
    """What comes of a draft, as far as it is known.

    `states`: the first before any entry, then one for each entry of `held`, which are places in
    the draft. `befores`: the state that each entry came to, in the order of the draft; there are
    fewer than entries where one is missing. `missing`: the state in which an entry is missing.
    """

    draft: tuple[Entry, ...]
    states: tuple[GameState, ...]
    befores: tuple[GameState, ...]
    held: tuple[int, ...]
    misfits: tuple[Misfit, ...]
    missing: GameState | None

    @property
    def stands(self) -> bool:
        """Whether every entry fits and none is missing."""
        return not self.misfits and self.missing is None

    @property
    def gap(self) -> int:
        """The place in the draft of what is missing; all of it where nothing is."""
        return len(self.befores)

    def certain_until(self, deal: int) -> bool:
        """Whether nothing is unsettled in the deals up to this one."""
        missing = [] if self.missing is None else [self.missing.deal.number]
        return all(deal < other for other in (*map(self.deal_of, self.misfits), *missing))

    def deal_of(self, misfit: Misfit) -> int:
        """The deal that an entry which no longer fits belongs to."""
        moment = misfit.entry.moment or moment_of(self.befores[misfit.place])
        return moment.deal


def moment_of(state: GameState) -> Moment:
    """The moment of a game that a state stands at."""
    return Moment(state.deal.number, state.deal.step)


def place_entries(states: Iterable[GameState], events: Iterable[Event]) -> tuple[Entry, ...]:
    """A recorded game as a draft: each event at the moment at which it was recorded."""
    recorded = enumerate(zip(states, events, strict=False))
    return tuple(Entry(event, moment_of(state), index) for index, (state, event) in recorded)


def judge(setup: Setup, draft: Sequence[Entry], must_end: bool = False) -> Amendment:
    """What comes of a draft; where the game `must_end`, an end that is not there is missing."""
    states, befores = [begin(setup)], list[GameState]()
    held, misfits, missing = list[int](), list[Misfit](), None
    for place, entry in enumerate(draft):
        if _comes_before(states[-1], entry):
            missing = states[-1]
            break
        befores.append(states[-1])
        try:
            states.append(_apply_entry(states[-1], entry))
            held.append(place)
        except NotAllowed as reason:
            misfits.append(Misfit(place, entry, reason))
    if must_end and missing is None and not states[-1].over:
        missing = states[-1]
    return Amendment(
        tuple(draft), tuple(states), tuple(befores), tuple(held), tuple(misfits), missing
    )


def require_standing(amendment: Amendment) -> None:
    """Raise NotAllowed for the first entry that does not fit, with its place in the draft.

    An end that is missing is no entry's fault, and refuses nothing.
    """
    first = amendment.misfits[0].place if amendment.misfits else amendment.gap
    try:
        if amendment.misfits:
            raise amendment.misfits[0].reason
        if amendment.missing is not None and amendment.gap < len(amendment.draft):
            raise NotAllowed("entry_missing", deal=amendment.missing.deal.number)
    except NotAllowed as refusal:
        refusal.event = first
        raise


def state_after_deal(states: Sequence[GameState], deal: int) -> GameState | None:
    """The state that a deal ended in, None where it has not ended."""
    ended = (s for s in states if s.deal.number > deal or (s.over and s.deal.number == deal))
    return next(ended, None)


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
        _check_deal(state, entry.moment)
        if entry.moment.step is not state.deal.step and not isinstance(entry.event, ANY_STEP):
            _refuse_overdue(state, entry.moment)
    return apply(state, entry.event)


def _check_deal(state: GameState, moment: Moment) -> None:
    if state.over:
        raise NotAllowed("game_was_over", deal=state.deal.number)
    if moment.deal < state.deal.number:
        raise NotAllowed("deal_was_over", deal=moment.deal)


def _refuse_overdue(state: GameState, moment: Moment) -> None:
    """Raise NotAllowed: the entry's step is over, or never came, in the deal being played."""
    deal, step = state.deal, moment.step
    if step is Step.CHICAGO_PLAY and deal.declarer is None:
        raise NotAllowed("no_chicago_bid", deal=deal.number)
    if step is Step.LAST_TRICK and deal.declarer in (None, deal.taker):
        raise NotAllowed("no_chicago_lost", deal=deal.number)
    if deal.declarer is not None and (deal.blind or step is Step.PLAY):
        raise NotAllowed("chicago_was_bid", deal=deal.number, by=deal.declarer)
    raise NotAllowed("recorded_already", deal=deal.number)
