"""Hands and cards in words: names and letters, and the result of a comparison of hands."""

from collections.abc import Mapping

from app.i18n.language import N_, Language, Translated
from app.rules.hands import Card, Comparison, Hand, Suit, Ties

HAND_LABELS: Translated[Hand, str] = {
    Hand.PAIR: "Pair",
    Hand.TWO_PAIRS: "Two pairs",
    Hand.THREE_OF_A_KIND: "Three of a kind",
    Hand.STRAIGHT: "Straight",
    Hand.FLUSH: "Flush",
    Hand.FULL_HOUSE: "Full house",
    Hand.FOUR_OF_A_KIND: "Four of a kind",
    Hand.STRAIGHT_FLUSH: "Straight flush",
    Hand.ROYAL_FLUSH: "Royal flush",
    Hand.ROYAL_FLUSH_HEARTS: "Royal flush in hearts",
}
SUIT_SIGNS: Mapping[str, str] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SUIT_NAMES: Translated[Suit, str] = {
    "s": "spades",
    "h": "hearts",
    "d": "diamonds",
    "c": "clubs",
}
_COURT: Translated[int, str] = {14: "ace", 13: "king", 12: "queen", 11: "jack"}
_THE: Translated[int, str] = {
    14: "the ace",
    13: "the king",
    12: "the queen",
    11: "the jack",
    10: "the ten",
    9: "the nine",
    8: "the eight",
    7: "the seven",
    6: "the six",
    5: "the five",
    4: "the four",
    3: "the three",
    2: "the two",
}


# Under the other tie rules no two hands with a combination are equal (reading 17).
EACH_SCORES = N_("%(players)s are equal with %(hand)s: each of them scores.")
_EQUAL: Translated[Ties, str] = {
    "kickers": (
        "%(players)s are equal card for card, and suits do not decide here: nobody scores."
    ),
    "same_type": (
        "%(players)s are equal with %(hand)s, which scores for nobody here,"
        " whatever the other cards."
    ),
}


def suit_signs(order: str) -> str:
    """The suits in an order, as signs."""
    return " ".join(SUIT_SIGNS[suit] for suit in order)


def hand_label(hand: Hand, language: Language) -> str:
    """A hand's name as a heading."""
    return language.gettext(HAND_LABELS[hand])


def hand_name(hand: Hand, language: Language) -> str:
    """A hand's name within a sentence."""
    label = hand_label(hand, language)
    return label[0].lower() + label[1:]


def rank_letter(rank: int, language: Language) -> str:
    """A rank as players of the language write it: `Kn`, `10`."""
    court = dict(zip((11, 12, 13, 14), language.gettext("J Q K A").split(), strict=True))
    return court.get(rank, str(rank))


def write_card(card: Card, language: Language) -> str:
    """A card as a person of the language would type it, for `parse_cards` to read: `Kn♥`."""
    return f"{rank_letter(card.rank, language)}{SUIT_SIGNS[card.suit]}"


def card_name(card: Card, language: Language) -> str:
    """A card within a sentence: `hjärter kung`, `ruter 10`; `herttakuningas`."""
    suit = language.gettext(_SUIT_NAMES[card.suit])
    if card.rank not in _COURT:
        return language.gettext("%(number)s of %(suit)s", number=card.rank, suit=suit)
    rank = language.gettext(_COURT[card.rank])
    return language.gettext("%(rank)s of %(suit)s", rank=rank, suit=suit)


def combination_text(hand: Hand | None, language: Language) -> str:
    """A combination of five cards as a heading; None for nothing that scores."""
    return hand_label(hand, language) if hand else language.gettext("no combination")


def verdict_text(result: Comparison, ties: Ties, equal: bool = False, *, language: Language) -> str:
    """The winner and the deciding card, or why nobody scores, in one sentence.

    `equal`: equal best hands score.
    """
    _ = language.gettext
    if result.best is not None:
        return _win_text(result, result.best, language)
    if not result.tied:
        return _("Nobody has a combination: nobody scores.")
    hand = result.named[result.tied[0]]
    players = language.names(result.tied)
    name = hand_name(hand, language) if hand else ""
    return language.gettext(EACH_SCORES if equal else _EQUAL[ties]) % {
        "players": players,
        "hand": name,
    }


def _win_text(result: Comparison, best: str, language: Language) -> str:
    _, decision, best = language.gettext, result.decided_by, language.name(best)
    if decision is not None and decision.by == "rank":
        rank = language.gettext(_THE[decision.card.rank])
        return _("%(player)s wins: %(card)s decides.", player=best, card=rank)
    if decision is not None:
        card = card_name(decision.card, language)
        return _("%(player)s wins: the suit decides, %(card)s.", player=best, card=card)
    hand, *others = sorted(filter(None, result.named.values()), key=list(Hand).index, reverse=True)
    if not others:
        return _("%(player)s wins: nobody else has a combination.", player=best)
    values = {"hand": hand_name(hand, language), "other": hand_name(others[0], language)}
    return _("%(player)s wins: %(hand)s beats %(other)s.", player=best, **values)
