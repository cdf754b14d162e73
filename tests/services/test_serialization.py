"""Events in the database: read as what they were written from, whatever they are."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.rules.events import (
    EVENTS,
    LONGEST_BITS,
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
)
from app.rules.hands import Hand
from app.services.fold import read_numbers, to_json, write_numbers

NAMES = {1: "Anna", 2: "Bo", 7: "<b>'\"&"}
NUMBERS = {name: number for number, name in NAMES.items()}

EVERY = [
    BestHand(player="Bo", hand=Hand.FOUR_OF_A_KIND, choose="zero", victim="Anna"),
    BestHand(player="Anna", hand=Hand.ROYAL_FLUSH_HEARTS),
    NoBestHand(),
    NoBestHand(hand=Hand.PAIR, tied=("Bo", "<b>'\"&")),
    Chicago(player="Bo", blind=True),
    ChicagoResult(won=True, with_two=True),
    ChicagoResult(won=False, broken_by="Anna"),
    LastTrick(player="Anna", with_two=True),
    IllegalExchange(player="Anna"),
    FalseClaim(player="Bo"),
    Leaves(player="Bo"),
    Joins(player="<b>'\"&", after="Bo", points=-7),
    Correction(player="Bo", points=-(2**LONGEST_BITS - 1)),
    BreakOff(settle=True),
]
REMARKS = {"id": 7, "name": ["a", {"b": None}], "at": "2026-05-01T20:00:00Z", "note": "x" * 60_000}


def test_every_kind_of_event_is_among_these() -> None:
    """Whoever adds a kind adds it here."""
    assert {type(event) for event in EVERY} == set(EVENTS.values())


@pytest.mark.parametrize("event", EVERY, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("remarks", [{}, REMARKS], ids=["bare", "remarks"])
def test_an_event_is_read_as_it_was_written(event: Event, remarks: dict[str, object]) -> None:
    """With its remarks, also those longer than are accepted today; no name stands in it."""
    event = replace(event, **remarks)
    body = write_numbers(event, NUMBERS)
    assert not any(name in to_json(body) for name in NAMES.values())
    assert read_numbers(body, NAMES) == event
