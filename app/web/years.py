"""Over the years: what a table's people have won, said, zeroed and held, over a chosen time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for

from app import tables, years
from app.evenings import evening_of
from app.languages import Language
from app.store_years import ALWAYS
from app.web import phone
from app.web.yeartables import hands, meetings, sections

bp = Blueprint("years", __name__, url_prefix="/t/<link>/years")

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
Months = tuple[str, str]


class Choice(msgspec.Struct, frozen=True):
    """A time to look at with one tap."""

    label: str
    href: str
    chosen: bool


@bp.get("")
def page(link: str) -> Response:
    """The figures of the time that the address names, all of them when it names none."""
    language, store = phone.speaking(), phone.store()
    asked = (request.args.get("from", ""), request.args.get("to", ""))
    readable = all(not month or _MONTH.fullmatch(month) for month in asked)
    months = _months(asked) if readable else ALWAYS
    said = "" if readable else language.gettext("A month is written as 2026-10.")
    table = tables.table_id(store, link)
    found = years.years(store, table, months)
    shown = render_template(
        "years/page.html",
        link=link,
        said=said,
        months=[month if month not in ALWAYS else "" for month in months],
        span=years.span(store, table),
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


def _choices(link: str, months: Months, language: Language) -> list[Choice]:
    _, year = language.gettext, evening_of(datetime.now(UTC)).year
    times = [
        (_("All"), ALWAYS),
        (_("This year"), (f"{year}-01", f"{year}-12")),
        (_("Last year"), (f"{year - 1}-01", f"{year - 1}-12")),
    ]
    return [Choice(label, _href(link, time), time == months) for label, time in times]


def _href(link: str, months: Months) -> str:
    address = url_for("years.page", link=link)
    return address if months == ALWAYS else f"{address}?from={months[0]}&to={months[1]}"
