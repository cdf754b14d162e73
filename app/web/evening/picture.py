"""The end of a game or an evening, to be sent to friends: a picture, and the same in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from flask import Blueprint, Response, current_app, url_for
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.rendered import cache_page
from app.rules.settlement import Transfer
from app.services import highlights, ledger, sheets
from app.services.sheets import Sheet
from app.web.evening import drawing, story
from app.web.evening.canvas import leave_out_undrawable
from app.web.evening.story import Naming, Story
from app.web.table.scoreboard import short_names
from app.web.templates import FILTERS, render

bp = Blueprint("picture", __name__, url_prefix="/t/<link>")

PAGE = "evening/picture.html"


@bp.get("/games/<int:number>/picture")
@cache_page(has_link=True)
def game(link: str, number: int) -> Response:
    """The picture of a game that is over, and ways to send it."""
    told = tell_game(link, number, in_full=True)
    return _render(told, url_for("picture.game_drawn", link=link, number=number))


@bp.get("/games/<int:number>/picture.svg")
@cache_page()
def game_drawn(link: str, number: int) -> Response:
    """That picture as SVG."""
    return _answer(tell_game(link, number))


@bp.get("/evening/<day>/picture")
@cache_page(has_link=True)
def evening(link: str, day: str) -> Response:
    """The picture of an evening, and ways to send it."""
    told = tell_evening(link, day, in_full=True)
    return _render(told, url_for("picture.evening_drawn", link=link, day=day))


@bp.get("/evening/<day>/picture.svg")
@cache_page()
def evening_drawn(link: str, day: str) -> Response:
    """That picture as SVG."""
    return _answer(tell_evening(link, day))


def tell_game(link: str, number: int, *, in_full: bool = False) -> Story:
    """Tell of a game that is over, with names in full or as a picture has room for them.

    Raises NotFound, also while the game is played.
    """
    sheet = sheets.read_sheet(context.pool(), link, number)
    if not sheet.state.over:
        raise NotFound
    told = highlights.read_game_highlights(context.pool(), link, number)
    left = None
    # What older games brought may long be paid.
    if number == sheet.games:
        left = ledger.read_ledger(context.pool(), link).transfers
    names = story.whole if in_full else _shorten(_names(sheet, told, left or []))
    return story.tell_game(sheet, told, left, names)


def tell_evening(link: str, day: str, *, in_full: bool = False) -> Story:
    """Tell of an evening, with names in full or as a picture has room for them. Raises NotFound."""
    now = ledger.read_ledger(context.pool(), link)
    if day not in {line.evening.isoformat() for line in now.lines if line.begun}:
        raise NotFound
    told = highlights.read_evening_highlights(context.pool(), link, date.fromisoformat(day))
    names = story.whole if in_full else _shorten(now.people.persons)
    return story.tell_evening(now, told, names)


def draw(told: Story) -> str:
    """Draw a story as SVG."""
    return drawing.draw(told, str(FILTERS["day"](told.day)))


def _names(sheet: Sheet, told: highlights.Highlights, left: Sequence[Transfer]) -> list[str]:
    """Everybody who is told of with a game, also by the names of the persons they are."""
    records = [name for record in told.records for name in record.players]
    swung = [told.swing.player] if told.swing else []
    owed = [name for each in left for name in (each.payer, each.payee)]
    struck = [*told.zeroings, *told.falls]
    return list(dict.fromkeys([*sheet.state.players, *records, *swung, *struck, *owed]))


def _shorten(names: Iterable[str]) -> Naming:
    """First names, where they tell people apart; numbers for names that cannot be drawn."""
    shorts, numbered = short_names([*names]), context.language().gettext("Player %(number)s")
    return {
        name: leave_out_undrawable(short) or numbered % {"number": number}
        for number, (name, short) in enumerate(shorts.items(), 1)
    }.__getitem__


def _answer(told: Story) -> Response:
    return Response(draw(told), mimetype="image/svg+xml")


def _render(told: Story, drawn: str) -> Response:
    # A phone that runs without a server paints no PNG: its script does, from the drawing.
    picture = f"{drawn.removesuffix('svg')}png" if "png" in current_app.blueprints else drawn
    address = context.shareable_url(url_for("table.page", link=context.link()))
    return render(PAGE, story=told, words=story.write(told, address), picture=picture)
