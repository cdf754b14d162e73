"""The command `flask compare`: names hands, and finds the single best one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

import click

from app.cli.output import (
    ENGLISH,
    MISUSED,
    add_common_options,
    complain,
    print_json,
    print_lines,
    start_command,
)
from app.cli.output import gettext as _
from app.i18n.cards import combination_text, verdict_text, write_card
from app.i18n.errors import error_text
from app.i18n.language import Language
from app.rules.cards import Card, parse_cards
from app.rules.errors import BadFile, BadHand, ChicagoError
from app.rules.hands import Comparison, ComparisonRules, Ties, compare_hands
from app.rules.names import read_name
from app.rules.presets import PRESETS, read_rules

COMPARE = "chicago-compare/1"
Hands = Mapping[str, tuple[Card, ...]]


@click.command(
    help=_("""\
Name poker hands and find the single best one.

HAND is a name, a colon and five cards, as in "Anna: Ah Ad 9c 7s 2d". A card is its rank (2-10, T, \
J or Kn, Q or D, K, A or E) and its suit (s, h, d, c); case and spaces are free.

Exit status: 0 where they were compared, 2 for wrong use or cards that cannot be a hand.
""")
)
@add_common_options
@click.option(
    "--rules",
    "preset",
    metavar="|".join(PRESETS),
    help=_("The rule set whose tie rule holds; left out, huvudregler."),
)
@click.option(
    "--ties", metavar="|".join(get_args(Ties)), help=_("How equal combinations are decided.")
)
@click.option(
    "--suit-order", metavar="hsdc", help=_("The four suit letters, best first, such as hsdc.")
)
@click.option(
    "--flush-suits/--no-flush-suits",
    default=None,
    help=_("Whether straight and royal flushes of equal height are decided by suit."),
)
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@click.pass_context
def compare(
    ctx: click.Context, /, hands: tuple[str, ...], as_json: bool, lang: str | None, **rules: object
) -> None:
    """Name each hand and the best."""
    language = start_command(lang)
    try:
        cards, house = read_hands(hands), read_comparison_rules(**rules)
        result = compare_hands(cards, house)
    except ChicagoError as error:
        if as_json:
            about = {"code": error.code, "message": _fault(error, ENGLISH)}
            print_json({"format": COMPARE, "error": about})
        complain(_fault(error, language))
        ctx.exit(MISUSED)
    if as_json:
        named = {name: hand and str(hand) for name, hand in result.named.items()}
        print_json({"format": COMPARE, "hands": named, "best": result.best})
    else:
        print_lines(comparison_lines(cards, result, house.ties, language))


def read_comparison_rules(**rules: object) -> ComparisonRules:
    """The tie rule of a rule set (`preset`), with what was asked for instead (not None).

    Raises BadFile for an unknown rule set and for a value a rule cannot have.
    """
    given = {rule: value for rule, value in rules.items() if value is not None}
    if "suit_order" in given:
        given["suit_order"] = str(given["suit_order"]).lower()
    _preset, house = read_rules(given)
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


def _fault(error: ChicagoError, language: Language) -> str:
    """What is wrong, in one sentence; before it whose hand it is about."""
    text = error_text(error, language)
    return f"{error.values['player']}: {text}" if isinstance(error, BadHand) else text


def comparison_lines(
    hands: Hands, result: Comparison, ties: Ties, language: Language
) -> Iterator[str]:
    """Every hand and its name, and who wins by what."""
    for name, cards in hands.items():
        written = " ".join(write_card(card, language) for card in cards)
        yield f"{name} · {written} · {combination_text(result.named[name], language)}"
    yield ""
    yield verdict_text(result, ties, language)
