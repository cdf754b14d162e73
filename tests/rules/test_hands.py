"""Names of hands: the combination in five cards, and counts over the whole pack."""

import itertools
import math
from collections import Counter

from app.rules.hands import Card, ComparisonRules, Hand, Suit, name_hand, parse_cards, strength
from tests.rules.test_cards import SUITS
from tests.told import told

RANKS = range(2, 15)
# All possible ranks of five cards: each rank has only four cards.
DIFFERENT_RANKS = [
    ranks for ranks in itertools.combinations_with_replacement(RANKS, 5) if len(set(ranks)) > 1
]


@told
def test_the_order_of_the_cards_does_not_matter(text: str, hand: Hand | None) -> None:
    """A hand has the same name in all 120 orders of its cards."""
    assert {name_hand(order) for order in itertools.permutations(parse_cards(text))} == {hand}


def test_names_are_the_words_of_game_files() -> None:
    """The names, in rising order, are those in game files and house rules."""
    assert " ".join(Hand) == (
        "pair two_pairs three_of_a_kind straight flush full_house four_of_a_kind"
        " straight_flush royal_flush royal_flush_hearts"
    )


def ways(ranks: tuple[int, ...]) -> int:
    """Return the number of deals of cards with these ranks, without those in one suit."""
    of_each = [math.comb(len(SUITS), ranks.count(rank)) for rank in set(ranks)]
    return math.prod(of_each) - len(SUITS) * (len(of_each) == len(ranks))


def test_every_hand_of_the_pack_is_named_as_often_as_it_occurs() -> None:
    """The names of all 2 598 960 hands, grouped by rank, have the known counts."""
    found = Counter[Hand | None]()
    for ranks in DIFFERENT_RANKS:
        found[name_hand(_nearly_one_suit(ranks))] += ways(ranks)
    for suit, ranks in itertools.product(SUITS, itertools.combinations(RANKS, 5)):
        found[name_hand(_of_suit(ranks, suit))] += 1
    counts = (1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 3, 1)
    assert found.pop(None) == 1_302_540
    assert found == dict(zip(Hand, counts, strict=True))


def test_every_scoring_hand_has_one_of_6185_strengths_without_suits() -> None:
    """Without suits there are as many different hands as in poker, for each type."""
    kickers = ComparisonRules("kickers", "hsdc", flush_suits=False)
    hands = [*map(_nearly_one_suit, DIFFERENT_RANKS)]
    hands += [_of_suit(ranks, "s") for ranks in itertools.combinations(RANKS, 5)]
    strengths = {strength(cards, kickers) for cards in hands if name_hand(cards)}
    types = Counter(strength.type for strength in strengths)
    assert [types[kind] for kind in sorted(types)] == [2_860, 858, 858, 10, 1_277, 156, 156, 9, 1]


def _of_suit(ranks: tuple[int, ...], suit: Suit) -> tuple[Card, ...]:
    return tuple(Card(rank, suit) for rank in ranks)


def _nearly_one_suit(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    return (*_of_suit(ranks[:4], "h"), Card(ranks[4], "s"))
