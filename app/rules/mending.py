"""Mending the past: a game with one entry changed, worked out again as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.rules.errors import NotAllowed
from app.rules.events import Event
from app.rules.game import fold
from app.rules.state import GameState, Setup


class Attempt(msgspec.Struct, frozen=True):
    """A game replayed as far as it holds.

    `states` has one more than the events that hold; `refusal` says, with the event's index, why
    the next one does not, and is None when the whole game stands.
    """

    states: tuple[GameState, ...]
    refusal: NotAllowed | None

    @property
    def held(self) -> int:
        """How many events hold."""
        return len(self.states) - 1


def attempt(setup: Setup, events: Sequence[Event]) -> Attempt:
    """Replay a game until an event is refused, and tell which and why."""
    states, refusal = fold(setup, events)
    return Attempt(tuple(states), refusal)


def first_difference(old: Sequence[Event], new: Sequence[Event]) -> int:
    """The index of the first entry that is not the same in both."""
    pairs = zip(old, new, strict=False)
    same = next((n for n, (was, now) in enumerate(pairs) if was != now), None)
    return min(len(old), len(new)) if same is None else same
