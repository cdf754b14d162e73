"""Who a person is: what of a typed name is kept, what is refused, and what looks alike."""

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

SEATS = ("Åsa", "Bo", "Ada Ek")


@told
def test_the_same_letters_are_the_same_name(typed: str, name: str) -> None:
    """Letters are in one piece, any blanks are one, and marks without a picture are left out."""
    assert read_name(typed) == name


@told
def test_an_emoji_keeps_the_marks_that_make_it_one(emoji: str) -> None:
    """Joiners, selectors and tags stay where pictures stand around them, and go elsewhere."""
    assert read_name(f"Zoë {emoji}") == f"Zoë {emoji}"
    assert read_name(f"{emoji}\u200d Zoë\ufe0f\u200d") == f"{emoji} Zoë"


@told
def test_what_is_no_name_is_refused(typed: str, code: str) -> None:
    """It cannot be seen, or has a control character."""
    with pytest.raises(BadFile, match=code):
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


@told
def test_events_name_people_by_the_same_reader(raw: dict[str, object]) -> None:
    """Each name of an event finds the player however it is written."""
    assert {*read_event(raw, SEATS).players()} <= {*SEATS}


def test_a_setup_names_people_by_the_same_reader() -> None:
    """Its dealer is one of the players, of whom each has another name."""
    raw: dict[str, object] = {"players": SEATS, "dealer": "A\u030asa"}
    assert read_setup(raw).dealer == SEATS[0]
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
