"""The short way to ask whose hand is best."""

from collections.abc import Mapping

from app.rules.cards import Card
from app.rules.hands import ComparisonRules, compare_hands


def best_of(hands: Mapping[str, tuple[Card, ...]], how: ComparisonRules) -> str | None:
    """Return the player with the single best hand, or None when nobody scores.

    Raises BadHand.
    """
    return compare_hands(hands, how).best
