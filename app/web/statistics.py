"""Over the years: the figures of a table's people, each table of them with bars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus

import msgspec
from flask import Blueprint, Flask, Response, make_response, render_template, request

from app.http import context
from app.http.concurrency import limit_concurrency
from app.http.page_cache import cache_page
from app.i18n.language import N_
from app.services import statistics
from app.services.evening import evening_of
from app.services.statistics import PersonStatistics
from app.store.statistics import ALWAYS, Months

FULL, MIDDLE = 100, 50

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")

bp = Blueprint("statistics", __name__, url_prefix="/t/<link>/years")


def register(app: Flask) -> None:
    """Add the page to the application."""
    app.register_blueprint(bp)


class Bar(msgspec.Struct, frozen=True):
    """A stretch of a bar that is FULL wide; `kind` gives its colour."""

    x: float
    width: float
    kind: str


def _share(part: int, most: int) -> float:
    """A part as a length, where `most` fills the bar; two decimals are less than a pixel."""
    return round(FULL * part / most, 2) if most and part > 0 else 0.0


def draw_part(whole: int, part: int, most: int) -> tuple[Bar, ...]:
    """Draw a bar of the whole with the part of it in another colour."""
    return Bar(0, _share(whole, most), "whole"), Bar(0, _share(part, most), "won")


def draw_both_ways(lost: int, won: int, most: int) -> tuple[Bar, ...]:
    """Draw bars from the middle, what was lost to the left and what was won to the right."""
    left, right = _share(lost, most) / 2, _share(won, most) / 2
    return Bar(MIDDLE - left, left, "lost"), Bar(MIDDLE, right, "won")


def draw_hands(person: PersonStatistics, people: Iterable[PersonStatistics]) -> list[Bar]:
    """Draw a person's best hands kind by kind; the most that anybody had fill the bar."""
    most, before, bars = max(sum(each.hands.values()) for each in people), 0, []
    for hand, times in person.hands.items():
        bars.append(Bar(_share(before, most), _share(times, most), hand.replace("_", "-")))
        before += times
    return bars


class FigureTable(msgspec.Struct, frozen=True):
    """A table of everybody's figures: a heading for each figure, and what the bars show.

    `lengths` gives a person's two bars: a whole and its part, or lost and won where `both_ways`.
    """

    title: str
    headings: Mapping[str, str]
    legend: str
    lengths: Callable[[PersonStatistics], tuple[int, int]]
    both_ways: bool = False

    def bars(self, person: PersonStatistics, people: Iterable[PersonStatistics]) -> tuple[Bar, ...]:
        """Draw a person's bars, where the longest of all people's fills what there is."""
        most = max(max(self.lengths(each)) for each in people)
        draw = draw_both_ways if self.both_ways else draw_part
        return draw(*self.lengths(person), most)


MONEY = FigureTable(
    title=N_("Won and lost, kronor"),
    headings={"ore": "kr"},
    legend=N_("Lost to the left, won to the right."),
    lengths=lambda person: (-person.ore, person.ore),
    both_ways=True,
)
TABLES = (
    FigureTable(
        title=N_("Games"),
        headings={"games": N_("Played"), "won": N_("Won")},
        legend=N_("The games, and those won in green."),
        lengths=lambda person: (person.games, person.won),
    ),
    MONEY,
    FigureTable(
        title="Chicago",
        headings={"chicagos_said": N_("Said"), "chicagos_made": N_("Made")},
        legend=N_("Chicagos said, and those made in green."),
        lengths=lambda person: (person.chicagos_said, person.chicagos_made),
    ),
    FigureTable(
        title=N_("Zeroings"),
        headings={"zeroings_given": N_("Has zeroed"), "zeroings_suffered": N_("Was zeroed")},
        legend=N_("Zeroed by others to the left, own zeroings to the right."),
        lengths=lambda person: (person.zeroings_suffered, person.zeroings_given),
        both_ways=True,
    ),
    FigureTable(
        title=N_("Last tricks, swings and exchange stops"),
        headings={
            "last_tricks": N_("Last tricks"),
            "biggest_swing": N_("Biggest swing, points"),
            "longest_stop": N_("Longest exchange stop, deals"),
        },
        legend=N_("The last tricks."),
        lengths=lambda person: (0, person.last_tricks),
    ),
)


@bp.get("")
@cache_page("from", "to")
@limit_concurrency
def page(link: str) -> Response:
    """The figures of the time that the address names, all of them when it names none."""
    query = (request.args.get("from", ""), request.args.get("to", ""))
    readable = all(not month or _MONTH.fullmatch(month) for month in query)
    months = _months(query) if readable else ALWAYS
    table = context.access().id
    figures = statistics.read_statistics(context.pool(), table, months)
    content = render_template(
        "statistics/page.html",
        link=link,
        readable=readable,
        months=months,
        always=ALWAYS,
        periods=_periods(),
        span=statistics.find_months(context.pool(), table),
        statistics=figures,
        tables=[each for each in TABLES if figures.has_money or each is not MONEY],
        draw_hands=draw_hands,
        draw_both_ways=draw_both_ways,
    )
    return make_response(content, HTTPStatus.OK if readable else HTTPStatus.UNPROCESSABLE_ENTITY)


def _months(query: Months) -> Months:
    """The first and the last month, whichever was named first; open where none was."""
    first, last = query[0] or ALWAYS[0], query[1] or ALWAYS[1]
    return min(first, last), max(first, last)


def _periods() -> dict[str, Months]:
    """The times to look at with one tap."""
    year = evening_of(datetime.now(UTC)).year
    return {
        N_("All"): ALWAYS,
        N_("This year"): (f"{year}-01", f"{year}-12"),
        N_("Last year"): (f"{year - 1}-01", f"{year - 1}-12"),
    }
