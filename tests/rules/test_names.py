"""Who a person is: what of a typed name is kept, what is refused, and what looks alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.codes import BadFile
from app.rules.events import read_event
from app.rules.gamefile import read_setup
from app.rules.names import (
    LONGEST_TYPED,
    MAX_NAME,
    ask_about,
    look_alikes,
    read_name,
    short_names,
    tidy,
)
from tests.told import told

cases = pytest.mark.parametrize


@told
def test_the_same_letters_are_the_same_name(typed: str, name: str) -> None:
    """Letters are in one piece, any blanks are one, and marks without a picture are left out."""
    assert read_name(typed) == name


@cases("emoji", ["👩‍🦰", "👨‍👩‍👧‍👦", "❤️", "👩‍⚕️", "👍🏽", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇸🇪", "🏳️‍🌈"])
def test_an_emoji_keeps_the_marks_that_make_it_one(emoji: str) -> None:
    """Joiners, selectors and tags stay where pictures stand around them, and go elsewhere."""
    assert read_name(f"Zoë {emoji}") == f"Zoë {emoji}"
    assert read_name(f"{emoji}\u200d Zoë\ufe0f\u200d") == f"{emoji} Zoë"


@cases(
    "typed", ["", " ", "\u200b", "\u3164", "\u2800", "\u00a0", "\u0301", "\u2066\u2069", "\ufe0f"]
)
def test_a_name_that_cannot_be_seen_is_none(typed: str) -> None:
    """Nothing but blanks and marks is refused as empty."""
    with pytest.raises(BadFile, match="name_empty"):
        read_name(typed)


@cases("typed", ["A\tda", "A\nda", "A\x00", "\ud83d", "A\u2028da"])
def test_a_control_character_is_refused(typed: str) -> None:
    """No name steers a terminal or breaks a line."""
    with pytest.raises(BadFile, match="name_unprintable"):
        read_name(typed)


def test_the_length_is_that_of_the_name_as_it_is_kept() -> None:
    """Forty letters in pieces are forty; more than ten times as much is not looked at."""
    assert len(read_name("a\u030a" * MAX_NAME)) == MAX_NAME
    for typed in ("x" * (MAX_NAME + 1), "Ada" + "\u200b" * LONGEST_TYPED, "\u0301" * 10**6):
        with pytest.raises(BadFile, match=r"name_too_long|name_empty"):
            read_name(typed)


@given(st.text(max_size=60))
def test_what_was_read_is_read_as_it_is(text: str) -> None:
    """Whatever somebody types, nothing is left to tidy, and it is printable or an emoji's."""
    name = tidy(text)
    assert tidy(name) == name == unicodedata.normalize("NFC", name)
    assert name.isspace() is False
    assert "\N{REPLACEMENT CHARACTER}" in text or "\N{REPLACEMENT CHARACTER}" not in name


def test_events_name_people_by_the_same_reader() -> None:
    """Each name of an event, of a setup too, finds the player however it is written."""
    raw: dict[str, object] = {"players": ["Åsa", "Bo", "Ada Ek"], "dealer": "A\u030asa"}
    setup = read_setup(raw)
    assert setup.dealer == "Åsa"
    for keys in (
        {"event": "best_hand", "player": "A\u030asa", "hand": "pair", "victim": "Ada\u00a0Ek"},
        {"event": "no_best_hand", "hand": "pair", "tied": ["A\u030asa", "Ada\u3000Ek"]},
        {"event": "joins", "player": "A\u030ake", "after": "A\u030asa", "points": 0},
        {"event": "chicago_result", "won": False, "broken_by": "\u2068Ada Ek\u2069"},
    ):
        event = read_event(keys, setup.players)
        assert {*event.players()} <= {*setup.players}
    with pytest.raises(BadFile, match="name_twice"):
        read_setup({"players": ["Åsa", "A\u030asa", "Bo"]})


@told
def test_look_alikes(names: list[str], known: list[str], alike: list[str] | None) -> None:
    """Names differ by more than case, blanks and forms of a letter; who is known is no question."""
    assert look_alikes(names, known) == (alike and tuple(alike))


def test_a_question_is_asked_once() -> None:
    """The same names sent with the answer are taken; others are asked about."""
    with pytest.raises(BadFile, match="look_alike"):
        ask_about(["ada"], "", ["Ada"])
    ask_about(["ada"], " ada ", ["Ada"])
    with pytest.raises(BadFile, match="look_alike"):
        ask_about(["Ada", "ada"], "Ada / Bo")
    ask_about(["Ada", "ada"], "Ada / ada")


@told
def test_short_names(names: list[str], short: list[str]) -> None:
    """First names where they tell people apart; else with the last name, or everybody's whole."""
    assert [*short_names(names).values()] == short
