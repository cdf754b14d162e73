"""The single best hand at the table, under each tie rule (reading 17)."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.codes import BadHand
from app.rules.hands import (
    Card,
    ComparisonRules,
    Suit,
    Ties,
    compare_hands,
    name_hand,
    parse_cards,
    strength,
)
from tests.rules.table import cases
from tests.rules.test_cards import DECK, SUITS
from tests.told import read_tables, told

Cards = tuple[Card, ...]

# Few ranks make combinations, straights and exactly equal hands common.
SHORT_DECK = [card for card in DECK if card.rank in {2, 3, 4, 5, 14}]

KICKERS = ComparisonRules("kickers", "hsdc", flush_suits=False)
FLUSH_SUITS = ComparisonRules("kickers", "hsdc", flush_suits=True)
SAME_TYPE = ComparisonRules("same_type", "hsdc", flush_suits=True)
BY_SUITS = ComparisonRules("suits", "hsdc", flush_suits=False)
BY_HIGHEST = ComparisonRules("suits_of_highest", "hdsc", flush_suits=False)
HOW = {
    "KICKERS": KICKERS,
    "FLUSH_SUITS": FLUSH_SUITS,
    "BY_SUITS": BY_SUITS,
    "BY_HIGHEST": BY_HIGHEST,
}
BY_RANK_FIRST = (KICKERS, FLUSH_SUITS, BY_SUITS, BY_HIGHEST)

HOWS = st.builds(
    ComparisonRules,
    ties=st.sampled_from(get_args(Ties)),
    suit_order=st.permutations(SUITS).map("".join),
    flush_suits=st.sampled_from([False, True, "suit_first"]),
)


def split(cards: Sequence[Card]) -> dict[str, Cards]:
    """Deal five cards each to Anna, Bo and Cilla."""
    return {name: tuple(cards[i : i + 5]) for name, i in (("Anna", 0), ("Bo", 5), ("Cilla", 10))}


def deals_from(deck: Sequence[Card]) -> st.SearchStrategy[dict[str, Cards]]:
    """Draw three hands from one deck."""
    return st.lists(st.sampled_from(deck), min_size=15, max_size=15, unique=True).map(split)


DEALS = deals_from(DECK) | deals_from(SHORT_DECK)


def deal(*texts: str) -> dict[str, Cards]:
    """Return the written hands for Anna, Bo and Cilla, in that order."""
    return {
        name: parse_cards(text) for name, text in zip(("Anna", "Bo", "Cilla"), texts, strict=False)
    }


def best_of(hands: Mapping[str, Cards], how: ComparisonRules) -> str | None:
    """Return the player with the single best hand, or None when nobody scores."""
    return compare_hands(hands, how).best


def pairwise(hands: Mapping[str, Cards], one: str, other: str, how: ComparisonRules) -> str | None:
    """Return the better of two players' hands."""
    return best_of({one: hands[one], other: hands[other]}, how)


IN_RISING_ORDER = read_tables(__file__)["in rising order"]


def test_a_better_type_wins_whatever_its_cards() -> None:
    """A higher type beats a lower one, and within a type the higher rank wins."""
    for how in BY_RANK_FIRST:
        strengths = [strength(parse_cards(text), how) for text in IN_RISING_ORDER]
        assert strengths == sorted(set(strengths))


@told
def test_hands_alike_in_every_rank(
    one: str, other: str, flush_suits: str | None, suits: str, highest: str
) -> None:
    """They are equal, unless the best suit of the naming or of the highest cards decides."""
    hands = deal(one, other)
    compared = compare_hands(hands, KICKERS)
    assert (compared.best, compared.tied) == (None, ("Anna", "Bo"))
    assert best_of(hands, FLUSH_SUITS) == flush_suits
    assert (best_of(hands, BY_SUITS), best_of(hands, BY_HIGHEST)) == (suits, highest)


def test_the_same_type_scores_nobody_where_the_table_says_so() -> None:
    """same_type applies to every type, and overrides flush_suits."""
    for one, other in product(map(parse_cards, IN_RISING_ORDER), repeat=2):
        equal = strength(one, SAME_TYPE) == strength(other, SAME_TYPE)
        assert equal == (name_hand(one) == name_hand(other))


SUIT_FIRST = ComparisonRules("kickers", "hdsc", flush_suits="suit_first")


@told
def test_the_suit_goes_before_the_height_where_the_table_says_so(
    one: str, other: str, best: str | None, of_one_type: str | None
) -> None:
    """Of two flushes the better suit wins, in one suit the higher; other hands ask no suit.

    Where one type scores nobody, no suit is asked either (reading 34).
    """
    assert best_of(deal(one, other), SUIT_FIRST) == best
    same_type = ComparisonRules("same_type", "hdsc", flush_suits="suit_first")
    assert best_of(deal(one, other), same_type) == of_one_type


@cases("ties", get_args(Ties))
def test_nobody_scores_without_a_combination(ties: Ties) -> None:
    """High cards never score, alone or against each other, and are not tied."""
    how = ComparisonRules(ties, "hsdc", flush_suits=True)
    compared = compare_hands(deal("Ah Kd Qc Js 9d", "7h 5d 4c 3s 2d"), how)
    assert (compared.best, compared.tied, compared.decided_by) == (None, (), None)
    assert best_of(deal("Ah Kd Qc Js 9d"), how) is None
    assert best_of({}, how) is None


def test_only_the_best_hands_are_tied() -> None:
    """Under kickers a third, worse hand of the same type is not among the tied."""
    hands = deal("9h 9d Kc Js 2d", "9s 9c Kd Jc 2s", "8h 8d 3c 4s 6d")
    assert compare_hands(hands, KICKERS).tied == ("Anna", "Bo")
    assert compare_hands(hands, SAME_TYPE).tied == ("Anna", "Bo", "Cilla")


@told
def test_the_deciding_card_is_told(
    texts: list[str], how: str, best: str, told: list[str] | None
) -> None:
    """Of the two best hands of a type the winner's deciding card is named, with rank or suit."""
    compared = compare_hands(deal(*texts), HOW[how])
    card = compared.decided_by
    assert (compared.best, card and [str(card.card), card.by]) == (best, told)


def test_a_card_dealt_to_two_players_is_refused() -> None:
    """The error names the card and the second player who has it."""
    with pytest.raises(BadHand) as caught:
        best_of(deal("Ah Ad 9c 7s 2d", "Kh Kd 8c 7s 3d"), KICKERS)
    assert caught.value.code == "dealt_twice"
    assert caught.value.values == {"card": "7s", "player": "Bo"}


def test_a_hand_that_is_not_five_cards_is_refused() -> None:
    """The error names the player, the cards and their number."""
    few = parse_cards("Ah Ad 9c 7s 2d")[:4]
    with pytest.raises(BadHand) as caught:
        best_of({"Anna": few}, KICKERS)
    assert caught.value.code == "not_five_cards"
    assert caught.value.values == {"count": 4, "cards": "Ah Ad 9c 7s", "player": "Anna"}


@given(DEALS, HOWS)
def test_the_best_hand_beats_every_other(hands: dict[str, Cards], how: ComparisonRules) -> None:
    """The best of three hands beats each of the others alone."""
    champions = [
        one
        for one in hands
        if all(pairwise(hands, one, other, how) == one for other in hands if other != one)
    ]
    best = best_of(hands, how)
    assert champions == ([] if best is None else [best])


@given(DEALS, HOWS, st.data())
def test_the_order_of_players_and_cards_does_not_matter(
    hands: dict[str, Cards], how: ComparisonRules, data: st.DataObject
) -> None:
    """The same cards give the same result in any order of players and cards."""
    shuffled = {
        name: tuple(data.draw(st.permutations(hands[name])))
        for name in data.draw(st.permutations(list(hands)))
    }
    one, other = compare_hands(hands, how), compare_hands(shuffled, how)
    assert (one.named, one.best, one.decided_by) == (other.named, other.best, other.decided_by)
    assert set(one.tied) == set(other.tied)


@given(DEALS, st.sampled_from(["suits", "suits_of_highest"]), st.permutations(SUITS))
def test_suits_leave_no_hands_equal(hands: dict[str, Cards], ties: Ties, order: list[Suit]) -> None:
    """With suits to decide, somebody scores whenever anybody has a combination."""
    how = ComparisonRules(ties, "".join(order), flush_suits=False)
    anyone = any(name_hand(cards) for cards in hands.values())
    assert (best_of(hands, how) is not None) == anyone
