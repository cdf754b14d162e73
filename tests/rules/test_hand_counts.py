"""All hands of the pack, counted."""

import itertools
import math
from collections import Counter

from app.rules.cards import Card, Suit
from app.rules.hands import ComparisonRules, Hand, name_hand, strength

SUITS: tuple[Suit, ...] = ("s", "h", "d", "c")
RANKS = range(2, 15)
NEARLY_ONE_SUIT: tuple[Suit, ...] = ("h", "h", "h", "h", "s")
ONE_SUIT: tuple[Suit, ...] = ("s",) * 5
# Whatever five cards can have for ranks: there are only four of each.
DIFFERENT_RANKS = [
    ranks for ranks in itertools.combinations_with_replacement(RANKS, 5) if len(set(ranks)) > 1
]


def dealt(ranks: tuple[int, ...], suits: tuple[Suit, ...]) -> tuple[Card, ...]:
    """Give each rank the suit in the same place."""
    return tuple(Card(rank, suit) for rank, suit in zip(ranks, suits, strict=True))


def ways(ranks: tuple[int, ...]) -> int:
    """Return in how many ways the cards of these ranks can be dealt, but for all in one suit."""
    of_each = [math.comb(len(SUITS), ranks.count(rank)) for rank in set(ranks)]
    return math.prod(of_each) - len(SUITS) * (len(of_each) == len(ranks))


def test_every_hand_of_the_pack_is_named_as_often_as_it_occurs() -> None:
    """Naming all 2 598 960 hands, each but for its suits, gives the known number of each."""
    found = Counter[Hand | None]()
    for ranks in DIFFERENT_RANKS:
        found[name_hand(dealt(ranks, NEARLY_ONE_SUIT))] += ways(ranks)
    for suit, ranks in itertools.product(SUITS, itertools.combinations(RANKS, 5)):
        found[name_hand(dealt(ranks, (suit,) * 5))] += 1
    assert found == {
        Hand.ROYAL_FLUSH_HEARTS: 1,
        Hand.ROYAL_FLUSH: 3,
        Hand.STRAIGHT_FLUSH: 36,
        Hand.FOUR_OF_A_KIND: 624,
        Hand.FULL_HOUSE: 3_744,
        Hand.FLUSH: 5_108,
        Hand.STRAIGHT: 10_200,
        Hand.THREE_OF_A_KIND: 54_912,
        Hand.TWO_PAIRS: 123_552,
        Hand.PAIR: 1_098_240,
        None: 1_302_540,
    }


def test_every_scoring_hand_has_one_of_6185_strengths_without_suits() -> None:
    """Where suits do not count there are as many different hands as in poker, per type."""
    kickers = ComparisonRules("kickers", "hsdc", flush_suits=False)
    mixed = [dealt(ranks, NEARLY_ONE_SUIT) for ranks in DIFFERENT_RANKS]
    suited = [dealt(ranks, ONE_SUIT) for ranks in itertools.combinations(RANKS, 5)]
    strengths = {strength(cards, kickers) for cards in mixed + suited if name_hand(cards)}
    types = sorted(strength.type for strength in strengths)
    counts = [len(list(same)) for _, same in itertools.groupby(types)]
    assert counts == [2_860, 858, 858, 10, 1_277, 156, 156, 9, 1]
    assert len(strengths) == 6_185
