"""The curve of the years: what a table's people had won together after each evening or month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date

from app.http import context
from app.rules.course import add_along, tell_lead
from app.services.statistics import Statistics
from app.web.curve import MOST_LINES, ZERO, Curve, Sketch, draw
from app.web.table.scoreboard import short_names
from app.web.templates import FILTERS

# Of a time with more games, counted by player, the curve goes from month to month.
MOST_SEATS = 160


def draw_years(figures: Statistics) -> Curve | None:
    """Draw what those who played most won: öre where there was a stake, else games.

    Points are not added up over the years. None where there is only one evening.
    """
    language, money = context.language(), figures.has_money
    changes = _add_by_evening(figures)
    steps, days = add_along(changes.values()), [*changes]
    if len(days) < 2:
        return None
    names = tuple(person.name for person in figures.people[:MOST_LINES])
    sketch = Sketch(
        steps,
        short_names(names),
        ["", *(_write(day, language.short_day) for day in days)],
        lambda step: _write(days[step - 1], language.day),
        language.signed_amount if money else language.number,
        lambda total: (
            str(FILTERS["signed_money"](total))
            if money
            else language.ngettext("%(num)s win", "%(num)s wins", total)
        ),
        ZERO,
    )
    if isinstance(days[0], date):
        after = language.ngettext("after %(num)s evening", "after %(num)s evenings", len(days))
    else:
        after = language.ngettext("after %(num)s month", "after %(num)s months", len(days))
    return draw("years", sketch, tell_lead(steps), after)


def _add_by_evening(figures: Statistics) -> dict[date | str, Counter[str]]:
    """Öre won (+) or lost (−) by evening and person, or games won where there is no money.

    Of many games by month, written as `2026-10`.
    """
    few = sum(len(game.seats) for game in figures.games) <= MOST_SEATS
    sums: dict[date | str, Counter[str]] = {}
    for game in figures.games:
        when = date.fromisoformat(game.evening) if few else game.evening[:7]
        amounts = sums.setdefault(when, Counter())
        for seat in game.seats:
            amounts[seat.name] += seat.ore if figures.has_money else seat.won
    return sums


def _write(when: date | str, write: Callable[[date], str]) -> str:
    """Write a day; a month is written as the page writes months."""
    return write(when) if isinstance(when, date) else when
