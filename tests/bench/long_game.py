"""A game that is as long as one likes, and is still being played."""

from __future__ import annotations

from app.rules.events import BestHand, Event, LastTrick, NoBestHand
from app.rules.gamefile import read_setup
from app.rules.hands import Hand
from app.rules.state import Setup

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
# A far target lets it go on.
RULES: dict[str, object] = {"target": 1000}
HANDS = (Hand.PAIR, Hand.TWO_PAIRS, Hand.THREE_OF_A_KIND, Hand.STRAIGHT, Hand.FLUSH)
EVENTS_OF_A_DEAL = 4


def long_game(events: int) -> tuple[Setup, list[Event]]:
    """Return a game of so many events."""
    raw: dict[str, object] = {"players": PLAYERS, "dealer": "Dan", "rules": RULES}
    deals = range(-(-events // EVENTS_OF_A_DEAL))
    return read_setup(raw), [event for deal in deals for event in _deal(deal)][:events]


def _deal(number: int) -> list[Event]:
    first, second, third, fourth = (PLAYERS[(number + seat) % 4] for seat in range(4))
    tie = NoBestHand(hand=Hand.PAIR, tied=(second, third))
    return [
        BestHand(player=first, hand=HANDS[number % len(HANDS)]),
        tie if number % 3 else NoBestHand(),
        LastTrick(player=fourth),
        BestHand(player=second, hand=HANDS[number % 2]),
    ]
