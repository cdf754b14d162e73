"""How the house rules decide which of several hands is the best."""

import pytest

from app.rules.cards import parse_cards
from app.rules.hands import ComparisonRules
from app.rules.presets import read_rules
from tests.rules.comparing import best_of


def best_under(anna: str, bo: str, **rules: object) -> str | None:
    """Name the player with the single best hand under these house rules."""
    _, agreed = read_rules({"preset": "pagat", **rules})
    how = ComparisonRules(agreed.ties, agreed.suit_order, agreed.flush_suits)
    return best_of({"Anna": parse_cards(anna), "Bo": parse_cards(bo)}, how)


NINE_KICKS, EIGHT_KICKS = "Ah Ad 9c 7s 2d", "As Ac 8c 7h 2h"
ACES, EQUAL_ACES = "Ah Ad 9c 7s 2d", "As Ac 9h 7h 2h"
NINES_ACE_OF_CLUBS, NINES_ACE_OF_SPADES = "9h 9d Ac 7s 2d", "9s 9c As 7h 2h"
FLUSH_IN_HEARTS, FLUSH_IN_SPADES = "5h 6h 7h 8h 9h", "5s 6s 7s 8s 9s"
ROYAL_IN_HEARTS, ROYAL_IN_SPADES = "Th Jh Qh Kh Ah", "Ts Js Qs Ks As"


@pytest.mark.rule("ties", "kickers")
def test_kickers_decide_between_equal_pairs() -> None:
    """With `ties` kickers the odd cards are compared, and exactly equal hands score nobody."""
    assert best_under(NINE_KICKS, EIGHT_KICKS, ties="kickers") == "Anna"
    assert best_under(ACES, EQUAL_ACES, ties="kickers") is None


@pytest.mark.rule("ties", "same_type")
@pytest.mark.reading(17)
def test_two_hands_of_the_same_type_score_nobody() -> None:
    """Reading 17: `ties` same_type holds for every type, whatever `flush_suits` says."""
    assert best_under(ACES, "2s 2c 9h 7h 3h", ties="same_type") is None
    rules = {"ties": "same_type", "flush_suits": True}
    assert best_under(FLUSH_IN_HEARTS, "4s 5s 6s 7s 8s", **rules) is None


@pytest.mark.rule("ties", "suits")
@pytest.mark.reading(17)
def test_suits_of_the_cards_that_name_the_hand_decide() -> None:
    """Reading 17: with `ties` suits the best suit within the pair itself decides."""
    rules = {"ties": "suits", "suit_order": "hsdc"}
    assert best_under(ACES, EQUAL_ACES, **rules) == "Anna"
    assert best_under(NINES_ACE_OF_CLUBS, NINES_ACE_OF_SPADES, **rules) == "Anna"


@pytest.mark.rule("ties", "suits_of_highest")
@pytest.mark.reading(17)
def test_suits_of_the_highest_card_decide() -> None:
    """Reading 17: with `ties` suits_of_highest the suit of the hand's highest card decides."""
    rules = {"ties": "suits_of_highest", "suit_order": "hsdc"}
    assert best_under(NINES_ACE_OF_CLUBS, NINES_ACE_OF_SPADES, **rules) == "Bo"


@pytest.mark.rule("suit_order")
def test_the_suit_order_names_the_best_suit_first() -> None:
    """`suit_order` says which suit is the best: hearts, or spades, for the same two hands."""
    assert best_under(ACES, EQUAL_ACES, ties="suits", suit_order="hsdc") == "Anna"
    assert best_under(ACES, EQUAL_ACES, ties="suits", suit_order="shdc") == "Bo"


@pytest.mark.rule("flush_suits", True)
def test_suits_may_decide_between_equal_straight_flushes() -> None:
    """With `flush_suits` straight flushes of the same height go by suit, under kickers too."""
    rules = {"ties": "kickers", "flush_suits": True, "suit_order": "hsdc"}
    assert best_under(FLUSH_IN_HEARTS, FLUSH_IN_SPADES, **rules) == "Anna"
    assert best_under(ROYAL_IN_SPADES, ROYAL_IN_HEARTS, **rules) == "Bo"
    assert best_under(ACES, EQUAL_ACES, **rules) is None


@pytest.mark.rule("flush_suits", False)
@pytest.mark.reading(17)
def test_equal_straight_flushes_score_nobody() -> None:
    """Reading 17: without `flush_suits` the royal flush in hearts is no better than another."""
    assert best_under(FLUSH_IN_HEARTS, FLUSH_IN_SPADES, flush_suits=False) is None
    assert best_under(ROYAL_IN_HEARTS, ROYAL_IN_SPADES, flush_suits=False) is None


@pytest.mark.reading(17)
def test_the_ace_is_low_only_below_the_two() -> None:
    """Reading 17: A-2-3-4-5 is the lowest straight, and its suit is that of the five."""
    assert best_under("Ah 2d 3c 4s 5d", "2h 3d 4d 5s 6c") == "Bo"
    rules = {"ties": "suits", "suit_order": "hsdc"}
    assert best_under("Ah 2d 3c 4s 5c", "As 2h 3d 4d 5h", **rules) == "Bo"
