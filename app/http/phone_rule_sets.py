"""The rule sets this phone keeps; those of all phones are at the first instance."""

from __future__ import annotations

from app.http import instances, phone_cookie
from app.rules.house import HouseRules
from app.services import rule_sets
from app.services.rule_sets import RuleSet


def list_rule_sets() -> list[RuleSet]:
    """This phone's rule sets; none where the first instance does not answer."""
    pen = phone_cookie.pen()
    if pen is None:
        return []
    name = instances.first()
    found = instances.gather(
        [name], lambda first: instances.call(first, rule_sets.list_rule_sets, pen)
    )
    return found.get(name, [])


def find(set_id: int) -> RuleSet | None:
    """One of this phone's rule sets."""
    return next((each for each in list_rule_sets() if each.id == set_id), None)


def save(name: str, preset: str, rules: HouseRules) -> RuleSet:
    """Save rules under a name on this phone. Raises BadFile, as the service does."""
    pen = phone_cookie.take_pen()
    return instances.call(instances.first(), rule_sets.save, pen, name, preset, rules)


def delete(set_id: int) -> None:
    """Delete one of this phone's rule sets."""
    if (pen := phone_cookie.pen()) is not None:
        instances.call(instances.first(), rule_sets.delete, pen, set_id)
