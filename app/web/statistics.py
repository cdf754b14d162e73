"""Over the years: the figures of a table's people, each table of them with bars."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from operator import attrgetter
from typing import Literal, NamedTuple

import msgspec
from flask import Blueprint, Response, request
from msgspec.structs import replace

from app.http import context
from app.http.forms import read_int
from app.http.rendered import cache_page
from app.i18n import currencies
from app.i18n.currencies import CurrencyWords
from app.i18n.language import N_
from app.rules.statistics import PersonStatistics, add_along, describe_lead
from app.services.statistics import ALWAYS, Statistics, read_statistics
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
    after = language.ngettext("after %(num)s evening", "after %(num)s evenings", len(days))
    sketch = Sketch(
        steps,
        [person.name for person in figures.people[:MOST_LINES]],
        ["", *map(language.short_day, days)],
        ["", *map(language.day, days)],
        language.signed_amount if money else language.number,
        lambda total: (
            language.signed_money(total, context.currency())
            if money
            else language.ngettext("%(num)s win", "%(num)s wins", total)
        ),
    )
    return draw(sketch, describe_lead(steps), after)


# With fewer games than these nobody stands before those who have them.
FEW = 5
LAST_YEAR = 9999

Number = float | None
Value = Callable[[PersonStatistics], Number]
People = Iterable[PersonStatistics]


class Bar(NamedTuple):
    """A stretch of a bar that is 100 wide; `kind` gives its colour."""

    x: float
    width: float
    kind: str


def _share(part: float, most: float) -> float:
    """A part as a length, where `most` fills the bar; two decimals are less than a pixel."""
    return round(100 * part / most, 2) if most and part > 0 else 0.0


def _draw_both_ways(lost: float, won: float, most: float) -> tuple[Bar, Bar]:
    """Draw bars from the middle, losses to the left and wins to the right."""
    left, right = _share(lost, most) / 2, _share(won, most) / 2
    return Bar(50 - left, left, "lost"), Bar(50, right, "won")


def _draw_hands(person: PersonStatistics, people: People) -> list[Bar]:
    """Draw best hands of each game, kind by kind; the most that anybody had fill the bar."""
    most, before, bars = max(map(_hands_per_game, people)), 0.0, []
    for hand, times in person.hands.items():
        width = _share(times / person.games, most)
        bars.append(Bar(before, width, hand.replace("_", "-")))
        before += width
    return bars


def _hands_per_game(person: PersonStatistics) -> float:
    return sum(person.hands.values()) / person.games


class Column(NamedTuple):
    """A column of figures; people are ranked by `value`, the most first."""

    heading: str
    kind: Literal["number", "share", "tenths", "money", "amount", "streak"]
    value: Value


HANDS = Column(N_("Best hands"), "tenths", _hands_per_game)


class FigureTable(msgspec.Struct, frozen=True):
    """A table of everybody's figures; people are ranked by the column at place `rank`.

    `lengths` are a person's two bars: a whole and its part, or lost and won where `both_ways`.
    """

    title: str
    columns: tuple[Column, ...]
    legend: str
    lengths: Callable[[PersonStatistics], tuple[float, float]]
    rank: int = 0
    both_ways: bool = False

    def bars(self, person: PersonStatistics, people: People) -> tuple[Bar, Bar]:
        """Draw a person's bars; the longest of all people's fills the width."""
        most = max(max(self.lengths(each)) for each in people)
        one, other = self.lengths(person)
        if self.both_ways:
            return _draw_both_ways(one, other, most)
        return Bar(0, _share(one, most), "whole"), Bar(0, _share(other, most), "won")


def _per(field: str, per: str = "games", times: int = 1) -> Value:
    """A figure divided by the games, or the evenings, of which there may be none."""

    def value(person: PersonStatistics) -> Number:
        number = getattr(person, per)
        return getattr(person, field) / number * times if number else None

    return value


def _lengths(one: str, other: str) -> Callable[[PersonStatistics], tuple[float, float]]:
    """Two figures of each game."""
    return lambda person: (
        getattr(person, one, 0) / person.games,
        getattr(person, other) / person.games,
    )


def _count(field: str, heading: str) -> Column:
    return Column(heading, "number", attrgetter(field))


def _rate(field: str, heading: str) -> Column:
    return Column(heading, "tenths", _per(field, times=10))


WON = FigureTable(
    title=N_("Wins and averages"),
    columns=(
        Column(N_("Won"), "share", _per("won")),
        Column(N_("Points on average"), "tenths", _per("score")),
        Column(N_("Wins in a row"), "streak", attrgetter("streak")),
    ),
    legend=N_("The share of games won in green."),
    lengths=_lengths("games", "won"),
)
_OTHERS = (
    FigureTable(
        title="Chicago",
        columns=(
            _count("chicagos_said", N_("Said")),
            _count("chicagos_made", N_("Made")),
            _rate("chicagos_made", N_("Made in 10 games")),
        ),
        rank=2,
        legend=N_("Chicagos said in each game, and those made in green."),
        lengths=_lengths("chicagos_said", "chicagos_made"),
    ),
    FigureTable(
        title=N_("Zeroings"),
        columns=(
            _count("zeroings_given", N_("Has zeroed")),
            _count("zeroings_suffered", N_("Was zeroed")),
            _rate("zeroings_given", N_("Has zeroed in 10 games")),
        ),
        rank=2,
        legend=N_("In each game: times zeroed to the left, own zeroings to the right."),
        lengths=_lengths("zeroings_suffered", "zeroings_given"),
        both_ways=True,
    ),
    FigureTable(
        title=N_("Last tricks, swings and exchange stops"),
        columns=(
            _rate("last_tricks", N_("Last tricks in 10 games")),
            _count("biggest_swing", N_("Biggest swing, points")),
            _count("longest_stop", N_("Longest exchange stop, deals")),
        ),
        legend=N_("The last tricks in each game."),
        lengths=_lengths("", "last_tricks"),
    ),
)


def _make_tables(words: CurrencyWords, *, has_money: bool) -> list[FigureTable]:
    """The tables of a page, the one that matters most first."""
    if not has_money:
        return [WON, *_OTHERS]
    per_evening = Column(N_("Per evening"), "amount", _per("ore", "evenings"))
    money = FigureTable(
        title=words.won_and_lost,
        columns=(Column(words.unit, "money", attrgetter("ore")),),
        legend=N_("Lost to the left, won to the right."),
        lengths=lambda person: (-person.ore, person.ore),
        both_ways=True,
    )
    return [replace(WON, columns=(*WON.columns, per_evening)), money, *_OTHERS]


def _rank(people: People, column: Column) -> list[PersonStatistics]:
    """People in order of a column; those with few games, and none, last."""

    def place(person: PersonStatistics) -> tuple[bool, float, int, str]:
        value = column.value(person)
        return value is None, -(value or 0), -person.games, person.name

    return [person for each in _group(sorted(people, key=place)).values() for person in each]


def _group(people: Sequence[PersonStatistics]) -> dict[bool, list[PersonStatistics]]:
    """People in their order, but apart, and last, those with few games where others have more."""
    most = max((person.games for person in people), default=0)
    groups: dict[bool, list[PersonStatistics]] = {False: [], True: []}
    for person in people:
        groups[person.games < FEW <= most].append(person)
    return {few: each for few, each in groups.items() if each}


bp = Blueprint("statistics", __name__, url_prefix="/t/<link>/years")


@bp.get("")
@cache_page("year", of_ledger=True)
def page(link: str) -> Response:
    """The figures of the year that the address names, all of them when it names none."""
    year = read_int(request.args.get("year", ""), 1, LAST_YEAR)
    months = (f"{year:04}-01", f"{year:04}-12") if year else ALWAYS
    figures = read_statistics(context.db(), context.access().id, months)
    first, last = (int(month[:4]) for month in figures.span) if figures.span else (1, 0)
    curve = _draw_years(figures)
    clock.give_way()
    tables = _make_tables(currencies.WORDS[context.currency()], has_money=figures.has_money)

    def ranked(own: Column = WON.columns[0]) -> list[PersonStatistics]:
        return _rank(figures.people, own)

    return render(
        "statistics/page.html",
        year=year,
        # From the first game to the last, the newest first.
        years=[*range(last, first - 1, -1)],
        past=figures.span is not None and months[1] < figures.span[1],
        statistics=figures,
        curve=curve,
        tables=tables,
        ranked=ranked,
        groups=lambda own: _group(ranked(own)).items(),
        hands=HANDS,
        few=FEW,
        draw_hands=_draw_hands,
        draw_both_ways=_draw_both_ways,
    )
