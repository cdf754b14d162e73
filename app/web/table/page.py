"""The table's page: the keeper's board to record on, and the readers' view."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.cookies import remember_table
from app.http.forms import (
    Refusal,
    flash_at,
    read_flashes,
    read_int,
    redirect_to,
    submit,
)
from app.http.rendered import cache_page
from app.i18n.language import N_
from app.rules.gamefile import MAX_EVENTS
from app.services import lists
from app.services.commit import Change
from app.services.lists import LONGEST_QUERY, Search, read_query
from app.services.play import Record, Redo, Start, Undo
from app.services.table_view import TableView
from app.web.table.board import FRAGMENT, PAGE, view_table
from app.web.table.dialogs import render_filled_in
from app.web.table.event_form import read_event_form
from app.web.table.protocol import sheet_address
from app.web.templates import render

bp = Blueprint("table", __name__, url_prefix="/t/<link>")

STALE = N_("Somebody else was first. This is the table now.")


@bp.get("")
def page(link: str) -> Response:
    """The table as it stands."""
    if not context.wants_fragment():
        remember_table(link)
    if context.access().writes:
        return _keepers_page(link=link)
    # A phone that answers by itself always writes: it carries nothing for readers.
    from app.web.table.follow import readers_page

    return readers_page(link)


@cache_page(quick=True)
def _keepers_page(link: str) -> Response:
    flashed = "" if context.wants_fragment() else " ".join(read_flashes())
    return render_table(context.read_view(), flashed=flashed)


@bp.post("/events")
def record(link: str) -> AnyResponse:
    """Record a tap, or a sheet that was filled in, which a refusal shows again."""
    outcome = submit(lambda: Record(read_event_form(request.form)), STALE)
    if isinstance(outcome, Refusal):
        view = context.read_view()
        return render_filled_in(view, outcome) or render_table(view, outcome)
    return _answer(link, outcome)


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take the newest change back, and show the table, or the score sheet of `game` and `deal`."""
    game, deal = (read_int(request.form.get(name, ""), 1, MAX_EVENTS) for name in ("game", "deal"))
    if game is None:
        return _change(link, Undo)
    outcome, address = submit(Undo, STALE), sheet_address(game, deal)
    undone = context.language().gettext("The change is undone.")
    flash_at(address, outcome.message if isinstance(outcome, Refusal) else undone)
    return redirect_to(address)


@bp.post("/redo")
def redo(link: str) -> AnyResponse:
    """Redo the change undone last."""
    return _change(link, Redo)


@bp.post("/games")
def rematch(link: str) -> AnyResponse:
    """Start the next game: same seats and rules, the deal moves on."""
    return _change(link, Start)


def _change(link: str, read: Callable[[], Change]) -> AnyResponse:
    """Make a change and show the table; a refusal shows it too, with the reason in words."""
    outcome = submit(read, STALE)
    if isinstance(outcome, Refusal):
        return render_table(context.read_view(), outcome)
    return _answer(link, outcome)


def _answer(link: str, view: TableView) -> AnyResponse:
    """The table after a change."""
    if context.wants_fragment():
        return render_table(view)
    return redirect_to(url_for("table.page", link=link))


def render_table(view: TableView, refusal: Refusal | None = None, flashed: str = "") -> Response:
    """The keeper's table: the whole page, or the part of it that htmx swaps.

    `flashed` is shown on it.
    """
    shown = view_table(view)
    return render(PAGE, FRAGMENT, refusal, view=view, name=view.name, flashed=flashed, **shown)


# Of more games than any table holds.
MOST_PAGES = 10_000


@bp.get("/games")
@cache_page("q", "won", "page", of_ledger=True)
def games(link: str) -> Response:
    """A page of the games, of those that the address looks for alone."""
    query, won = request.args.get("q", "").strip()[:LONGEST_QUERY], "won" in request.args
    number = read_int(request.args.get("page", ""), 1, MOST_PAGES) or 1
    search = Search(read_query(query), won, context.language().day)
    found = lists.read_games(context.db(), link, search, number)
    if number > 1 and not found.evenings:  # beyond the last page, as after games were forgotten
        number, found = 1, lists.read_games(context.db(), link, search)
    return render("table/games.html", found=found, query=query, won=won, number=number)


@bp.get("/settings")
def settings(link: str) -> Response:
    """The page of further ways on, for which the menu has no room."""
    return render("table/settings.html")
