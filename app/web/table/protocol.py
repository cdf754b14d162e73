"""The protocol as on paper: tally marks deal by deal, the newest on top, and the game's curve."""

from collections.abc import Sequence

import msgspec
from flask import Blueprint, render_template, request, url_for

from app.http import context
from app.http.forms import read_flashes, read_int
from app.http.rendered import cache_page
from app.i18n.language import N_
from app.rules.codes import MarkCode
from app.rules.gamefile import MAX_EVENTS
from app.rules.house import HouseRules
from app.rules.names import short_names
from app.rules.protocol import ZEROINGS, DealSheet, assemble
from app.rules.state import GameState
from app.services import evenings
from app.services.figures import describe_game, lay_out
from app.services.table_view import Changed, TableView
from app.store.clock import evening_of
from app.web.curve import Curve, Levels, Sketch, draw
from app.web.table.board import played_at, result


def sheet_address(number: int, deal: int | None = None) -> str:
    """The score sheet of one of the table's games, scrolled to a deal where one is named."""
    anchor = None if deal is None else f"deal-{deal}"
    return url_for("protocol.game", number=number, deal=deal, _anchor=anchor)


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
    columns = []
    for name, short in names:
        points = [cell.points for cell in deal.cells(name) if cell.code not in ZEROINGS]
        strokes = draw_tally(sum(each for each in points if each > 0))
        lost = [each for each in points if each < 0]
        marks = [mark.code for mark in deal.marks if mark.player == name]
        columns.append(TallyColumn(short, strokes, lost, marks, deal.scores.get(name)))
    return columns


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
    _ = context.gettext
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


# So many deals are on one page; hardly any game has more.
DEALS = 60

EDITED = N_("The game has been edited.")


@bp.get("/protocol")
@cache_page()
def newest() -> str:
    """The protocol of the game being played."""
    return _page(context.read_view())


@bp.get("/games/<int:number>")
@cache_page("deal")
def game(number: int) -> str:
    """The protocol of one of the table's games, `deal` laid open."""
    deal = read_int(request.args.get("deal", ""), 1, MAX_EVENTS)
    return _page(context.read_view(number), deal)


def _find_undoable(number: int, flashes: list[str]) -> int | None:
    """The version from which undo takes back the edit that is told of, None if not that."""
    if context.gettext(EDITED) not in flashes:
        return None
    newest = context.read_view()
    match newest.undoable:
        case Changed(kind="edit", number=edited) if edited == number:
            return newest.seq
    return None


def _page(view: TableView, deal: int | None = None) -> str:
    """The page of the newest deals, or of an older one and those before it."""
    # The newest deal of which something is recorded.
    count = view.states[-2].deal.number if view.game.events else 0
    flashes = read_flashes()
    deal = deal if deal is not None and deal <= count else None
    last = count if deal is None or deal > count - DEALS else deal
    deals = assemble(view.states, view.game.events, max(1, last - DEALS + 1), last)
    return render_template(
        "protocol/page.html",
        view=view,
        names=list(short_names(view.state.players).items()),
        draw_columns=draw_columns,
        played_at=played_at,
        deals=deals[::-1],
        newest=last == count,
        opened=deal or count,
        day=evening_of(view.begun_at),
        flashes=flashes,
        flashes_at=deal,
        undoable=_find_undoable(view.number, flashes),
        curve=draw_curve(view.states),
        neighbours=evenings.find_neighbours(context.db(), context.access().id, view.number),
        result=result(view.state) if view.state.over else None,
    )
