"""The protocol as on paper: tally marks deal by deal, the newest first, and the curve of the game.

A page has the newest deals; those before are folded into stretches, each with an address. To be
printed there is a page of all of them, in figures and marks.
"""

from __future__ import annotations

import re
from http import HTTPStatus

from flask import Blueprint, Response, make_response, render_template, request

from app.http import context
from app.http.forms import read_flashes, read_int
from app.http.rendered import cache_page
from app.i18n.language import N_
from app.i18n.rule_summary import features, rules_label
from app.rules.gamefile import MAX_EVENTS
from app.rules.protocol import DealSheet, assemble
from app.services import lists, sheets
from app.services.sheets import Changed, Sheet
from app.store.clock import evening_of
from app.web.table.curve import draw_curve
from app.web.table.scoreboard import short_names
from app.web.table.sheet_address import sheet_address
from app.web.table.stretches import Span, find_stretch, fold_deals, newest_deal, shown_deals
from app.web.table.tally import draw_columns
from app.web.table.view import result

bp = Blueprint("protocol", __name__, url_prefix="/t/<link>")

MENDED = N_("The game is mended.")
# So many rows go below each other on a page of A4, under a heading with eight long names.
ROWS = 30
_SPAN = re.compile("([0-9]{1,4})-([0-9]{1,4})")


@bp.get("/protocol")
@cache_page()
def newest(link: str) -> str:
    """The protocol of the game being played."""
    return _page(link, sheets.read_sheet(context.db(), link))


@bp.get("/games/<int:number>")
@cache_page("deal", "deals")
def game(link: str, number: int) -> Response:
    """The protocol of one of the table's games, `deal` or the stretch `deals` laid open.

    Asked for by htmx, a stretch comes alone.
    """
    sheet = sheets.read_sheet(context.db(), link, number)
    deal = read_int(request.args.get("deal", ""), 1, MAX_EVENTS)
    span = _read_span(request.args.get("deals", ""))
    if span is not None and context.wants_fragment():
        return _part(link, sheet, span)
    return make_response(_page(link, sheet, deal, span))


@bp.get("/games/<int:number>/print")
@cache_page()
def print_sheet(link: str, number: int) -> str:
    """All deals of one of the table's games, from the first: sixty are one page of A4."""
    sheet, language = sheets.read_sheet(context.db(), link, number), context.language()
    deals = [deal for deal in assemble(sheet.states, sheet.game.events) if deal.rows]
    preset, rules = sheet.game.setup.preset, sheet.game.setup.rules
    return render_template(
        "protocol/print.html",
        **_shared(link, sheet),
        day=evening_of(sheet.begun_at),
        columns=_split(deals),
        marks={mark.code for deal in deals for mark in deal.marks},
        rules=f"{rules_label(preset, rules, language)}: {' · '.join(features(rules, language))}",
    )


def _split(deals: list[DealSheet]) -> list[list[DealSheet]]:
    """One column of deals, or two beside each other on each page."""
    halves = ROWS < len(deals) <= 2 * ROWS
    most = (len(deals) + 1) // 2 if halves else ROWS
    return [deals[start : start + most] for start in range(0, len(deals), most)]


def _read_span(text: str) -> Span | None:
    found = _SPAN.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else None


def _part(link: str, sheet: Sheet, span: Span) -> Response:
    """A stretch by itself; where the game was undone beyond it, the page is loaded anew."""
    stretch = find_stretch(sheet, span)
    if stretch is None:
        address = sheet_address(sheet.number)
        return Response(status=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": address})
    values = _shared(link, sheet)
    return make_response(render_template("protocol/_stretch.html", stretch=stretch, **values))


def _find_undoable(link: str, number: int, told: list[str]) -> int | None:
    """The version from which undo takes back the amendment that is told of, None if not that."""
    if context.language().gettext(MENDED) not in told:
        return None
    newest = sheets.read_sheet(context.db(), link)
    change = newest.undoable
    match change:
        case Changed(kind="mend", number=mended) if mended == number:
            return newest.seq
    return None


def _shared(link: str, sheet: Sheet) -> dict[str, object]:
    """What every deal is drawn with."""
    names = list(short_names(sheet.state.players).items())
    return {"link": link, "sheet": sheet, "names": names, "draw_columns": draw_columns}


def _page(link: str, sheet: Sheet, deal: int | None = None, span: Span | None = None) -> str:
    count, told = newest_deal(sheet), read_flashes()
    deal = deal if deal is not None and deal <= count else None
    wanted = span if deal is None else (deal, deal)
    return render_template(
        "protocol/page.html",
        **_shared(link, sheet),
        deals=shown_deals(sheet),
        stretches=fold_deals(sheet, wanted),
        opened=deal or count,
        day=evening_of(sheet.begun_at),
        told=told,
        told_at=deal,
        undoable=_find_undoable(link, sheet.number, told),
        curve=draw_curve(sheet.states),
        neighbours=lists.find_neighbours(context.db(), context.access().id, sheet.number),
        result=result(sheet.state) if sheet.state.over else None,
    )
