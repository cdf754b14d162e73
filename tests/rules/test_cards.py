"""Cards read from text, as players write them."""

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.rules.codes import BadHand
from app.rules.hands import Card, Suit, parse_cards
from tests.told import told

SUITS: tuple[Suit, ...] = ("s", "h", "d", "c")
DECK = tuple(Card(rank, suit) for rank, suit in itertools.product(range(2, 15), SUITS))
HANDS = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True).map(tuple)

ACES = (Card(14, "h"), Card(14, "d"), Card(9, "c"), Card(7, "s"), Card(2, "d"))
FILLING = " 2c 3c 4c 5c"


@told
def test_case_spaces_and_language_are_free(text: str) -> None:
    """Every spelling of the same five cards gives the same hand, in the written order."""
    assert parse_cards(text) == ACES


@told
def test_english_and_swedish_ranks(text: str, card: str) -> None:
    """Kn, D and E are jack, queen and ace; a D before a suit is the queen."""
    assert str(parse_cards(text + FILLING)[0]) == card
    assert str(parse_cards(FILLING + text)[-1]) == card


def test_queens_and_diamonds_may_be_glued() -> None:
    """In a row of joined Ds each rank is a queen and each suit diamonds."""
    assert " ".join(map(str, parse_cards("DdKdDh10dKnd"))) == "Qd Kd Qh 10d Jd"


@given(HANDS, st.sampled_from(["", " "]))
@settings(deadline=None)
def test_a_written_hand_reads_back(cards: tuple[Card, ...], between: str) -> None:
    """Cards written as text are read as the same cards."""
    assert parse_cards(between.join(str(card) for card in cards)) == cards


@told
def test_what_is_no_hand_of_five_cards_is_named(
    text: str, code: str, values: dict[str, object]
) -> None:
    """The error has exactly the unreadable text, as written, or the number of cards."""
    with pytest.raises(BadHand) as caught:
        parse_cards(text)
    assert (caught.value.code, caught.value.values) == (code, values)


def outcome(text: str) -> str:
    """Return the code of the error in `text`, or the number of different cards."""
    try:
        return f"{len(set(parse_cards(text)))} cards"
    except BadHand as error:
        return error.code


@given(st.text() | st.text(alphabet="AKnQDJET1023shdc♠♥♦♣ ,x\ufe0f", max_size=20))
@example("D" * 10)
@example("D" * 11)
@example("\ufe0f")
@settings(deadline=None)
def test_any_text_is_a_hand_or_a_bad_hand(text: str) -> None:
    """Any text gives five different cards or a BadHand, never another error."""
    assert outcome(text) in {"5 cards", "unreadable_card", "not_five_cards", "dealt_twice"}
