"""The protocol as on paper: tally marks deal by deal, the newest first, and the curve of the game.

A page has the newest deals; those before are folded into stretches, each with an address. To be
printed there is a page of all of them, in figures and marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from msgspec.structs import replace

from app.http import context
from app.http.forms import read_flashes, read_int
from app.http.rendered import cache_page
from app.i18n.house_rules import differences, preset_source, rules_label
from app.i18n.language import N_
from app.rules.codes import MarkCode
from app.rules.course import describe_game, lay_out
from app.rules.gamefile import MAX_EVENTS
from app.rules.house import HouseRules
from app.rules.names import short_names
from app.rules.protocol import ZEROINGS, DealSheet, assemble, find_deal
from app.rules.state import GameState
from app.services import lists, table_view
from app.services.table_view import Changed, TableView
from app.store.clock import evening_of
from app.web.curve import Curve, Levels, Sketch, draw
from app.web.table.board import result


def sheet_address(number: int, deal: int | None = None) -> str:
    """The score sheet of one of the table's games, scrolled to a deal where one is named."""
    anchor = None if deal is None else f"deal-{deal}"
    return url_for("protocol.game", link=context.link(), number=number, deal=deal, _anchor=anchor)


BUNDLE, LINE, PER_LINE = 17, 15, 2
# Nobody counts more strokes than this; a correction may be of thousands.
MOST_STROKES = 200


class Tally(msgspec.Struct, frozen=True):
    """Strokes as an SVG path, five by five, ten to a line."""

    path: str
    width: int
    height: int


class TallyColumn(msgspec.Struct, frozen=True):
    """A player in a deal's line: strokes for points won, points `lost`, marks, and the score.

    `score` is None for who had no seat by then; points that a zeroing took are told by its mark.
    """

    short: str
    strokes: Tally | None
    lost: list[int]
    marks: list[MarkCode]
    score: int | None


def draw_columns(deal: DealSheet, names: Sequence[tuple[str, str]]) -> list[TallyColumn]:
    """The line of a deal, for players each with a short name, in that order."""
    return [_draw_column(deal, name, short) for name, short in names]


def _draw_column(deal: DealSheet, name: str, short: str) -> TallyColumn:
    points = [cell.points for cell in deal.cells(name) if cell.code not in ZEROINGS]
    return TallyColumn(
        short,
        draw_tally(sum(each for each in points if each > 0)),
        [each for each in points if each < 0],
        [mark.code for mark in deal.marks if mark.player == name],
        deal.scores.get(name),
    )


def draw_tally(points: int) -> Tally | None:
    """Draw points as strokes, every fifth across the four before it; None where there are none."""
    if not 0 < points <= MOST_STROKES:
        return None
    strokes = [_stroke(n) for n in range(points)]
    bundles = -(-points // 5)
    lines = -(-bundles // PER_LINE)
    return Tally("".join(strokes), min(bundles, PER_LINE) * BUNDLE, lines * LINE)


def _stroke(n: int) -> str:
    bundle, place = divmod(n, 5)
    line, column = divmod(bundle, PER_LINE)
    x, y = column * BUNDLE + 2, line * LINE + 2
    if place == 4:
        return f"M{x - 1} {y + 9}l13-7"
    return f"M{x + place * 3.5:g} {y}v11"


# How many make the next larger stretch, and how many are shown before any is folded.
FOLD, LEAST = 10, 5

# From the first deal to the last.
Span = tuple[int, int]


class DealRange(msgspec.Struct, frozen=True):
    """Deals from `first` to `last`, with the scores at their end by player.

    One that is open has its `deals`, or of a long one the stretches that it is made of; the newest
    are first.
    """

    first: int
    last: int
    scores: dict[str, int]
    deals: tuple[DealSheet, ...] = ()
    parts: tuple[DealRange, ...] = ()


def newest_deal(view: TableView) -> int:
    """The newest deal of which something is recorded, 0 where nothing is."""
    return view.states[-2].deal.number if view.game.events else 0


def shown_deals(view: TableView) -> tuple[DealSheet, ...]:
    """The deals that are not folded, the newest first: between 5 and 14 of a long game."""
    newest = newest_deal(view)
    return _lay_out(view, (_folded(newest, 1) + 1, newest)) if newest else ()


def fold_deals(view: TableView, wanted: Span | None) -> list[DealRange]:
    """The older deals as stretches, the newest first; those open that have all `wanted` deals."""
    folded = _folded(newest_deal(view), 1)
    return [_range(view, span, wanted) for span in _spans(folded, FOLD)]


def find_range(view: TableView, wanted: Span) -> DealRange | None:
    """The stretch of just these deals, open; None where they are none, or are not played yet."""
    last, size = wanted[1], wanted[1] - wanted[0] + 1
    if size not in (FOLD, FOLD**2, FOLD**3) or last % size or last >= view.state.deal.number:
        return None
    return _range(view, wanted, wanted)


def _folded(last: int, size: int) -> int:
    """The last deal that goes into a larger stretch, of which there are so many of `size`."""
    larger = FOLD * size
    return max(0, (last - LEAST * size) // larger * larger)


def _spans(last: int, size: int) -> Iterator[Span]:
    """The stretches up to a deal, larger and larger towards the beginning."""
    if last:
        rest = _folded(last, size)
        yield from ((end - size + 1, end) for end in range(last, rest, -size))
        yield from _spans(rest, FOLD * size)


def _range(view: TableView, span: Span, wanted: Span | None) -> DealRange:
    (first, last), states = span, view.states
    after = states[find_deal(states, last + 1)]
    folded = DealRange(first, last, after.scores)
    if wanted is None or not first <= wanted[0] <= wanted[1] <= last:
        return folded
    size = (last - first + 1) // FOLD
    if size == 1:
        return replace(folded, deals=_lay_out(view, span))
    spans = [(end - size + 1, end) for end in range(last, first, -size)]
    parts = tuple(_range(view, each, wanted) for each in spans)
    return replace(folded, parts=parts)


def _lay_out(view: TableView, span: Span) -> tuple[DealSheet, ...]:
    return tuple(reversed(assemble(view.states, view.game.events, *span)))


def draw_curve(states: Sequence[GameState]) -> Curve:
    """Draw a game: its lines, the scores that matter by its rules, and its course in words."""
    language, scores, end = context.language(), lay_out(states), states[-1]
    deals = len(scores) - 1

    titles = [language.gettext("deal %(number)s", number=deal) for deal in range(deals + 1)]
    if deals == end.deal.number and not end.over:
        after = language.gettext("in %(step)s", step=titles[-1])
    else:
        after = language.ngettext("after %(num)s deal", "after %(num)s deals", deals)
    sketch = Sketch(
        scores,
        end.players,
        [str(deal) for deal in range(deals + 1)],
        titles,
        language.number,
        language.number,
    )
    return draw(sketch, describe_game(states), after, _levels(end.rules))


def _levels(rules: HouseRules) -> Levels:
    """The scores from which a player may bid, may no longer exchange, and has reached the end."""
    _ = context.language().gettext
    levels = {
        "target": (rules.target, _("target %(points)s", points=rules.target)),
        "stop": (rules.exchange_stop, _("exchange stop %(points)s", points=rules.exchange_stop)),
        "minimum": (
            rules.chicago_minimum,
            _("Chicago from %(points)s", points=rules.chicago_minimum),
        ),
        "zero": (0, "0"),
    }
    return {kind: (at, text) for kind, (at, text) in levels.items() if at is not None}


bp = Blueprint("protocol", __name__, url_prefix="/t/<link>")

MENDED = N_("The game is mended.")
# So many rows go below each other on a page of A4, under a heading with eight long names.
ROWS = 30
_SPAN = re.compile("([0-9]{1,4})-([0-9]{1,4})")


@bp.get("/protocol")
@cache_page()
def newest(link: str) -> str:
    """The protocol of the game being played."""
    return _page(link, table_view.read_view(context.db(), link))


@bp.get("/games/<int:number>")
@cache_page("deal", "deals")
def game(link: str, number: int) -> Response:
    """The protocol of one of the table's games, `deal` or the stretch `deals` laid open.

    Asked for by htmx, a stretch comes alone.
    """
    view = table_view.read_view(context.db(), link, number)
    deal = read_int(request.args.get("deal", ""), 1, MAX_EVENTS)
    span = _read_span(request.args.get("deals", ""))
    if span is not None and context.wants_fragment():
        return _part(link, view, span)
    return make_response(_page(link, view, deal, span))


@bp.get("/games/<int:number>/print")
@cache_page()
def print_sheet(link: str, number: int) -> str:
    """All deals of one of the table's games, from the first: sixty are one page of A4."""
    view, language = table_view.read_view(context.db(), link, number), context.language()
    deals = [deal for deal in assemble(view.states, view.game.events) if deal.rows]
    preset, rules = view.game.setup.preset, view.game.setup.rules
    return render_template(
        "protocol/print.html",
        **_shared(link, view),
        day=evening_of(view.begun_at),
        columns=_split(deals),
        marks={mark.code for deal in deals for mark in deal.marks},
        rules=" · ".join(
            (
                rules_label(preset, rules, language),
                preset_source(preset, language),
                *differences(preset, rules, language),
            )
        ),
    )


def _split(deals: list[DealSheet]) -> list[list[DealSheet]]:
    """One column of deals, or two beside each other on each page."""
    halves = ROWS < len(deals) <= 2 * ROWS
    most = (len(deals) + 1) // 2 if halves else ROWS
    return [deals[start : start + most] for start in range(0, len(deals), most)]


def _read_span(text: str) -> Span | None:
    found = _SPAN.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else None


def _part(link: str, view: TableView, span: Span) -> Response:
    """A stretch by itself; where the game was undone beyond it, the page is loaded anew."""
    deal_range = find_range(view, span)
    if deal_range is None:
        address = sheet_address(view.number)
        return Response(status=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": address})
    values = _shared(link, view)
    return make_response(render_template("protocol/_range.html", deal_range=deal_range, **values))


def _find_undoable(link: str, number: int, flashes: list[str]) -> int | None:
    """The version from which undo takes back the amendment that is told of, None if not that."""
    if context.language().gettext(MENDED) not in flashes:
        return None
    newest = table_view.read_view(context.db(), link)
    change = newest.undoable
    match change:
        case Changed(kind="mend", number=mended) if mended == number:
            return newest.seq
    return None


def _shared(link: str, view: TableView) -> dict[str, object]:
    """Values that every deal is drawn with."""
    names = list(short_names(view.state.players).items())
    return {"link": link, "view": view, "names": names, "draw_columns": draw_columns}


def _page(link: str, view: TableView, deal: int | None = None, span: Span | None = None) -> str:
    count, flashes = newest_deal(view), read_flashes()
    deal = deal if deal is not None and deal <= count else None
    wanted = span if deal is None else (deal, deal)
    return render_template(
        "protocol/page.html",
        **_shared(link, view),
        deals=shown_deals(view),
        ranges=fold_deals(view, wanted),
        opened=deal or count,
        day=evening_of(view.begun_at),
        flashes=flashes,
        flashes_at=deal,
        undoable=_find_undoable(link, view.number, flashes),
        curve=draw_curve(view.states),
        neighbours=lists.find_neighbours(context.db(), context.access().id, view.number),
        result=result(view.state) if view.state.over else None,
    )
