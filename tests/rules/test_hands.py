"""Naming the combination in five cards."""

import itertools

import pytest

from app.rules.cards import parse_cards
from app.rules.hands import Hand, name_hand

NAMED = [
    ("cD dD hK h5 d2", Hand.PAIR),
    ("dK cK h6 d6 d9", Hand.TWO_PAIRS),
    ("h10 d10 s10 sE c2", Hand.THREE_OF_A_KIND),
    ("cKn d10 s9 h8 h7", Hand.STRAIGHT),
    ("sE sK sKn s4 s3", Hand.FLUSH),
    ("hKn dKn sKn d2 s2", Hand.FULL_HOUSE),
    ("h3 d3 s3 c3 dK", Hand.FOUR_OF_A_KIND),
    ("d8 d7 d6 d5 d4", Hand.STRAIGHT_FLUSH),
    ("sE sK sD sKn s10", Hand.ROYAL_FLUSH),
]


def name(text: str) -> Hand | None:
    """Name a hand written rank first."""
    return name_hand(parse_cards(text))


def suit_last(text: str) -> str:
    """Turn the suit-first cards of the huvudregler into the usual order."""
    return " ".join(card[1:] + card[0] for card in text.split())


@pytest.mark.parametrize(("text", "hand"), NAMED)
def test_the_order_of_the_cards_does_not_matter(text: str, hand: Hand) -> None:
    """A hand is named alike in all 120 orders of its cards."""
    cards = parse_cards(suit_last(text))
    assert {name_hand(order) for order in itertools.permutations(cards)} == {hand}


@pytest.mark.parametrize("text", ["Ah Kd Qc Js 9d", "7h 5d 4c 3s 2d", "Ah Kh Qh Jh 9d"])
def test_no_combination(text: str) -> None:
    """Five cards without pair, straight or flush have no name."""
    assert name(text) is None


@pytest.mark.parametrize("text", ["Ah Kd Qc Js Td", "Ah 2d 3c 4s 5d", "2h 3d 4c 5s 6d"])
def test_the_ace_is_high_or_low_in_a_straight(text: str) -> None:
    """The ace tops A-K-Q-J-10 and is the one of A-2-3-4-5 (reading 17)."""
    assert name(text) is Hand.STRAIGHT


@pytest.mark.parametrize(
    ("unsuited", "suited"),
    [
        ("2h Ad Kc Qs Jd", "2h Ah Kh Qh Jh"),
        ("3h 2d Ac Ks Qd", "3h 2h Ah Kh Qh"),
        ("4h 3d 2c As Kd", "4h 3h 2h Ah Kh"),
    ],
)
def test_a_straight_does_not_go_round_the_ace(unsuited: str, suited: str) -> None:
    """Ranks that run past the ace are no straight."""
    assert name(unsuited) is None
    assert name(suited) is Hand.FLUSH


@pytest.mark.parametrize("suit", "shdc")
def test_the_lowest_straight_flush_has_a_low_ace(suit: str) -> None:
    """A-2-3-4-5 in one suit is a straight flush, not a royal flush."""
    assert name(f"A{suit} 2{suit} 3{suit} 4{suit} 5{suit}") is Hand.STRAIGHT_FLUSH


def test_a_royal_flush_in_hearts_has_its_own_name() -> None:
    """Only hearts make a royal_flush_hearts."""
    royals = [name(f"A{suit} K{suit} Q{suit} J{suit} T{suit}") for suit in "shdc"]
    expected = [Hand.ROYAL_FLUSH] * 4
    expected[1] = Hand.ROYAL_FLUSH_HEARTS
    assert royals == expected


def test_names_are_the_words_of_game_files() -> None:
    """The names, in rising order, are those that game files and house rules use."""
    assert " ".join(Hand) == (
        "pair two_pairs three_of_a_kind straight flush full_house four_of_a_kind"
        " straight_flush royal_flush royal_flush_hearts"
    )
