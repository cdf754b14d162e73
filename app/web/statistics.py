"""Over the years: the figures of a table's people, each table of them with bars."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from http import HTTPStatus
from operator import attrgetter
from typing import Literal

import msgspec
from flask import Blueprint, Response, make_response, render_template, request

from app.http import context
from app.http.rendered import cache_page
from app.i18n import currencies
from app.i18n.currencies import CurrencyWords
from app.i18n.language import N_
from app.rules.course import add_along, tell_lead
from app.rules.totals import PersonStatistics
from app.services.statistics import ALWAYS, Months, Statistics, read_statistics
from app.store.clock import this_evening
from app.web.curve import MOST_LINES, ZERO, Curve, Sketch, draw
from app.web.table.consequences import short_names
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


NAMES = ("from", "to")
MONTH_AS = N_("A month is written as 2026-10.")

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def read_months() -> tuple[Months, dict[str, str]]:
    """The months, whichever was named first, open where none was; and what is wrong, by field.

    Where anything is, the months are ALWAYS.
    """
    asked = {name: request.args.get(name, "") for name in NAMES}
    faults = tell(name for name, month in asked.items() if month and not _MONTH.fullmatch(month))
    if faults:
        return ALWAYS, faults
    first, last = asked["from"] or ALWAYS[0], asked["to"] or ALWAYS[1]
    return (min(first, last), max(first, last)), {}


def tell(fields: Iterable[str]) -> dict[str, str]:
    """The faults of fields that hold no month."""
    return dict.fromkeys(fields, context.language().gettext(MONTH_AS))


FULL, MIDDLE = 100, 50
# With fewer games than these nobody stands before those who have them.
FEW = 5

Number = float | None
Kind = Literal["number", "share", "tenths", "money", "amount", "streak"]
People = Iterable[PersonStatistics]


class Bar(msgspec.Struct, frozen=True):
    """A stretch of a bar that is FULL wide; `kind` gives its colour."""

    x: float
    width: float
    kind: str


def _share(part: float, most: float) -> float:
    """A part as a length, where `most` fills the bar; two decimals are less than a pixel."""
    return round(FULL * part / most, 2) if most and part > 0 else 0.0


def draw_part(whole: float, part: float, most: float) -> tuple[Bar, ...]:
    """Draw a bar of the whole with the part of it in another colour."""
    return Bar(0, _share(whole, most), "whole"), Bar(0, _share(part, most), "won")


def draw_both_ways(lost: float, won: float, most: float) -> tuple[Bar, ...]:
    """Draw bars from the middle, what was lost to the left and what was won to the right."""
    left, right = _share(lost, most) / 2, _share(won, most) / 2
    return Bar(MIDDLE - left, left, "lost"), Bar(MIDDLE, right, "won")


def draw_hands(person: PersonStatistics, people: People) -> list[Bar]:
    """Draw best hands of each game, kind by kind; the most that anybody had fill the bar."""
    most, before, bars = max(map(hands_per_game, people)), 0.0, []
    for hand, times in person.hands.items():
        width = _share(times / person.games, most)
        bars.append(Bar(before, width, hand.replace("_", "-")))
        before += width
    return bars


def hands_per_game(person: PersonStatistics) -> float:
    """Best hands a game of a person."""
    return sum(person.hands.values()) / person.games


class Column(msgspec.Struct, frozen=True):
    """A column of figures; `value` is what people are ranked by, the most first."""

    heading: str
    kind: Kind
    value: Callable[[PersonStatistics], Number]


HANDS = Column(N_("Best hands"), "tenths", hands_per_game)


class FigureTable(msgspec.Struct, frozen=True):
    """A table of everybody's figures, its columns by their keys.

    People are ranked by `rank`. `lengths` gives a person's two bars: a whole and its part, or lost
    and won where `both_ways`.
    """

    title: str
    columns: Mapping[str, Column]
    rank: str
    legend: str
    lengths: Callable[[PersonStatistics], tuple[float, float]]
    both_ways: bool = False

    def bars(self, person: PersonStatistics, people: People) -> tuple[Bar, ...]:
        """Draw a person's bars, where the longest of all people's fills what there is."""
        most = max(max(self.lengths(each)) for each in people)
        draw = draw_both_ways if self.both_ways else draw_part
        return draw(*self.lengths(person), most)


class Order(msgspec.Struct, frozen=True):
    """An order that was asked for: by the column of a key, or by name; `up` with the least first.

    Without a key each table has its own.
    """

    key: str = ""
    up: bool = False


NAME = "name"


def _per(field: str, per: str = "games", times: int = 1) -> Callable[[PersonStatistics], Number]:
    """A figure divided by the games, or the evenings, of which there may be none."""

    def value(person: PersonStatistics) -> Number:
        number = getattr(person, per)
        return getattr(person, field) / number * times if number else None

    return value


def _lengths(one: str, other: str) -> Callable[[PersonStatistics], tuple[float, float]]:
    """Two figures of each game."""
    return lambda person: (
        getattr(person, one) / person.games if one else 0,
        getattr(person, other) / person.games,
    )


def _count(field: str, heading: str) -> Column:
    return Column(heading, "number", attrgetter(field))


def _per_game(field: str, heading: str) -> Column:
    return Column(heading, "tenths", _per(field, times=10))


WON = FigureTable(
    title=N_("Wins and averages"),
    columns={
        "won_share": Column(N_("Won"), "share", _per("won")),
        "average": Column(N_("Points on average"), "tenths", _per("score")),
        "streak": Column(N_("Wins in a row"), "streak", attrgetter("streak")),
    },
    rank="won_share",
    legend=N_("The share of games won in green."),
    lengths=_lengths("games", "won"),
)
_OTHERS = (
    FigureTable(
        title="Chicago",
        columns={
            "chicagos_said": _count("chicagos_said", N_("Said")),
            "chicagos_made": _count("chicagos_made", N_("Made")),
            "chicagos_rate": _per_game("chicagos_made", N_("Made in 10 games")),
        },
        rank="chicagos_rate",
        legend=N_("Chicagos said in each game, and those made in green."),
        lengths=_lengths("chicagos_said", "chicagos_made"),
    ),
    FigureTable(
        title=N_("Zeroings"),
        columns={
            "zeroings_given": _count("zeroings_given", N_("Has zeroed")),
            "zeroings_suffered": _count("zeroings_suffered", N_("Was zeroed")),
            "zeroings_rate": _per_game("zeroings_given", N_("Has zeroed in 10 games")),
        },
        rank="zeroings_rate",
        legend=N_("In each game: times zeroed to the left, own zeroings to the right."),
        lengths=_lengths("zeroings_suffered", "zeroings_given"),
        both_ways=True,
    ),
    FigureTable(
        title=N_("Last tricks, swings and exchange stops"),
        columns={
            "tricks_rate": _per_game("last_tricks", N_("Last tricks in 10 games")),
            "biggest_swing": _count("biggest_swing", N_("Biggest swing, points")),
            "longest_stop": _count("longest_stop", N_("Longest exchange stop, deals")),
        },
        rank="tricks_rate",
        legend=N_("The last tricks in each game."),
        lengths=_lengths("", "last_tricks"),
    ),
)


# What is told of one person alone.
COUNTS = {
    N_("Chicagos said"): "chicagos_said",
    N_("Chicagos made"): "chicagos_made",
    N_("Has zeroed"): "zeroings_given",
    N_("Was zeroed"): "zeroings_suffered",
    N_("Last tricks"): "last_tricks",
    N_("Biggest swing, points"): "biggest_swing",
    N_("Longest exchange stop, deals"): "longest_stop",
}


def _won_table(*, has_money: bool) -> FigureTable:
    if not has_money:
        return WON
    money = {"per_evening": Column(N_("Per evening"), "amount", _per("ore", "evenings"))}
    columns = {**WON.columns, **money}
    return msgspec.structs.replace(WON, columns=columns)


def _money_table(words: CurrencyWords) -> FigureTable:
    return FigureTable(
        title=words.won_and_lost,
        columns={"ore": Column(words.unit, "money", attrgetter("ore"))},
        rank="ore",
        legend=N_("Lost to the left, won to the right."),
        lengths=lambda person: (-person.ore, person.ore),
        both_ways=True,
    )


def make_tables(words: CurrencyWords, *, has_money: bool) -> list[FigureTable]:
    """The tables of a page, the one that matters most first."""
    money = [_money_table(words)] if has_money else []
    return [_won_table(has_money=has_money), *money, *_OTHERS]


def read_order(key: str, direction: str, columns: Collection[str]) -> Order:
    """The order that an address asks for; none where there is no such column."""
    if key not in (NAME, *columns):
        return Order()
    return Order(key, direction == "up" or (key == NAME and direction != "down"))


def rank(people: People, column: Column | None, *, up: bool) -> list[PersonStatistics]:
    """People in order of a column, or of their names; those with few games, and none, last."""

    def place(person: PersonStatistics) -> tuple[bool, float, int, str]:
        value = column.value(person) if column else None
        size = (value if up else -value) if value is not None else 0
        return value is None, size, -person.games, person.name

    if column:
        ordered = sorted(people, key=place)
    else:
        ordered = sorted(people, key=attrgetter("name"), reverse=not up)
    return [person for _, each in group(ordered) for person in each]


def group(people: Sequence[PersonStatistics]) -> list[tuple[bool, list[PersonStatistics]]]:
    """People in their order, but apart, and last, those with few games where others have more."""
    most = max((person.games for person in people), default=0)
    groups = {
        few: [person for person in people if (person.games < FEW <= most) == few]
        for few in (False, True)
    }
    return [(few, each) for few, each in groups.items() if each]


bp = Blueprint("statistics", __name__, url_prefix="/t/<link>/years")


@bp.get("")
@cache_page("from", "to", "sort", "order")
def page(link: str) -> Response:
    """The figures of the time that the address names, all of them when it names none."""
    months, faults = read_months()
    figures = read_statistics(context.db(), context.access().id, months)
    tables = make_tables(currencies.WORDS[context.currency()], has_money=figures.has_money)
    columns = {key: column for table in tables for key, column in table.columns.items()}
    order = read_order(request.args.get("sort", ""), request.args.get("order", ""), columns)

    def ranked(own: Column = columns["won_share"]) -> list[PersonStatistics]:
        if order.key:
            return rank(figures.people, columns.get(order.key), up=order.up)
        return rank(figures.people, own, up=False)

    content = render_template(
        "statistics/page.html",
        link=link,
        faults=faults,
        months=months,
        typed=_type_again(months, faults),
        always=ALWAYS,
        periods=_periods(),
        span=figures.span,
        past=figures.span is not None and months[1] < figures.span[1],
        statistics=figures,
        curve=draw_years(figures),
        tables=tables,
        order=order,
        # A table's first games make no statistics; who asks for more has them all.
        is_short=0 < max((each.games for each in figures.people), default=0) < FEW,
        asked=order.key or months != ALWAYS or faults,
        ranked=ranked,
        groups=lambda own: group(ranked(own)),
        hands=HANDS,
        few=FEW,
        draw_hands=draw_hands,
        hands_per_game=hands_per_game,
        draw_both_ways=draw_both_ways,
    )
    return make_response(content, HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK)


def _type_again(months: Months, faults: Collection[str]) -> dict[str, str]:
    """The texts in the fields of the months: as they were typed where one is none."""
    if faults:
        return {name: request.args.get(name, "") for name in NAMES}
    return {
        name: month if month not in ALWAYS else ""
        for name, month in zip(NAMES, months, strict=True)
    }


def _periods() -> dict[str, Months]:
    """The times to look at with one tap."""
    year = this_evening().year
    return {
        N_("All"): ALWAYS,
        N_("This year"): (f"{year}-01", f"{year}-12"),
        N_("Last year"): (f"{year - 1}-01", f"{year - 1}-12"),
    }
