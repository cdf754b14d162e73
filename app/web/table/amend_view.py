"""What the pages of mending show: what is changed, and the same moments before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from app.rules.amendment import Amendment, Moment, judge, moment_of, state_after_deal
from app.rules.events import Event
from app.rules.settlement import payout
from app.rules.state import GameState
from app.services.sheets import Sheet
from app.web.table.draft import Draft, Key


class Edit(msgspec.Struct, frozen=True):
    """One edit: what `was` recorded at a moment and what is there `now`, None where nothing."""

    moment: Moment
    was: Event | None
    now: Event | None


class Standing(msgspec.Struct, frozen=True):
    """A player's score, and what the player wins or loses in öre where the game is paid for."""

    player: str
    score: int
    ore: int | None


class Comparison(msgspec.Struct, frozen=True):
    """One moment of the game as recorded (where it has that moment) and as mended.

    `deal` is that which has just ended; None where the game ends, or stands when it is not over.
    """

    deal: int | None
    over: bool
    now: list[Standing] | None
    then: list[Standing]

    @property
    def rows(self) -> list[tuple[Standing | None, Standing]]:
        """A pair for every player, in seat order; only those that differ where there are two.

        Whoever joins by what is mended had nothing before.
        """
        if self.now is None:
            return [(None, then) for then in self.then]
        now = {standing.player: standing for standing in self.now}
        pairs = [(now.get(then.player), then) for then in self.then]
        return [(now, then) for now, then in pairs if now != then]


class Gap(msgspec.Struct, frozen=True):
    """Where an entry is missing: the state, and the entry it goes before or `instead` of."""

    state: GameState
    key: Key
    instead: bool
    at_end: bool


def judge_draft(sheet: Sheet, draft: Draft) -> Amendment:
    """What comes of a draft; a game that had ended, or that others followed, must end."""
    must_end = sheet.state.over or sheet.number < sheet.games
    entries = [slot.entry for slot in draft.slots()]
    return judge(sheet.game.setup, entries, must_end)


def list_changes(draft: Draft) -> list[Edit]:
    """The edits, in the order of the game."""
    return [change for index in range(len(draft.base) + 1) for change in _changes(draft, index)]


def _changes(draft: Draft, index: int) -> Iterator[Edit]:
    for entry in draft.inserted.get(index, ()):
        if entry.moment is not None:
            yield Edit(entry.moment, None, entry.event)
    if index in draft.removed or index in draft.put:
        was, now = draft.base[index], draft.put.get(index)
        if was.moment is not None:
            yield Edit(was.moment, was.event, now.event if now else None)


def find_gap(draft: Draft, amendment: Amendment) -> Gap | None:
    """Where the first entry is missing, if one is."""
    state, place, slots = amendment.missing, amendment.gap, draft.slots()
    if state is None:
        return None
    at_end = place == len(slots)
    last = amendment.misfits[-1] if amendment.misfits else None
    if last is not None and last.place == place - 1 and last.entry.moment == moment_of(state):
        return Gap(state, slots[last.place].key, True, at_end)
    key = Key(len(draft.base)) if at_end else slots[place].key
    return Gap(state, key, False, at_end)


def compare(sheet: Sheet, draft: Draft, amendment: Amendment) -> list[Comparison]:
    """The moments that both games have and that are certain: after the last deal changed, now."""
    changes = list_changes(draft)
    if not changes:
        return []
    last = max(change.moment.deal for change in changes)
    found: list[Comparison] = []
    ended = [state_after_deal(states, last) for states in (sheet.states, amendment.states)]
    if amendment.certain_until(last) and ended[0] and ended[1] and not ended[1].over:
        found.append(Comparison(last, False, _stand(ended[0]), _stand(ended[1])))
    if amendment.stands:
        then = amendment.states[-1]
        now = _same_moment(sheet.states, then)
        found.append(Comparison(None, then.over, _stand(now) if now else None, _stand(then)))
    return found


def _same_moment(states: Sequence[GameState], then: GameState) -> GameState | None:
    """The last state at a moment, the end of the game being one wherever it comes."""
    if then.over or moment_of(states[-1]) == moment_of(then):
        return states[-1] if states[-1].over == then.over else None
    return next((s for s in reversed(states) if moment_of(s) == moment_of(then)), None)


def _stand(state: GameState) -> list[Standing]:
    """Where every player stands, in seat order."""
    ore = payout(state) if state.setup.stake_ore else None
    return [Standing(seat.name, seat.score, (ore or {}).get(seat.name)) for seat in state.seats]
