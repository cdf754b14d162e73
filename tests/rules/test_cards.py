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


def refusal(text: str) -> BadHand:
    """Return the error that reading `text` raises."""
    with pytest.raises(BadHand) as caught:
        parse_cards(text)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "Ah Ad 9c 7s 2d",
        "AhAd9c7s2d",
        "ah ad 9C 7S 2D",
        "AHAD9C7S2D",
        "  Ah  Ad\t9c\n7s 2d ",
        "Ah\N{NO-BREAK SPACE}Ad 9c 7s 2d",
        "A h A d 9 c 7 s 2 d",
        "Eh Ed 9c 7s 2d",
        "A♥ A♦ 9♣ 7♠ 2♦",
        "A♥\ufe0fA♦\ufe0f9♣\ufe0f7♠\ufe0e2♦\ufe0f",
    ],
)
def test_case_spaces_and_language_are_free(text: str) -> None:
    """Every spelling of the same five cards gives the same hand, in the written order."""
    assert parse_cards(text) == ACES


WRITTEN = {
    "6h": "6h",
    "Th": "10h",
    "10h": "10h",
    "10 h": "10h",
    "Jh": "Jh",
    "Knh": "Jh",
    "kn s": "Js",
    "Kns": "Js",
    "KNS": "Js",
    "Kn♠": "Js",
    "Qd": "Qd",
    "Dd": "Qd",
    "dd": "Qd",
    "d h": "Qh",
    "Ks": "Ks",
    "Kd": "Kd",
    "Ed": "Ad",
    "As": "As",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_english_and_swedish_ranks(text: str) -> None:
    """Kn, D and E are jack, queen and ace; a D before a suit is the queen."""
    assert str(parse_cards(text + FILLING)[0]) == WRITTEN[text]
    assert str(parse_cards(FILLING + text)[-1]) == WRITTEN[text]


def test_queens_and_diamonds_may_be_glued() -> None:
    """In a row of joined Ds each rank is a queen and each suit diamonds."""
    assert " ".join(map(str, parse_cards("DdKdDh10dKnd"))) == "Qd Kd Qh 10d Jd"


@given(HANDS, st.sampled_from(["", " "]))
@settings(deadline=None)
def test_a_written_hand_reads_back(cards: tuple[Card, ...], between: str) -> None:
    """Cards written as text are read as the same cards."""
    assert parse_cards(between.join(str(card) for card in cards)) == cards


@told
def test_an_unreadable_card_is_named(text: str, card: str) -> None:
    """The error has exactly the unreadable text, as written."""
    error = refusal(text)
    assert (error.code, error.values) == ("unreadable_card", {"card": card})


@told
def test_a_hand_is_five_cards(text: str, count: int, cards: str) -> None:
    """Fewer or more than five cards are refused, with their number and the cards."""
    error = refusal(text)
    assert (error.code, error.values) == ("not_five_cards", {"count": count, "cards": cards})


@pytest.mark.parametrize("text", ["Knh Ad 9c 7s Jh", "J♥AdJh7s2d", "Jh Jh 9c 7s 2d"])
def test_a_card_dealt_twice_in_a_hand_is_named(text: str) -> None:
    """A repeated card is refused in any spelling."""
    error = refusal(text)
    assert (error.code, error.values) == ("dealt_twice", {"card": "Jh"})


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
