"""The protocol as on paper: tally marks deal by deal, the curve of the game, and what happened."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from flask import Blueprint, render_template, request

from app.http import context
from app.http.concurrency import limit_concurrency
from app.http.flashes import read_flashes
from app.http.forms import read_int
from app.http.page_cache import cache_page
from app.i18n.language import N_
from app.rules import protocol
from app.rules.gamefile import MAX_EVENTS
from app.rules.state import GameState
from app.services import tables
from app.services.tables import AmendedGame, Sheet
from app.web.table.page import result
from app.web.table.scoreboard import short_names

bp = Blueprint("protocol", __name__, url_prefix="/t/<link>")

MENDED = N_("The game is mended.")
BUNDLE, LINE, PER_LINE = 17, 15, 2
# Nobody counts more strokes than this; a correction may be of thousands.
MOST_STROKES = 200
CURVE_WIDTH, CURVE_HEIGHT = 320, 150


class Tally(msgspec.Struct, frozen=True):
    """Strokes as an SVG path, five by five, ten to a line."""

    path: str
    width: int
    height: int


class Curve(msgspec.Struct, frozen=True):
    """The scores over the game as SVG: a polyline for each seat, and the `levels` to cross."""

    width: int
    height: int
    lines: tuple[str, ...]
    levels: tuple[tuple[str, float], ...]


@bp.get("/protocol")
@cache_page()
@limit_concurrency
def newest(link: str) -> str:
    """The protocol of the game being played."""
    return _page(link, tables.read_sheet(context.pool(), link))


@bp.get("/games/<int:number>")
@cache_page("deal")
@limit_concurrency
def game(link: str, number: int) -> str:
    """The protocol of one of the table's games, `deal` laid open where the address names one."""
    deal = read_int(request.args.get("deal", ""), 1, MAX_EVENTS)
    return _page(link, tables.read_sheet(context.pool(), link, number), deal)


def _find_undoable(link: str, number: int, told: list[str]) -> int | None:
    """The version from which undo takes back the amendment that is told of, None if not that."""
    if context.language().gettext(MENDED) not in told:
        return None
    newest = tables.read_sheet(context.pool(), link)
    change = newest.newest_change
    amended = isinstance(change, AmendedGame) and change.number == number
    return newest.seq if amended else None


def _page(link: str, sheet: Sheet, deal: int | None = None) -> str:
    state, players = sheet.state, sheet.game.setup.players
    deals = [each for each in protocol.assemble(sheet.states, sheet.game.events) if each.rows]
    newest, told = deals[-1].number if deals else None, read_flashes()
    return render_template(
        "protocol/page.html",
        link=link,
        sheet=sheet,
        names=list(zip(players, short_names(players), strict=True)),
        deals=deals,
        opened=newest if deal is None else deal,
        told=told,
        told_at=deal if deal in [each.number for each in deals] else None,
        undoable=_find_undoable(link, sheet.number, told),
        zeroings=protocol.ZEROINGS,
        tally=draw_tally,
        curve=draw_curve(sheet.states),
        numbers=tables.list_game_numbers(context.pool(), link),
        result=result(state) if state.over else None,
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


def draw_curve(states: Sequence[GameState]) -> Curve:
    """Draw every player's score after each event, with the lines that matter."""
    rules, players = states[0].rules, states[0].setup.players
    scores = [[state.score(name) for state in states] for name in players]
    low, high = min(0, *map(min, scores)), max(rules.target, *map(max, scores))

    def height(points: int) -> float:
        return round(CURVE_HEIGHT - (points - low) * CURVE_HEIGHT / (high - low), 1)

    step = CURVE_WIDTH / max(1, len(states) - 1)
    lines = [
        " ".join(f"{n * step:.1f},{height(score)}" for n, score in enumerate(line))
        for line in scores
    ]
    marks = {"target": rules.target, "stop": rules.exchange_stop, "zero": 0}
    levels = [(kind, height(points)) for kind, points in marks.items() if points is not None]
    return Curve(CURVE_WIDTH, CURVE_HEIGHT, tuple(lines), tuple(levels))
