"""Over the years: the figures of a table's people, each table of them with bars."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus

from flask import Blueprint, Flask, Response, make_response, render_template, request

from app.http import context
from app.http.rendered import cache_page
from app.i18n import currencies
from app.i18n.language import N_
from app.rules.totals import PersonStatistics
from app.services.statistics import ALWAYS, Months, read_statistics
from app.store.clock import this_evening
from app.web.figure_tables import (
    FEW,
    HANDS,
    Column,
    draw_both_ways,
    draw_hands,
    group,
    hands_per_game,
    make_tables,
    rank,
    read_order,
)
from app.web.months import NAMES, read_months
from app.web.years_curve import draw_years

bp = Blueprint("statistics", __name__, url_prefix="/t/<link>/years")


def register(app: Flask) -> None:
    """Add the page to the application."""
    app.register_blueprint(bp)


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
