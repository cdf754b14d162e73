"""All tables this phone has opened: to go on at, to rename, to put away and to bring back."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.forms import LONGEST_TEXT, Refusal, redirect_to, submit
from app.http.limits import count_miss
from app.http.phone_tables import list_tables, put_table_away
from app.services import phone_tables
from app.services.phone_tables import PhoneTable
from app.services.searching import LONGEST_QUERY, has_words, read_query, split_words
from app.services.tables import NotFound
from app.web.templates import render

bp = Blueprint("table_list", __name__)

# So many stand in the open, the others are folded away.
MOST_OPEN = 12
# More than so many can be searched.
HANDFUL = 6


@bp.get("/tables")
def page() -> Response:
    """The tables, the last one played at first."""
    return _render_list()


@bp.post("/tables")
def put_away() -> AnyResponse:
    """Put a table away, or bring one back; nothing of it is lost."""
    link, away = request.form.get("table", ""), request.form.get("do") != "back"
    with count_miss(NotFound):
        put_table_away(link, away=away)
    return redirect_to(url_for("table_list.page"))


@bp.post("/t/<link>/name")
def rename(link: str) -> AnyResponse:
    """Give a table another name, for all who look at it."""
    name = request.form.get("name", "")
    outcome = submit(lambda pool, write: phone_tables.rename(pool, write, name), lambda: None)
    if isinstance(outcome, Refusal):
        return _render_list(outcome, link, name)
    return redirect_to(url_for("table_list.page"))


def _came_from(tables: list[PhoneTable]) -> str | None:
    """The link of the table whose page led here, where it is one of this phone's."""
    address = (request.referrer or "").partition("://")[2].partition("?")[0]
    here = f"{request.host}{context.prefix()}/t/"
    if not address.startswith(here):
        return None
    link = address.removeprefix(here).partition("/")[0]
    return next((table.link for table in tables if table.link == link), None)


def _render_list(refusal: Refusal | None = None, at: str = "", typed: str = "") -> Response:
    """The list; where a name was refused, `at` a table, what was typed stands there still."""
    tables = sorted(list_tables(), key=lambda table: table.played_at, reverse=True)
    query = request.args.get("q", "").strip()[:LONGEST_QUERY]
    found = [table for table in tables if _fits(table, query)]
    return render(
        "setup/tables.html",
        "",
        refusal,
        tables=[table for table in found if not table.put_away],
        put_away=[table for table in found if table.put_away],
        came_from=_came_from(tables),
        most=len(found) if query else MOST_OPEN,
        at=at,
        typed=typed[:LONGEST_TEXT],
        query=query,
        searchable=len(tables) > HANDFUL,
    )


def _fits(table: PhoneTable, query: str) -> bool:
    """Whether the name, the players or the day of a table have what is looked for."""
    day = context.language().day(table.played_on)
    words = split_words(" ".join([table.name, *table.players, day, table.played_on.isoformat()]))
    return has_words(read_query(query), words)
