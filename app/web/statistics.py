"""The figures of years as tables with bars, ready to be written out."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from http import HTTPStatus

import msgspec
from flask import Blueprint, Flask, Response, make_response, render_template, request, url_for

from app.http import context
from app.i18n.game import hand_label
from app.i18n.language import Language
from app.rules.hands import Hand
from app.services import statistics, tables
from app.services.evening import evening_of
from app.services.statistics import HeadToHead, PersonStatistics, Statistics
from app.store.statistics import ALWAYS

FULL, MIDDLE = 100, 50


class Bar(msgspec.Struct, frozen=True):
    """A stretch of a bar that is FULL wide; `kind` gives its colour."""

    x: float
    width: float
    kind: str


class FigureRow(msgspec.Struct, frozen=True):
    """One person's line: the numbers, each with a kind that gives its colour, and the bar."""

    name: str
    cells: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...]


class FigureTable(msgspec.Struct, frozen=True):
    """A table of a few figures, with what its bars show."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[FigureRow, ...]
    shows: str


class BestHands(msgspec.Struct, frozen=True):
    """The best hands one person has had: how many, and each kind with its number."""

    name: str
    total: str
    kinds: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...]


class Opponents(msgspec.Struct, frozen=True):
    """One person against each of the others."""

    name: str
    rows: tuple[FigureRow, ...]


def sections(years: Statistics, language: Language) -> list[FigureTable]:
    """Every table but those of hands and meetings; kronor only where there was a stake."""
    if not years.people:
        return []
    money = [_kronor(years.people, language)] if years.has_money else []
    parts = (_chicagos, _zeroings, _tricks)
    rest = [part(years.people, language) for part in parts]
    return [_games(years.people, language), *money, *rest]


People = tuple[PersonStatistics, ...]


def _share(part: int, most: int) -> float:
    """A part as a length, where `most` fills the bar; two decimals are less than a pixel."""
    return round(FULL * part / most, 2) if most else 0.0


def _within(part: int, whole: int, most: int, kind: str) -> tuple[Bar, ...]:
    """A bar of the whole with the part of it in another colour."""
    return Bar(0, _share(whole, most), "whole"), Bar(0, _share(part, most), kind)


def _both_ways(left: int, right: int, most: int) -> tuple[Bar, ...]:
    """Bars from the middle, what was lost to the left and what was won to the right."""
    lost, won = _share(left, most) / 2, _share(right, most) / 2
    return Bar(MIDDLE - lost, lost, "lost"), Bar(MIDDLE, won, "won")


def _plain(language: Language, *numbers: int) -> tuple[tuple[str, str], ...]:
    return tuple((language.number(number), "") for number in numbers)


def _games(people: People, language: Language) -> FigureTable:
    _, most = language.gettext, max(each.games for each in people)
    rows = [
        FigureRow(p.name, _plain(language, p.games, p.won), _within(p.won, p.games, most, "won"))
        for p in people
    ]
    columns = (_("Played"), _("Won"))
    return FigureTable(_("Games"), columns, tuple(rows), _("The games, and those won in green."))


def _amount(ore: int, language: Language) -> tuple[str, str]:
    return language.signed_kronor(ore), "won" if ore > 0 else "lost" if ore < 0 else ""


def _kronor(people: People, language: Language) -> FigureTable:
    _, most = language.gettext, max(abs(each.ore) for each in people)
    rows = [
        FigureRow(
            p.name, (_amount(p.ore, language),), _both_ways(max(0, -p.ore), max(0, p.ore), most)
        )
        for p in people
    ]
    title = _("Won and lost, kronor")
    return FigureTable(title, ("kr",), tuple(rows), _("Lost to the left, won to the right."))


def _chicagos(people: People, language: Language) -> FigureTable:
    _, most = language.gettext, max(each.chicagos_said for each in people)
    rows = [
        FigureRow(
            p.name,
            _plain(language, p.chicagos_said, p.chicagos_made),
            _within(p.chicagos_made, p.chicagos_said, most, "won"),
        )
        for p in people
    ]
    columns = (_("Said"), _("Made"))
    return FigureTable(
        "Chicago", columns, tuple(rows), _("Chicagos said, and those made in green.")
    )


def _zeroings(people: People, language: Language) -> FigureTable:
    _ = language.gettext
    most = max(max(each.zeroings_given, each.zeroings_suffered) for each in people)
    rows = [
        FigureRow(
            p.name,
            _plain(language, p.zeroings_given, p.zeroings_suffered),
            _both_ways(p.zeroings_suffered, p.zeroings_given, most),
        )
        for p in people
    ]
    columns = (_("Has zeroed"), _("Was zeroed"))
    shows = _("Zeroed by others to the left, own zeroings to the right.")
    return FigureTable(_("Zeroings"), columns, tuple(rows), shows)


def _tricks(people: People, language: Language) -> FigureTable:
    _, most = language.gettext, max(each.last_tricks for each in people)
    rows = [
        FigureRow(
            p.name,
            _plain(language, p.last_tricks, p.biggest_swing, p.longest_stop),
            (Bar(0, _share(p.last_tricks, most), "won"),),
        )
        for p in people
    ]
    columns = (_("Last tricks"), _("Biggest swing, points"), _("Longest exchange stop, deals"))
    title = _("Last tricks, swings and exchange stops")
    return FigureTable(title, columns, tuple(rows), _("The last tricks."))


def hands(years: Statistics, language: Language) -> list[BestHands]:
    """The best hands of each person by kind, the lowest first; those never had are left out."""
    most = max((sum(each.hands.values()) for each in years.people), default=0)
    return [_held(person, most, language) for person in years.people]


def _held(person: PersonStatistics, most: int, language: Language) -> BestHands:
    had = [(hand, person.hands[hand]) for hand in Hand if hand in person.hands]
    kinds = tuple((hand_label(hand, language), language.number(times)) for hand, times in had)
    bars, before = [], 0
    for hand, times in had:
        bars.append(Bar(_share(before, most), _share(times, most), hand.replace("_", "-")))
        before += times
    return BestHands(person.name, language.number(before), kinds, tuple(bars))


def meetings(years: Statistics, language: Language) -> list[Opponents]:
    """Each person against every other they have met."""
    return [
        Opponents(name, tuple(_met(one, years.has_money, language) for one in met))
        for name, met in years.meetings.items()
        if met
    ]


def _met(one: HeadToHead, money: bool, language: Language) -> FigureRow:
    games, ahead, behind = (language.number(n) for n in (one.games, one.ahead, one.behind))
    amount = (_amount(one.ore, language),) if money else ()
    cells = ((games, ""), (f"{ahead}–{behind}", ""), *amount)
    return FigureRow(one.other, cells, _both_ways(one.behind, one.ahead, one.games))


bp = Blueprint("statistics", __name__, url_prefix="/t/<link>/years")


def register(app: Flask) -> None:
    """Add the page to the application."""
    app.register_blueprint(bp)


_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
Months = tuple[str, str]


class Period(msgspec.Struct, frozen=True):
    """A time to look at with one tap."""

    label: str
    href: str
    chosen: bool


@bp.get("")
def page(link: str) -> Response:
    """The figures of the time that the address names, all of them when it names none."""
    language, pool = context.language(), context.pool()
    asked = (request.args.get("from", ""), request.args.get("to", ""))
    readable = all(not month or _MONTH.fullmatch(month) for month in asked)
    months = _months(asked) if readable else ALWAYS
    said = "" if readable else language.gettext("A month is written as 2026-10.")
    table = tables.table_id(pool, link)
    found = statistics.read_statistics(pool, table, months)
    shown = render_template(
        "statistics/page.html",
        link=link,
        said=said,
        months=[month if month not in ALWAYS else "" for month in months],
        span=statistics.covered_months(pool, table),
        choices=_choices(link, months, language),
        sections=sections(found, language),
        hands=hands(found, language),
        meetings=meetings(found, language),
        money=found.has_money,
    )
    return make_response(shown, HTTPStatus.OK if readable else HTTPStatus.UNPROCESSABLE_ENTITY)


def _months(asked: Months) -> Months:
    """The first and the last month, whichever was named first; open where none was."""
    first, last = asked[0] or ALWAYS[0], asked[1] or ALWAYS[1]
    return min(first, last), max(first, last)


def _choices(link: str, months: Months, language: Language) -> list[Period]:
    _, year = language.gettext, evening_of(datetime.now(UTC)).year
    times = [
        (_("All"), ALWAYS),
        (_("This year"), (f"{year}-01", f"{year}-12")),
        (_("Last year"), (f"{year - 1}-01", f"{year - 1}-12")),
    ]
    return [Period(label, _href(link, time), time == months) for label, time in times]


def _href(link: str, months: Months) -> str:
    address = url_for("statistics.page", link=link)
    return address if months == ALWAYS else f"{address}?from={months[0]}&to={months[1]}"
