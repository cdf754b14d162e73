"""Views of amending: the changes, and the same moments before and after."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.rules.amendment import (
    ANY_STEP,
    Amendment,
    Entry,
    Moment,
    judge,
    moment_of,
    shift,
    state_after_deal,
)
from app.rules.events import Event
from app.rules.settlement import payout
from app.rules.state import GameState, Step
from app.services.table_view import TableView
from app.web.table.draft import AmendmentDraft, moment_in

STEPS = tuple(Step)


class EntryEdit(msgspec.Struct, frozen=True):
    """One edit: the entry that `was` recorded at a moment and the one `now`, None for none."""

    moment: Moment
    was: Event | None
    now: Event | None


class SeatStanding(msgspec.Struct, frozen=True):
    """A player's score, and the payout in öre where the game is for money."""

    player: str
    score: int
    ore: int | None


class MomentComparison(msgspec.Struct, frozen=True):
    """One moment of the game as recorded (where it has that moment) and as mended.

    `deal` is that which has just ended; None where the game ends, or stands when it is not over.
    """

    deal: int | None
    over: bool
    now: list[SeatStanding] | None
    then: list[SeatStanding]

    @property
    def rows(self) -> list[tuple[SeatStanding | None, SeatStanding]]:
        """A pair for every player, in seat order; only those that differ where there are two.

        A player who joins in the mended game had no score before.
        """
        if self.now is None:
            return [(None, then) for then in self.then]
        now = {standing.player: standing for standing in self.now}
        pairs = [(now.get(then.player), then) for then in self.then]
        return [(now, then) for now, then in pairs if now != then]


class Gap(msgspec.Struct, frozen=True):
    """A missing entry: the state, and the place it goes before or `instead` of."""

    state: GameState
    place: int
    instead: bool
    at_end: bool


def judge_draft(view: TableView, draft: AmendmentDraft) -> Amendment:
    """Judge a draft; a game that had ended, or that others followed, must end."""
    must_end = view.state.over or view.number < view.games
    return judge(view.game.setup, draft.entries, must_end)


def list_changes(draft: AmendmentDraft) -> list[EntryEdit]:
    """The edits, in the order of the game: an old and a new entry at one moment are one."""
    kept = {entry.index for entry in draft.entries}
    new = [entry for entry in draft.entries if entry.index is None]
    edits = []
    for was in draft.base:
        if was.index not in kept:
            now = next((entry for entry in new if _stands_for(entry, was)), None)
            new = [entry for entry in new if entry is not now]
            edits.append(EntryEdit(moment_in(was), was.event, now.event if now else None))
    edits += [EntryEdit(moment_in(entry), None, entry.event) for entry in new]
    return sorted(edits, key=lambda edit: (edit.moment.deal, STEPS.index(edit.moment.step)))


def _stands_for(entry: Entry, was: Entry) -> bool:
    """Whether two entries are of one moment, and both of its step, or both beside it."""
    beside = isinstance(entry.event, ANY_STEP), isinstance(was.event, ANY_STEP)
    return entry.moment == was.moment and beside[0] == beside[1]


def find_gap(draft: AmendmentDraft, amendment: Amendment) -> Gap | None:
    """The first missing entry, if one is."""
    state, place = amendment.missing, amendment.gap
    if state is None:
        return None
    at_end = place == len(draft.entries)
    last = amendment.conflicts[-1] if amendment.conflicts else None
    if last is not None and last.place == place - 1 and last.entry.moment == moment_of(state):
        return Gap(state, last.place, True, at_end)
    return Gap(state, place, False, at_end)


def find_shiftable(view: TableView, draft: AmendmentDraft, amendment: Amendment) -> int | None:
    """The place of an entry put in behind which less is left over once the rest moves on."""
    first = amendment.conflicts[0].place if amendment.conflicts else 0
    for place in reversed(range(first)):
        new, moment = draft.entries[place], amendment.moment_at(first)
        if new.index is None and new.moment == moment:
            moved = judge(view.game.setup, shift(view.game.setup, draft.entries, place))
            fewer = len(moved.conflicts) < len(amendment.conflicts)
            return place if fewer and moved.missing is None else None
    return None


def compare(view: TableView, draft: AmendmentDraft, amendment: Amendment) -> list[MomentComparison]:
    """The certain moments of both games: after the last deal changed, and now."""
    changes = list_changes(draft)
    if not changes:
        return []
    last = max(change.moment.deal for change in changes)
    found: list[MomentComparison] = []
    ended = [state_after_deal(states, last) for states in (view.states, amendment.states)]
    if amendment.certain_until(last) and ended[0] and ended[1] and not ended[1].over:
        found.append(MomentComparison(last, False, _stand(ended[0]), _stand(ended[1])))
    if amendment.stands:
        then = amendment.states[-1]
        now = _same_moment(view.states, then)
        found.append(MomentComparison(None, then.over, _stand(now) if now else None, _stand(then)))
    return found


def _same_moment(states: Sequence[GameState], then: GameState) -> GameState | None:
    """The last state at a moment, the end of the game being one wherever it comes."""
    if then.over or moment_of(states[-1]) == moment_of(then):
        return states[-1] if states[-1].over == then.over else None
    return next((s for s in reversed(states) if moment_of(s) == moment_of(then)), None)


def _stand(state: GameState) -> list[SeatStanding]:
    """The scores of all players, in seat order."""
    ore = payout(state) if state.setup.stake_ore else None
    return [SeatStanding(seat.name, seat.score, (ore or {}).get(seat.name)) for seat in state.seats]
