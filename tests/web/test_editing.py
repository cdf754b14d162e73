"""Editing on the page beyond its stories: who was first, what buttons are called, and anything."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.rules.edit import MOST_OPERATIONS
from app.rules.events import BestHand, write_event
from app.rules.hands import Hand
from app.rules.presets import PRESETS
from app.services.commit import commit
from app.services.edit import Edit
from app.services.table_view import read_view
from tests.rules.table import write_facts
from tests.web.conftest import Seat
from tests.web.evenings import pen_of, store_of
from tests.web.phone import Phone

DEAL = write_facts("Anna pair, nobody, Bo trick, Cilla flush")


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table with one recorded deal."""
    return seat(phone, *DEAL, rules={"preset": "pagat"})


def send(phone: Phone, operations: object, **tapped: str) -> None:
    """Send an edit so far with a tap, from the newest version of the table."""
    form = {"seq": phone.home().seq, "operations": json.dumps(operations), **tapped}
    phone.send(f"{phone.table}/games/1/edit", form)


def test_who_was_first_is_not_written_over(app: Flask, keeper: Phone) -> None:
    """The game is shown as it is by now, with the edit over that; a form sent twice is one edit."""
    keeper.open(f"{keeper.table}/games/1/entries/1")
    button = keeper.press("Bo: Pair").button("Keep this")
    other = BestHand(player="Dan", hand=Hand.FLUSH)
    commit(store_of(app), pen_of(keeper), Edit(1, entries=[other, 1, 2, 3]))
    page = keeper.submit(button)
    assert page.announcement == "Somebody else got there first. This is the game now."
    assert keeper.answer.status_code == 409
    assert "nobody has the best hand → Bo pair" in page.text
    button = page.button("Keep this")
    for _ in range(2):
        assert keeper.submit(button).announcement == "The game has been edited."
    events = read_view(store_of(app), pen_of(keeper).link).game.events
    assert [*map(write_event, events)][:2] == write_facts("Dan flush, Bo pair")


@pytest.mark.parametrize("victims", ["others", "one"])
@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_buttons_of_an_entry_sound_alike(
    seat: Seat, phone: Phone, preset: str, victims: str
) -> None:
    """Scoring a hand and zeroing with it have different accessible names."""
    seat(phone, DEAL[0], rules={"preset": preset, "zeroing_victims": victims})
    cells = phone.open(f"{phone.table}/games/1/entries/0").elements(".cell")
    labels = [cell.get("aria-label", cell["value"]) for cell in cells]
    assert labels
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("operations", "told"),
    [([["remove", 0]] * (MOST_OPERATIONS + 1), "too many changes at once"), ("[" * 20_000, "fits")],
)
def test_what_is_too_much_is_refused_in_words(keeper: Phone, operations: object, told: str) -> None:
    """The game is shown as it is."""
    send(keeper, operations, do="look")
    assert keeper.answer.status_code == 422
    assert told in keeper.page.announcement


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
HAPPENED = "Dan leaves, Anna chicago, void, made, Bo 7, Eva joins Bo 3"
SPOILED = st.builds(
    lambda event, key, value: {**event, key: value} if key else event,
    st.sampled_from([*DEAL, *write_facts(HAPPENED)]),
    st.sampled_from(["", "", "player", "after", "hand", "tied", "points", "event", "note"]),
    st.sampled_from(["Anna", "Bo", "Zed", "", 3]) | JSON,
)
KINDS = st.sampled_from(["insert", "change", "remove", "move", "insert_deal", "remove_deal"])
OPERATIONS = st.lists(st.tuples(KINDS, st.integers(0, 12), SPOILED), max_size=6)
TAPS = ["save", "open", "before", "drop", "remove", "move", "at_once", "look", "x"]
TAPS += ["change", "insert", "fill"]
ASKS = ["tie", "rare", "latecomer", "comings", "player/2", "player/9", "hand/1/flush", "row/blind"]
ASKS += ["", "row", "player/x", "hand/1/x", "x/y/z/w", "more"]


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    OPERATIONS | JSON,
    st.sampled_from(TAPS),
    st.integers(-1, 12),
    st.none() | SPOILED | JSON,
    st.none() | st.sampled_from(ASKS),
)
def test_whatever_is_sent_is_answered(
    keeper: Phone, operations: object, do: str, at: int, event: object, ask: str | None
) -> None:
    """Shown, refused in words, or saved: nothing is an error of the program."""
    tapped = {"event": "" if event is None else json.dumps(event)}
    send(keeper, operations, do=f"{do}:{at}", **(tapped if ask is None else {"ask": ask}))
    assert keeper.answer.status_code in (200, 303, 404, 409, 422)
    assert ask is not None or keeper.answer.status_code != 404
