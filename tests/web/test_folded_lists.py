"""A list of more than a handful shows some of its entries, and folds the others away."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.conftest import Seat
from tests.web.evenings import SETTLED, next_game
from tests.web.phone import Phone

NAMES = [f"Person {n}" for n in range(1, 25)]


@pytest.fixture
def crowd(app: Flask, seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table at which two dozen have played, four of them now."""
    seat(phone, SETTLED, players=NAMES[:8])
    for players in (NAMES[8:16], NAMES[16:], NAMES[:4]):
        next_game(app, phone, *([SETTLED] if players != NAMES[:4] else []), players=players)
    return phone


@pytest.mark.parametrize(
    ("path", "entry", "most"),
    [
        ("/people", ".persons li", 12),
        ("/forget", ".pick input[name=name]", 12),
    ],
)
def test_many_people_are_folded(crowd: Phone, path: str, entry: str, most: int) -> None:
    """Everybody is there, the first of them in the open."""
    crowd.open(crowd.table + path)
    everybody = len(crowd.page.elements(entry))
    folded = len(crowd.page.elements(f"details.older {entry}"))
    assert everybody == 24
    assert everybody - folded == most
    assert f"({folded})" in crowd.page.text


def test_a_long_log_is_folded_but_for_its_end(seat: Seat, phone: Phone) -> None:
    """What came last stands in the open, numbered as it would be without the fold."""
    nobody: dict[str, object] = {"event": "no_best_hand"}
    correct = {"event": "correction", "player": "Anna"}
    seat(phone, nobody, *({**correct, "points": 1 + n % 2} for n in range(44)))
    phone.open(f"{phone.table}/games/1/log")
    assert len(phone.page.elements("details.older .log li")) == 5
    [shown] = phone.page.elements("main > .log")
    assert shown["start"] == "6"
    assert len(phone.page.elements("main > .log li")) == 40
    phone.open(seat(phone, nobody).table + "/games/1/log")
    assert not phone.page.elements("details")
