"""A table's evenings, games and figures, each as a file for a spreadsheet."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Blueprint, Flask, Response, make_response, request, url_for

from app.http import context
from app.http.forms import redirect_to
from app.http.rendered import cache_page
from app.services import endings, ledger, statistics
from app.web.data import figures_csv
from app.web.data.files import answer_file
from app.web.data.ledger_csv import Rows, write_csv
from app.web.months import NAMES, read_months

bp = Blueprint("spreadsheets", __name__, url_prefix="/t/<link>")


def register(app: Flask) -> None:
    """Add the files to a server's application; no phone makes them by itself."""
    app.register_blueprint(bp)


@bp.get("/evenings.csv")
@cache_page()
def evenings(link: str) -> Response:
    """What each evening brought, and all of them so far."""
    now = ledger.read_ledger(context.pool(), link)
    return _answer(figures_csv.write_evenings(now, context.language()), "evenings")


@bp.get("/games.csv")
@cache_page()
def games(link: str) -> Response:
    """How each game ended."""
    now, broken_off = endings.read_endings(context.pool(), link)
    return _answer(figures_csv.write_games(now, broken_off, context.language()), "games")


@bp.get("/years.csv")
@cache_page("from", "to")
def years(link: str) -> Response:
    """Everybody's figures between the months that the address names, all of them without any."""
    months = read_months()
    if months is None:  # the page says what a month is
        query = urlencode({name: request.args.get(name, "") for name in NAMES})
        return make_response(redirect_to(f"{url_for('statistics.page', link=link)}?{query}"))
    table = context.access().id
    figures = statistics.read_statistics(context.pool(), table, months)
    rows = figures_csv.write_figures(figures, context.currency(), context.language())
    return _answer(rows, "years")


def _answer(rows: Rows, name: str) -> Response:
    return answer_file(write_csv(rows), "text/csv", f"chicago-{name}.csv")
