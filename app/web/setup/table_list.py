"""All tables this phone has opened: to go on at, to rename, to put away and to bring back."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import LONGEST_TEXT, Refusal, redirect_to, submit
from app.http.limits import note_miss
from app.services import lists
from app.services.lists import (
    LONGEST_QUERY,
    PhoneTable,
    has_words,
    list_tables,
    read_query,
    split_words,
)
from app.services.settings import Rename
from app.services.tables import NotFound
from app.web.templates import render

bp = Blueprint("table_list", __name__)
row_bp = Blueprint("table_row", __name__)

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
    cookies.put_away(request.form.get("table", ""), away=request.form.get("do") != "back")
    return redirect_to(url_for("table_list.page"))


@bp.post("/t/<link>/name")
def rename(link: str) -> AnyResponse:
    """Give a table another name, for all who look at it."""
    name = request.form.get("name", "")
    outcome = submit(lambda: Rename(name))
    if isinstance(outcome, Refusal):
        return _render_list(outcome, link, name)
    return redirect_to(url_for("table_list.page"))


@row_bp.get("/t/<link>/row")
def row(link: str) -> Response:
    """A table's row for a list that another server has made; the cookie stays as it is."""
    known = {link: cookies.tables().get(link, False)}
    [table] = list_tables(context.db(), cookies.pen(), known)
    return render("setup/_table_row.html", table=table)


@row_bp.errorhandler(NotFound)
def leave_out(_: NotFound) -> str:
    """Nothing for a table that has been deleted: its row goes out of the list."""
    note_miss()
    return ""


def _came_from() -> str | None:
    """The link of the table whose page led here, where it is one of this phone's."""
    address = (request.referrer or "").partition("://")[2].partition("?")[0]
    here = f"{request.host}{context.prefix()}/t/"
    if not address.startswith(here):
        return None
    link = address.removeprefix(here).partition("/")[0]
    return link if link in cookies.tables() else None


def _render_list(refusal: Refusal | None = None, at: str = "", typed: str = "") -> Response:
    """The list; where a name was refused, `at` a table, its text stands in the field still."""
    known = cookies.tables()
    tables = list_tables(context.db(), cookies.pen(), known)
    elsewhere = lists.find_elsewhere(known, tables, context.instance())
    query = request.args.get("q", "").strip()[:LONGEST_QUERY]
    found = [table for table in tables if _fits(table, query)]
    found.sort(key=lambda table: table.played_at, reverse=True)
    return render(
        "setup/tables.html",
        "",
        refusal,
        tables=[table for table in found if not table.put_away],
        put_away=[table for table in found if table.put_away],
        elsewhere_open=[link for link, away in elsewhere.items() if not away],
        elsewhere_away=[link for link, away in elsewhere.items() if away],
        came_from=_came_from(),
        most=len(found) if query else MOST_OPEN,
        at=at,
        typed=typed[:LONGEST_TEXT],
        query=query,
        searchable=len(tables) > HANDFUL,
    )


def _fits(table: PhoneTable, query: str) -> bool:
    """Whether the name, the players or the day of a table match a search."""
    day = context.language().day(table.played_on)
    words = split_words(
        " ".join([table.name, *table.state.players, day, table.played_on.isoformat()])
    )
    return has_words(read_query(query), words)
