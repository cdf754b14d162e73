"""A game that is as long as one likes, and is still being played."""

from __future__ import annotations

from collections.abc import Sequence

from app.rules.events import Event
from app.rules.state import Setup
from tests.long_games import play_long_game

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
# A far target lets it go on.
RULES: dict[str, object] = {"target": 1000}
# No deal has fewer.
EVENTS_OF_A_DEAL = 3


def long_game(events: int) -> tuple[Setup, Sequence[Event]]:
    """Return a game of so many events."""
    game = play_long_game(PLAYERS, events // EVENTS_OF_A_DEAL + 1, RULES)
    return game.setup, game.events[:events]
