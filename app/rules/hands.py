"""Naming poker hands and finding the single best one."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal

import msgspec

from app.rules.codes import BadHand

Suit = Literal["s", "h", "d", "c"]

CARDS_IN_A_HAND = 5

_RANKS = {str(rank): rank for rank in range(2, 11)} | {
    "t": 10, "j": 11, "kn": 11, "q": 12, "d": 12, "k": 13, "a": 14, "e": 14,
}  # fmt: skip
_SUITS: dict[str, Suit] = {
    "s": "s", "h": "h", "d": "d", "c": "c", "♠": "s", "♥": "h", "♦": "d", "♣": "c",
}  # fmt: skip
_LETTERS = {11: "J", 12: "Q", 13: "K", 14: "A"}

_RANK = r"10|kn|[2-9tjqkade]"
_SUIT = r"[shdc♠♥♦♣]"
# A card, or any text in its place. Phone keyboards put an invisible variation selector
# after a suit symbol; without ASCII, look-alikes such as the Kelvin sign would pass for letters.
_PIECE = re.compile(
    rf"(?P<rank>{_RANK}) ?(?P<suit>{_SUIT})[\ufe0e\ufe0f]?"
    rf"|[^ ]+?(?= |$|(?:{_RANK}) ?{_SUIT})",
    re.IGNORECASE | re.ASCII,
)


class Card(msgspec.Struct, frozen=True):
    """One card; `rank` runs from 2 to 14, the ace."""

    rank: int
    suit: Suit

    def __str__(self) -> str:
        """Write the card as `parse_cards` reads it, such as `10h` or `Ks`."""
        return f"{_LETTERS.get(self.rank, self.rank)}{self.suit}"


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read one hand, such as `Ah Ad 9c 7s 2d`, in the order written.

    English and Swedish ranks, suit letters and suit symbols; case and spaces are free.
    Raises BadHand: `unreadable_card`, `not_five_cards` or `dealt_twice`.
    """
    cards = read_cards(text)
    check_five(cards)
    check_different(cards)
    return cards


def read_cards(text: str) -> tuple[Card, ...]:
    """Read any number of cards, as `parse_cards` does. Raises BadHand `unreadable_card`."""
    return tuple(_read_card(piece) for piece in _PIECE.finditer(" ".join(text.split())))


def check_five(cards: Sequence[Card], **about: object) -> None:
    """Raise BadHand `not_five_cards`, with its subject `about`, unless these are five cards."""
    if len(cards) != CARDS_IN_A_HAND:
        text = " ".join(str(card) for card in cards)
        raise BadHand("not_five_cards", count=len(cards), cards=text, **about)


def check_different(cards: Sequence[Card], **about: object) -> None:
    """Raise BadHand `dealt_twice`, with its subject `about`, if any card is there twice."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise BadHand("dealt_twice", card=str(card), **about)
        seen.add(card)


def _read_card(piece: re.Match[str]) -> Card:
    if piece["rank"] is None:
        raise BadHand("unreadable_card", card=piece.group())
    return Card(_RANKS[piece["rank"].lower()], _SUITS[piece["suit"].lower()])


Ties = Literal["kickers", "same_type", "suits", "suits_of_highest"]


class Hand(StrEnum):
    """The combinations that score, in rising order."""

    PAIR = "pair"
    TWO_PAIRS = "two_pairs"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"
    ROYAL_FLUSH_HEARTS = "royal_flush_hearts"


# The hands of every evening; the others are rare.
COMMON_HANDS = (
    Hand.PAIR,
    Hand.TWO_PAIRS,
    Hand.THREE_OF_A_KIND,
    Hand.STRAIGHT,
    Hand.FLUSH,
    Hand.FULL_HOUSE,
)


class ComparisonRules(msgspec.Struct, frozen=True):
    """A table's rules for comparing hands of the same type.

    `suit_order` holds the four suit letters, best first. `flush_suits` ranks straight and royal
    flushes of the same height by suit where `ties` is `kickers`.
    """

    ties: Ties
    suit_order: str
    flush_suits: bool | Literal["suit_first"]


class Decision(msgspec.Struct, frozen=True):
    """The card that decides between the best hand and the next of its type, by rank or suit."""

    card: Card
    by: Literal["rank", "suit"]


class Comparison(msgspec.Struct, frozen=True):
    """All hands at the table, compared.

    `best` is the player who scores, or None; `tied` the players equal at the top, if so.
    `decided_by` is None unless the runner-up has the same type of hand.
    """

    named: dict[str, Hand | None]
    best: str | None
    tied: tuple[str, ...]
    decided_by: Decision | None


class Strength(msgspec.Struct, frozen=True, order=True):
    """Strength of a hand under a tie rule; its fields compare in order, higher is better."""

    type: int
    suit_first: int
    ranks: tuple[int, ...]
    suit: int


_NOTHING = Strength(0, 0, (), 0)

_BY_COUNTS = {
    (1, 1, 1, 2): Hand.PAIR,
    (1, 2, 2): Hand.TWO_PAIRS,
    (1, 1, 3): Hand.THREE_OF_A_KIND,
    (2, 3): Hand.FULL_HOUSE,
    (1, 4): Hand.FOUR_OF_A_KIND,
}
_FIVE_HIGH = [2, 3, 4, 5, 14]
_ONE_SUIT_STRAIGHTS = {Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH, Hand.ROYAL_FLUSH_HEARTS}
_ONE_SUIT = {Hand.FLUSH, *_ONE_SUIT_STRAIGHTS}

# The two royal flushes are one type (reading 17).
_TYPES = {hand: number for number, hand in enumerate(Hand, start=1)} | {
    Hand.ROYAL_FLUSH_HEARTS: list(Hand).index(Hand.ROYAL_FLUSH) + 1
}


def name_hand(cards: tuple[Card, ...]) -> Hand | None:
    """Name the combination in five different cards, or None when there is none."""
    ranks = [card.rank for card in cards]
    different = set(ranks)
    if len(different) == CARDS_IN_A_HAND:
        return _name_unpaired(cards, sorted(ranks))
    return _BY_COUNTS[tuple(sorted([ranks.count(rank) for rank in different]))]


def _name_unpaired(cards: tuple[Card, ...], ranks: list[int]) -> Hand | None:
    """Name five cards of different rank, given their ranks in rising order."""
    straight = ranks[-1] - ranks[0] == CARDS_IN_A_HAND - 1 or ranks == _FIVE_HIGH
    suits = {card.suit for card in cards}
    if len(suits) > 1:
        return Hand.STRAIGHT if straight else None
    if not straight:
        return Hand.FLUSH
    if ranks[0] != 10:
        return Hand.STRAIGHT_FLUSH
    return Hand.ROYAL_FLUSH_HEARTS if "h" in suits else Hand.ROYAL_FLUSH


def strength(cards: tuple[Card, ...], how: ComparisonRules) -> Strength:
    """Measure a hand under the table's tie rule (reading 17); equal strengths score nobody."""
    hand = name_hand(cards)
    if hand is None:
        return _NOTHING
    if how.ties == "same_type":
        return Strength(_TYPES[hand], 0, (), 0)
    ranks, suit = _comparing_ranks(cards), _suit_value(_suit_card(cards, how), how)
    if how.flush_suits == "suit_first" and hand in _ONE_SUIT:
        return Strength(_TYPES[hand], suit, ranks, 0)
    # It decides between hands that are otherwise exactly equal.
    counts = how.ties != "kickers" or (how.flush_suits and hand in _ONE_SUIT_STRAIGHTS)
    return Strength(_TYPES[hand], 0, ranks, suit if counts else 0)


def compare_hands(hands: Mapping[str, tuple[Card, ...]], how: ComparisonRules) -> Comparison:
    """Name every player's hand and find the single best one.

    Raises BadHand, with the `player` it is about: `not_five_cards` or `dealt_twice`.
    """
    dealt: list[Card] = []
    for player, cards in hands.items():
        check_five(cards, player=player)
        dealt += cards
        check_different(dealt, player=player)
    strengths = {player: strength(cards, how) for player, cards in hands.items()}
    top = max(strengths.values(), default=_NOTHING)
    # Nobody holds a hand without combination.
    leaders = tuple(each for each in hands if strengths[each] == top != _NOTHING)
    best = leaders[0] if len(leaders) == 1 else None
    return Comparison(
        named={player: name_hand(cards) for player, cards in hands.items()},
        best=best,
        tied=leaders if best is None else (),
        decided_by=None if best is None else _decision(hands[best], top, strengths, how),
    )


def _comparing_ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the ranks as they are compared: most alike first, then the highest.

    The ace counts as 1 in A-2-3-4-5 only.
    """
    ranks = sorted(card.rank for card in cards)
    if ranks == _FIVE_HIGH:
        return (5, 4, 3, 2, 1)
    return tuple(sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True))


def _suit_card(cards: tuple[Card, ...], how: ComparisonRules) -> Card:
    """Return the card whose suit decides between exactly equal hands (reading 17).

    The rank compared first names the hand: the higher pair, the straight's top card.
    """
    ranks = _comparing_ranks(cards)
    rank = max(ranks) if how.ties == "suits_of_highest" else ranks[0]
    return _best_suited(cards, rank, how)


def _best_suited(cards: tuple[Card, ...], rank: int, how: ComparisonRules) -> Card:
    of_rank = [card for card in cards if card.rank == rank]
    return max(of_rank, key=lambda card: _suit_value(card, how))


def _suit_value(card: Card, how: ComparisonRules) -> int:
    """Return 4 for the best suit down to 1, so that 0 can stand for a suit that does not count."""
    return len(how.suit_order) - how.suit_order.index(card.suit)


def _decision(
    winner: tuple[Card, ...], top: Strength, strengths: Mapping[str, Strength], how: ComparisonRules
) -> Decision | None:
    """Find the card that lifts the winner's hand, the `top`, above the next of the same type."""
    next_best = max((held for held in strengths.values() if held != top), default=_NOTHING)
    if next_best.type != top.type:
        return None
    if top.suit_first != next_best.suit_first:
        return Decision(_suit_card(winner, how), "suit")
    for own, other in zip(top.ranks, next_best.ranks, strict=True):
        if own != other:
            return Decision(_best_suited(winner, own, how), "rank")
    return Decision(_suit_card(winner, how), "suit")
