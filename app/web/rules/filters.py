"""What the form's templates put into words: the names and values of house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.http import context
from app.i18n import house_rules, rule_summary
from app.rules.hands import Hand
from app.web.rules.fields import value_key


def is_low_hand(member: object) -> bool:
    """Whether this is a hand that gives points at most tables, and does nothing else."""
    order = list(Hand)
    return isinstance(member, Hand) and order.index(member) < order.index(Hand.FOUR_OF_A_KIND)


FILTERS: Mapping[str, Callable[..., object]] = {
    "group_title": lambda group: house_rules.group_title(group, context.language()),
    "group_brief": lambda group, rules: rule_summary.group_brief(group, rules, context.language()),
    "rule_words": house_rules.words_of,
    "translate": lambda text: context.language().gettext(text),
    "rule_value": lambda value, field: house_rules.value_words(field, value, context.language()),
    "suit_signs": house_rules.suit_signs,
    "in_usual_order": lambda values, field: house_rules.in_usual_order(field, values),
    "value_key": value_key,
}
