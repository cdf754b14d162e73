"""The end of a game or an evening, to be sent to friends: a picture, and the same in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from flask import Blueprint, Response, current_app, render_template, url_for
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.rendered import cache_page
from app.rules.settlement import Transfer
from app.services import ledger, statistics, table_view
from app.services.table_view import TableView
from app.store.clock import evening_of
from app.web.evening import story
from app.web.evening.story import Naming, Story
from app.web.table.consequences import short_names
from app.web.templates import render

bp = Blueprint("picture", __name__, url_prefix="/t/<link>")

# The fonts in fonts/ have Latin, Greek and Cyrillic letters and few signs; a bare server has none.
UNDRAWABLE = re.compile(
    r"[^ -~\u00a0-\u024f\u0370-\u04ff\u1e00-\u1eff\u2010-\u2026\u2039\u203a€\u2190-\u2193\u2212★]"
)


@bp.get("/games/<int:number>/picture")
@bp.get("/evening/<day>/picture")
@cache_page(has_link=True)
def page(link: str, number: int | None = None, day: str | None = None) -> Response:
    """The picture of a game that is over or of an evening, and ways to send it."""
    told = tell(link, number, day, in_full=True)
    # A phone that runs without a server paints no PNG: its script does, from the drawing.
    kind = "png.painted" if "png" in current_app.blueprints else "picture.drawn"
    address = context.shareable_url(url_for("table.page", link=link))
    return render(
        "evening/picture.html",
        story=told,
        words=story.write(told, address),
        picture=url_for(kind, link=link, number=number, day=day),
    )


@bp.get("/games/<int:number>/picture.svg")
@bp.get("/evening/<day>/picture.svg")
@cache_page()
def drawn(link: str, number: int | None = None, day: str | None = None) -> Response:
    """That picture as SVG."""
    return Response(draw(tell(link, number, day)), mimetype="image/svg+xml")


def tell(link: str, number: int | None, day: str | None, *, in_full: bool = False) -> Story:
    """Tell of a game or an evening, with names in full or as a picture has room for them.

    Raises NotFound, also while the game is played.
    """
    if number is None:
        return _tell_evening(link, day or "", in_full)
    return _tell_game(link, number, in_full)


def _tell_game(link: str, number: int, in_full: bool) -> Story:
    view = table_view.read_view(context.db(), link, number)
    if not view.state.over:
        raise NotFound
    evening = evening_of(view.begun_at)
    told = statistics.read_highlights(context.db(), context.access().id, evening, number)
    left = None
    # What older games brought may long be paid.
    if number == view.games:
        left = ledger.read_ledger(context.db(), link).transfers
    names = story.whole if in_full else _shorten(_names(view, told, left or []))
    return story.tell_game(view, told, left, names)


def _tell_evening(link: str, day: str, in_full: bool) -> Story:
    now = ledger.read_ledger(context.db(), link)
    if day not in {line.evening.isoformat() for line in now.lines if line.begun}:
        raise NotFound
    evening = date.fromisoformat(day)
    told = statistics.read_highlights(context.db(), context.access().id, evening)
    names = story.whole if in_full else _shorten(now.people.persons)
    return story.tell_evening(now, told, names)


def draw(told: Story) -> str:
    """Draw a story as SVG."""
    return render_template("evening/picture.svg", story=told)


@bp.app_template_filter("drawable")
def leave_out_undrawable(text: str) -> str:
    """A text with those of its letters that the fonts have."""
    return UNDRAWABLE.sub("", text).strip()


def _names(view: TableView, told: statistics.Highlights, left: Sequence[Transfer]) -> list[str]:
    """Everybody who is told of with a game, also by the names of the persons they are."""
    records = [name for record in told.records for name in record.players]
    swung = [told.swing.name] if told.swing else []
    owed = [name for each in left for name in (each.payer, each.payee)]
    struck = [*told.zeroings, *told.falls]
    return list(dict.fromkeys([*view.state.players, *records, *swung, *struck, *owed]))


def _shorten(names: Iterable[str]) -> Naming:
    """First names, where they tell people apart; numbers for names that cannot be drawn."""
    shorts, numbered = short_names([*names]), context.language().gettext("Player %(number)s")
    return {
        name: leave_out_undrawable(short) or numbered % {"number": number}
        for number, (name, short) in enumerate(shorts.items(), 1)
    }.__getitem__
