"""Cards as people see them: drawn as rank and suit, and called by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from app.i18n.language import N_, Language
from app.rules.cards import Card, Suit

RANKS: Final = tuple(range(14, 1, -1))

_SYMBOLS: Mapping[Suit, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SUITS: Mapping[Suit, str] = {
    "s": N_("spades"),
    "h": N_("hearts"),
    "d": N_("diamonds"),
    "c": N_("clubs"),
}
_COURT: Mapping[int, str] = {14: N_("ace"), 13: N_("king"), 12: N_("queen"), 11: N_("jack")}
_THE: Mapping[int, str] = {
    14: N_("the ace"),
    13: N_("the king"),
    12: N_("the queen"),
    11: N_("the jack"),
    10: N_("the ten"),
    9: N_("the nine"),
    8: N_("the eight"),
    7: N_("the seven"),
    6: N_("the six"),
    5: N_("the five"),
    4: N_("the four"),
    3: N_("the three"),
    2: N_("the two"),
}


class Face(msgspec.Struct, frozen=True):
    """A card as it is drawn: its `code` as forms carry it, its rank, its suit, its name."""

    code: str
    rank: str
    suit: Suit
    name: str


def face(card: Card, language: Language) -> Face:
    """Draw a card with the letters that players of the language write."""
    return Face(str(card), _letter(card.rank, language), card.suit, card_name(card, language))


def card_name(card: Card, language: Language) -> str:
    """A card within a sentence: `hjärter kung`, `ruter 10`."""
    rank = language.gettext(_COURT[card.rank]) if card.rank in _COURT else str(card.rank)
    suit = language.gettext(_SUITS[card.suit])
    return language.gettext("%(rank)s of %(suit)s", rank=rank, suit=suit)


def the_rank(card: Card, language: Language) -> str:
    """A card by its rank alone: `kungen`."""
    return language.gettext(_THE[card.rank])


def type_cards(cards: Iterable[Card], language: Language) -> str:
    """Cards as a person of the language would type them, for `parse_cards` to read."""
    return " ".join(f"{_letter(card.rank, language)}{_SYMBOLS[card.suit]}" for card in cards)


def sort_hand(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Cards as a player sorts a hand: most alike first, then the highest."""
    held = tuple(cards)
    ranks = [card.rank for card in held]
    return tuple(sorted(held, key=lambda card: (-ranks.count(card.rank), -card.rank, card.suit)))


def _letter(rank: int, language: Language) -> str:
    court = dict(zip((11, 12, 13, 14), language.gettext("J Q K A").split(), strict=True))
    return court.get(rank, str(rank))
