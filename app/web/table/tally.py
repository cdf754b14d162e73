"""What the line of a deal shows of each player: points as strokes, five by five, as on paper."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from app.rules.codes import MarkCode
from app.rules.protocol import ZEROINGS, DealSheet

BUNDLE, LINE, PER_LINE = 17, 15, 2
# Nobody counts more strokes than this; a correction may be of thousands.
MOST_STROKES = 200


class Tally(msgspec.Struct, frozen=True):
    """Strokes as an SVG path, five by five, ten to a line."""

    path: str
    width: int
    height: int


class Column(msgspec.Struct, frozen=True):
    """A player in a deal's line: strokes for points won, points `lost`, marks, and the score.

    `score` is None for who had no seat by then; points that a zeroing took are told by its mark.
    """

    short: str
    strokes: Tally | None
    lost: list[int]
    marks: list[MarkCode]
    score: int | None


def draw_columns(deal: DealSheet, names: Sequence[tuple[str, str]]) -> list[Column]:
    """The line of a deal, for players each with a short name, in that order."""
    return [_draw_column(deal, name, short) for name, short in names]


def _draw_column(deal: DealSheet, name: str, short: str) -> Column:
    points = [cell.points for cell in deal.cells(name) if cell.code not in ZEROINGS]
    return Column(
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
