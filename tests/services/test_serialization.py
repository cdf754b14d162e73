"""Events in the database: read as what they were written from, whatever they are."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.rules.errors import BadFile
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
from app.services.serialization import deserialize_event, read_serialized_event, serialize_event

NAMES = ("Anna", "Bo", "<b>'\"&")

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
    body = serialize_event(event, NAMES)
    assert not any(name in body for name in NAMES)
    assert deserialize_event(body, NAMES) == event
    assert read_serialized_event(body, NAMES) == event


@pytest.mark.parametrize(
    "body",
    [
        '{"event":"chicago_result","won":false,"with_two":true}',
        '{"event":"correction","player":1,"points":0}',
        '{"event":"best_hand","player":1,"hand":"pair","victim":null}',
        '{"event":"leaves","player":1,"points":3}',
        '{"event":"joins","player":0,"after":1,"points":3}',
    ],
)
def test_an_event_from_outside_is_checked(body: str) -> None:
    """A copy of a table, or an address, may hold what nobody can record."""
    with pytest.raises((BadFile, ValueError, LookupError)):
        read_serialized_event(body, NAMES)
