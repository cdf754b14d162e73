"""The protocol as on paper: tally marks deal by deal, the curve of the game, and what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec
from flask import Blueprint, render_template

from app.http import context
from app.i18n.game import effect_text, event_text
from app.i18n.language import Language
from app.rules import protocol
from app.rules.protocol import ZEROINGS, DealSheet
from app.rules.state import GameState
from app.services import tables
from app.services.tables import Sheet
from app.web.table.page import result
from app.web.table.scoreboard import short_names

bp = Blueprint("protocol", __name__, url_prefix="/t/<link>")

BUNDLE, LINE, PER_LINE = 17, 15, 2
# Nobody counts more strokes than this; a correction may be of thousands.
MOST_STROKES = 200
CURVE_WIDTH, CURVE_HEIGHT = 320, 150


class Tally(msgspec.Struct, frozen=True):
    """Strokes as an SVG path, five by five, ten to a line."""

    path: str
    width: int
    height: int


class Column(msgspec.Struct, frozen=True):
    """What one deal gave one player: strokes, losses and zeroings, and the score after it."""

    tally: Tally | None
    struck: tuple[str, ...]
    score: str
    stopped: bool


class DealView(msgspec.Struct, frozen=True):
    """One deal of the protocol, with each recorded fact in words."""

    title: str
    columns: tuple[Column, ...]
    facts: tuple[tuple[int, str], ...]


class Curve(msgspec.Struct, frozen=True):
    """The scores over the game as SVG: a polyline for each player, and the lines to cross."""

    width: int
    height: int
    lines: tuple[tuple[str, str], ...]
    levels: tuple[tuple[str, float], ...]


@bp.get("/protocol")
def newest(link: str) -> str:
    """The protocol of the game being played."""
    return _page(link, tables.sheet(context.pool(), link))


@bp.get("/games/<int:number>")
def game(link: str, number: int) -> str:
    """The protocol of one of the table's games."""
    return _page(link, tables.sheet(context.pool(), link, number))


def _page(link: str, sheet: Sheet) -> str:
    language, players = context.language(), sheet.game.setup.players
    state = sheet.state
    return render_template(
        "protocol/page.html",
        link=link,
        sheet=sheet,
        state=state,
        names=list(zip(players, short_names(players), strict=True)),
        deals=deals(sheet, language),
        curve=curve(sheet.states),
        numbers=tables.game_numbers(context.pool(), link),
        result=result(state, language) if state.over else None,
    )


def deals(sheet: Sheet, language: Language) -> list[DealView]:
    """Every deal in which something was recorded."""
    laid_out = protocol.assemble(sheet.states, sheet.game.events)
    return [_deal(deal, sheet, language) for deal in laid_out if deal.rows]


def _deal(deal: DealSheet, sheet: Sheet, language: Language) -> DealView:
    values = {"deal": deal.number, "player": deal.dealer}
    title = language.gettext("Deal %(deal)s · %(player)s deals", **values)
    players = zip(sheet.game.setup.players, deal.scores, strict=True)
    columns = tuple(_column(deal, name, score, language) for name, score in players)
    return DealView(title, columns, tuple(_facts(deal, sheet, language)))


def _column(deal: DealSheet, name: str, score: int, language: Language) -> Column:
    cells = [cell for row in deal.rows if (cell := row.cell(name)) is not None]
    gained = sum(cell.points for cell in cells if cell.points > 0)
    struck = [
        language.gettext("zeroed") if cell.code in ZEROINGS else language.number(cell.points)
        for cell in cells
        if cell.points < 0
    ]
    drawn = tally(gained) if 0 < gained <= MOST_STROKES else None
    return Column(drawn, tuple(struck), language.number(score), name in deal.stopped)


def _facts(deal: DealSheet, sheet: Sheet, language: Language) -> Iterable[tuple[int, str]]:
    """Each entry of a deal, its index and what it set off."""
    for index, _ in groupby(deal.rows, key=lambda row: row.index):
        effects = sheet.states[index + 1].effects
        said = [effect_text(effect, language) for effect in effects]
        yield index, "; ".join(said) or event_text(sheet.game.events[index], language)


def tally(points: int) -> Tally:
    """Draw points as strokes; every fifth lies across the four before it."""
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


def curve(states: Sequence[GameState]) -> Curve:
    """Draw every player's score after each event, with the lines that matter."""
    rules, players = states[0].rules, states[0].setup.players
    scores = [[state.score(name) for state in states] for name in players]
    low, high = min(0, *map(min, scores)), max(rules.target, *map(max, scores))

    def height(points: int) -> float:
        return round(CURVE_HEIGHT - (points - low) * CURVE_HEIGHT / (high - low), 1)

    step = CURVE_WIDTH / max(1, len(states) - 1)
    lines = [
        (name, " ".join(f"{n * step:.1f},{height(score)}" for n, score in enumerate(line)))
        for name, line in zip(players, scores, strict=True)
    ]
    marks = {"target": rules.target, "stop": rules.exchange_stop, "zero": 0}
    levels = [(kind, height(points)) for kind, points in marks.items() if points is not None]
    return Curve(CURVE_WIDTH, CURVE_HEIGHT, tuple(lines), tuple(levels))
