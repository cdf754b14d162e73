"""The list of a table's games, the newest first, and what of it somebody looks for."""

from __future__ import annotations

from flask import Blueprint, Response, request

from app.http import context
from app.http.forms import read_int
from app.http.rendered import cache_page
from app.services import lists
from app.services.lists import LONGEST_QUERY, Search, read_query
from app.web.templates import render

# Of more games than any table holds.
MOST_PAGES = 10_000

bp = Blueprint("games", __name__, url_prefix="/t/<link>/games")


@bp.get("")
@cache_page("q", "won", "page")
def page(link: str) -> Response:
    """A page of the games, of those that the address looks for alone."""
    query, won = request.args.get("q", "").strip()[:LONGEST_QUERY], "won" in request.args
    number = read_int(request.args.get("page", ""), 1, MOST_PAGES) or 1
    search = Search(read_query(query), won, context.language().day)
    found = lists.read_games(context.db(), link, search, number)
    if number > 1 and not found.evenings:  # beyond the last page, as after games were forgotten
        number, found = 1, lists.read_games(context.db(), link, search)
    return render("table/games.html", found=found, query=query, won=won, number=number)
