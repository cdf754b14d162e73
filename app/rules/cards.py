"""Playing cards, and reading them as players write them."""

import re
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from app.rules.errors import BadHand

Suit = Literal["s", "h", "d", "c"]

CARDS_IN_A_HAND: Final = 5

_RANKS: Final = {str(rank): rank for rank in range(2, 11)} | {
    "t": 10, "j": 11, "kn": 11, "q": 12, "d": 12, "k": 13, "a": 14, "e": 14,
}  # fmt: skip
_SUITS: Final[dict[str, Suit]] = {
    "s": "s", "h": "h", "d": "d", "c": "c", "♠": "s", "♥": "h", "♦": "d", "♣": "c",
}  # fmt: skip
_LETTERS: Final = {11: "J", 12: "Q", 13: "K", 14: "A"}

_RANK: Final = r"10|kn|[2-9tjqkade]"
_SUIT: Final = r"[shdc♠♥♦♣]"
# A card, or any text in its place. Phone keyboards put an invisible variation selector
# after a suit symbol; without ASCII, look-alikes such as the Kelvin sign would pass for letters.
_PIECE: Final = re.compile(
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
