"""Hands typed by a person: read, compared under a tie rule, and the outcome in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from app.cli.terminal import bold, faint, paint, short_names, table
from app.i18n.cards import combination_text, write_card
from app.i18n.errors import error_text
from app.i18n.language import Language
from app.rules.cards import Card, parse_cards
from app.rules.errors import BadFile, BadHand, ChicagoError
from app.rules.hands import Comparison, ComparisonRules
from app.rules.names import read_name
from app.rules.presets import read_rules

COMPARE = "chicago-compare/1"
_NAME_ROOM = 24

DealtHands = Mapping[str, tuple[Card, ...]]


def read_comparison_rules(**rules: object) -> ComparisonRules:
    """The tie rule of a rule set (`preset`), with what was asked for instead (not None).

    Raises BadFile for an unknown rule set and for a value a rule cannot have.
    """
    _, house = read_rules({rule: value for rule, value in rules.items() if value is not None})
    return ComparisonRules(house.ties, house.suit_order, house.flush_suits)


def read_hands(texts: Iterable[str]) -> dict[str, tuple[Card, ...]]:
    """Read hands written as `Anna: Ah Ad 9c 7s 2d`.

    Raises BadFile for a name that is missing, bad or given twice, and BadHand, with the `player`
    it is about, for the cards.
    """
    hands: dict[str, tuple[Card, ...]] = {}
    for text in texts:
        name, cards = _read_hand(text)
        if name in hands:
            raise BadFile("name_twice", player=name)
        hands[name] = cards
    return hands


def _read_hand(text: str) -> tuple[str, tuple[Card, ...]]:
    before, colon, cards = text.partition(":")
    if not colon or not before.strip():
        raise BadFile("hand_without_name", value=text)
    name = read_name(before)
    try:
        return name, parse_cards(cards)
    except BadHand as error:
        error.values["player"] = name
        raise


def describe_fault(error: ChicagoError, language: Language) -> str:
    """What is wrong, in one sentence; before it whose hand it is about."""
    text = error_text(error, language)
    return f"{error.values['player']}: {text}" if isinstance(error, BadHand) else text


def write_comparison(result: Comparison) -> dict[str, object]:
    """Write a comparison as `chicago-compare/1`."""
    hands = {name: hand and str(hand) for name, hand in result.named.items()}
    return {"format": COMPARE, "hands": hands, "best": result.best}


def comparison_lines(hands: DealtHands, result: Comparison, language: Language) -> Iterator[str]:
    """Every hand and its name, the best one marked, and what made it the best."""
    names = short_names(list(hands), _NAME_ROOM)
    rows = [
        [
            names[name],
            *(write_card(card, language) for card in cards),
            combination_text(result.named[name], language),
        ]
        for name, cards in hands.items()
    ]
    for name, line in zip(hands, table(rows, "lrrrrrl"), strict=True):
        yield bold(paint(line, "green")) if name == result.best else line
    yield ""
    yield from _verdict(result, language)


def _verdict(result: Comparison, language: Language) -> Iterator[str]:
    _ = language.gettext
    if result.best is not None:
        yield bold(_("%(player)s has the best hand.", player=result.best))
    elif result.tied:
        players = language.listing(result.tied)
        yield bold(_("%(players)s are equal: nobody scores.", players=players))
    else:
        yield bold(_("Nobody has a combination: nobody scores."))
    if result.decided_by is not None:
        card = write_card(result.decided_by.card, language)
        by_rank = result.decided_by.by == "rank"
        yield faint(_("%(card)s decides.") if by_rank else _("The suit decides: %(card)s.")) % {
            "card": card
        }
