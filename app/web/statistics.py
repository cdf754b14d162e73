"""Over the years: the figures of a table's people, their curve, and the table's records."""

from collections.abc import Iterable
from datetime import date

from flask import Blueprint, Response, request
from msgspec.structs import replace

from app.http import context
from app.http.forms import read_int
from app.http.rendered import cache_page
from app.rules.names import short_names
from app.services.figures import add_along, describe_lead
from app.services.statistics import ALWAYS, PersonStatistics, Statistics, read_statistics
from app.store import clock
from app.web.curve import MOST_LINES, Curve, Sketch, draw
from app.web.templates import render


def _draw_years(figures: Statistics) -> Curve | None:
    """Draw the winnings of those who played most: öre where there was a stake, else games won.

    Points are not added up over the years. None where there is only one evening.
    """
    language, money = context.language(), figures.has_money
    if len(figures.evenings) < 2:
        return None
    steps = add_along(figures.evenings.values())
    days = [*map(date.fromisoformat, figures.evenings)]
    one_year = days[0].year == days[-1].year
    after = language.ngettext("after %(num)s evening", "after %(num)s evenings", len(days))
    sketch = Sketch(
        steps,
        [person.name for person in figures.people[:MOST_LINES]],
        # Days of several years would seem to be in one.
        ["", *(language.short_day(day) if one_year else str(day.year) for day in days)],
        ["", *map(language.day, days)],
        language.signed_amount if money else language.number,
        lambda total: (
            language.signed_money(total, context.currency())
            if money
            else language.ngettext("%(num)s win", "%(num)s wins", total)
        ),
    )
    # The table beside it has the sums.
    return replace(draw(sketch, describe_lead(steps), after), rows={})


# With fewer games than these nobody stands before those who have them.
FEW = 5
LAST_YEAR = 9999


def _rank(people: Iterable[PersonStatistics]) -> list[list[PersonStatistics]]:
    """People by the share of games won, and apart those with few where others have more."""
    ranked = sorted(people, key=lambda each: (-each.won / each.games, -each.games, each.name))
    most = max((each.games for each in ranked), default=0)
    few = [each for each in ranked if each.games < FEW <= most]
    return [[each for each in ranked if each not in few], few]


bp = Blueprint("statistics", __name__, url_prefix="/t/<link>/years")


@bp.get("")
@cache_page("year", of_ledger=True, vary_on=context.find_me)
def page() -> Response:
    """The figures of the year that the address names, all of them when it names none."""
    year = read_int(request.args.get("year", ""), 1, LAST_YEAR)
    months = (f"{year:04}-01", f"{year:04}-12") if year else ALWAYS
    figures = read_statistics(context.db(), context.access().id, months)
    first, last = (int(month[:4]) for month in figures.span) if figures.span else (1, 0)
    curve = _draw_years(figures)
    clock.give_way()
    ranked, few = _rank(figures.people)
    return render(
        "statistics/page.html",
        year=year,
        # From the first game to the last, the newest first.
        years=[*range(last, first - 1, -1)],
        past=figures.span is not None and months[1] < figures.span[1],
        statistics=figures,
        curve=curve,
        ranked=ranked,
        few=few,
        least=FEW,
        shorts=short_names([each.name for each in figures.people]),
        reader=context.find_me(),
    )
