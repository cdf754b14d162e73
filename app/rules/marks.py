"""The marks of a score sheet, as on paper: what of a deal is seen at a glance beside the points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from app.rules.codes import EffectCode, MarkCode
from app.rules.rights import Verdict, is_stopped, may_exchange
from app.rules.state import Effect, GameState

# What an effect marks in the column of its player.
MARKS: Mapping[EffectCode, tuple[MarkCode, ...]] = {
    "zeroes": ("zeroes",),
    "zeroed": ("zeroed",),
    "illegal_exchange": ("zeroed",),
    "false_claim": ("zeroed", "out"),
    "requirement_unmet": ("zeroed", "requirement_unmet"),
    "passed_over": ("requirement_unmet",),
    "bid": ("bid",),
    "blind_bid": ("blind_bid",),
    "chicago_won": ("chicago_won",),
    "chicago_won_with_two": ("chicago_won",),
    "chicago_lost": ("chicago_lost",),
    "blind_won": ("blind_won",),
    "blind_won_with_two": ("blind_won",),
    "blind_lost": ("blind_lost",),
    "joins": ("joins",),
    "leaves": ("out",),
}
# How a Chicago went says that it was bid.
_BIDS: Mapping[MarkCode, MarkCode] = {
    "chicago_won": "bid",
    "chicago_lost": "bid",
    "blind_won": "blind_bid",
    "blind_lost": "blind_bid",
}

_STOPS: tuple[MarkCode, ...] = ("stop_begins", "stopped")


class Mark(msgspec.Struct, frozen=True):
    """A mark in the column of `player`, and why it stands there.

    `index` is that (from 0) of the event it came from, which may be of an earlier deal; `why` what
    that set off, or of a right that is lost the verdict.
    """

    player: str
    code: MarkCode
    index: int
    why: Effect | Verdict


def opening_marks(states: Sequence[GameState], start: int) -> tuple[Mark, ...]:
    """What a deal begins with, `start` being the place of its first state: stops, a tie-break."""
    state = states[start]
    stops = tuple(
        Mark(name, _stop_code(states, start, name), *_why_stopped(states, start, name))
        for name in state.playing
        if is_stopped(state, name)
    )
    tie = Effect("tie_break_begins", players=state.tie_break)
    return stops + tuple(Mark(name, "tie_break", start - 1, tie) for name in state.tie_break)


def add_marks(marks: tuple[Mark, ...], states: Sequence[GameState], index: int) -> tuple[Mark, ...]:
    """A deal's marks with those of one more event: each once for a player, where it came first."""
    before, after = states[index], states[index + 1]
    marks = tuple(mark for mark in marks if not _is_undone(mark, before, after))
    for new in _event_marks(states, index):
        marks = tuple(m for m in marks if (m.player, m.code) != (new.player, _BIDS.get(new.code)))
        if (new.player, new.code) not in [(mark.player, mark.code) for mark in marks]:
            marks = (*marks, new)
    return marks


def _is_undone(mark: Mark, before: GameState, after: GameState) -> bool:
    """Whether a zeroing is cancelled, or a stop corrected away between deals (reading 21)."""
    if mark.code == "zeroes":
        voided = [e.player for e in after.effects if e.code == "zeroing_voided"]
        return mark.player in voided
    between = not after.deal.begun and after.deal.number == before.deal.number
    return between and mark.code in _STOPS and not is_stopped(after, mark.player)


def _event_marks(states: Sequence[GameState], index: int) -> Iterator[Mark]:
    after = states[index + 1]
    for effect in after.effects:
        yield from _effect_marks(effect, index)
    if after.over or after.deal.number != states[index].deal.number:
        return
    for name in after.playing:
        if is_stopped(after, name) and not _was_stopped(states[index], name):
            yield Mark(name, "stop_begins", *_why_stopped(states, index + 1, name))


def _effect_marks(effect: Effect, index: int) -> Iterator[Mark]:
    """The marks of an effect; whoever has no points to lose is not marked as zeroed."""
    for code in MARKS.get(effect.code, ()):
        if effect.player is not None and (code != "zeroed" or effect.points):
            yield Mark(effect.player, code, index, effect)
    if effect.code == "zeroed" and effect.by is not None:
        yield Mark(effect.by, "zeroes", index, effect)


def _was_stopped(state: GameState, name: str) -> bool:
    return name in state.players and is_stopped(state, name)


def _stop_code(states: Sequence[GameState], start: int, name: str) -> MarkCode:
    before = start and _was_stopped(states[start - 1], name)
    return "stopped" if before else "stop_begins"


def _why_stopped(states: Sequence[GameState], place: int, name: str) -> tuple[int, Verdict]:
    """The event that took a player to the exchange stop, and what is said of it at a place."""
    limit, verdict = states[place].rules.exchange_stop, may_exchange(states[place], name)
    while place > 1 and limit is not None and _has(states[place - 1], name, limit):
        place -= 1
    return place - 1, verdict


def _has(state: GameState, name: str, points: int) -> bool:
    return name in state.players and state.score(name) >= points
