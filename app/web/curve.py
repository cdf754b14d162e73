"""Curves: how sums went from step to step, as SVG for every page that shows them.

A figure has a line for each player, dashed each in its own way, with the name at its end, lines at
the levels that matter, and some of its steps named below it. Places are per cent of its width and
height, so that letters keep their size however wide it is.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, groupby, pairwise

import msgspec

from app.http import context
from app.i18n.game import course_text
from app.rules.names import short_names
from app.rules.protocol import Episode

# As many lines as can be told apart.
MOST_LINES = 8
# Of many steps, as many as there is room for: along a line, below it, and in the table of numbers.
ALONG, BELOW, BELOW_LONG, LISTED = 100, 6, 3, 12
# How long a label below a figure may be to stand close, and a sum to stand beside a name.
SHORT = 4
# How many signs stand along a line, so that two at the same height can be told apart.
SIGNS = 4
# How high a name at the end of a line is, and a word at a level, in per cent of the figure.
NAME, WORD = 12, 8
# Heights are whole numbers first: sums know no bounds, and fractions do.
HEIGHT = 1000

Write = Callable[[int], str]
# Lines to cross, by kind: the sum where each of them is, and what is written at it.
Levels = Mapping[str, tuple[int, str]]
ZERO: Levels = {"zero": (0, "0")}


class Sketch(msgspec.Struct, frozen=True):
    """A curve's data: sums over `steps` of people by their `names`.

    Short `labels` and whole `titles` of steps begin with the beginning's. `write` writes a sum, and
    `tell` tells one in a sentence.
    """

    steps: Sequence[Mapping[str, int]]
    names: Sequence[str]
    labels: Sequence[str]
    titles: Sequence[str]
    write: Write
    tell: Write


class CurveLine(msgspec.Struct, frozen=True):
    """A player's line, its last sum if there is room, and where its signs, end and name are."""

    name: str
    short: str
    sum: str
    points: Sequence[tuple[int, int]]
    signs: Sequence[tuple[float, float]]
    end: float
    beside: int

    @property
    def path(self) -> str:
        """The line by the distances from point to point: one of many is only a few bytes."""
        moves = [(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(self.points)]
        path = "M{} {}".format(*self.points[0])
        for flat, group in groupby(moves, key=lambda move: not move[1]):
            steps = list(group)
            path += (
                f"h{sum(x for x, _ in steps)}" if flat else "".join(f"l{x} {y}" for x, y in steps)
            )
        return path


class Curve(msgspec.Struct, frozen=True):
    """A figure to show, the only one on its page; `story` tells it in a sentence.

    The lines are on a ground that is `width` steps wide and HEIGHT high. `levels` have their kind,
    their words, their height and that of the words; `ticks` a label and a place; `rows` the sums at
    some steps, by their titles, in the order of the lines.
    """

    story: str
    width: int
    lines: Sequence[CurveLine]
    levels: Sequence[tuple[str, str, float, int]]
    ticks: Sequence[tuple[str, float]]
    rows: Mapping[str, Sequence[str]]


def draw(sketch: Sketch, episodes: Sequence[Episode], after: str, levels: Levels = ZERO) -> Curve:
    """Draw a figure, and tell its episodes; beyond MOST_LINES players only the first are in it."""
    labels, last = sketch.labels, len(sketch.labels) - 1
    language = context.language().of_pages
    names = sketch.names[:MOST_LINES]
    marks = [points for points, _ in levels.values()]
    reached = [step[each] for step in sketch.steps for each in names if each in step]
    low, high = min(*marks, *reached), max(*marks, *reached, 1)

    def place(value: int) -> int:
        return HEIGHT - (value - low) * HEIGHT // (high - low)

    def write(step: Mapping[str, int], each: str) -> str:
        return sketch.write(step[each]) if each in step else "–"

    heights = [place(points) / 10 for points in marks]
    words = zip(levels.items(), heights, spread(heights, WORD), strict=True)
    most = BELOW if max(map(len, labels)) < SHORT else BELOW_LONG
    return Curve(
        course_text(episodes, after, sketch.tell, sketch.titles.__getitem__, language),
        max(1, last),
        _draw_lines(sketch, names, place),
        [(kind, word, at, beside) for (kind, (_, word)), at, beside in words],
        [(labels[n], round(n * 100 / last, 1)) for n in thin(last, most)],
        {
            sketch.titles[n]: [write(sketch.steps[n], each) for each in names]
            for n in thin(last, LISTED)
        },
    )


def thin(last: int, most: int) -> list[int]:
    """Round numbers of steps after the beginning, so many at most, and the last."""
    if not last:
        return []
    stride = next(n * 10**k for k in count() for n in (1, 2, 5) if n * 10**k * most >= last)
    return [*range(stride, last - stride // 2, stride), last]


def _draw_lines(
    sketch: Sketch, names: Sequence[str], place: Callable[[int], int]
) -> list[CurveLine]:
    """Draw every player's line from when they sat down."""
    last, shorts = len(sketch.steps) - 1, short_names(sketch.names)
    shown = [0, *thin(last, ALONG)]
    points = [
        [(n, place(sketch.steps[n][each])) for n in shown if each in sketch.steps[n]]
        for each in names
    ]
    ends = [line[-1][1] / 10 for line in points]
    sums = [sketch.write(sketch.steps[-1][each]) for each in names]
    fit = max(map(len, sums)) <= SHORT
    # Lines that lie upon each other have their signs in turns.
    stride = -(-len(shown) // SIGNS)
    return [
        CurveLine(
            each,
            shorts[each],
            sums[n] if fit else "",
            points[n],
            [
                (round(x * 100 / last, 1), y / 10)
                for x, y in points[n][1 + stride * n // len(names) : -1 : stride]
            ],
            ends[n],
            beside,
        )
        for n, (each, beside) in enumerate(zip(names, spread(ends, NAME), strict=True))
    ]


def spread(places: Sequence[float], room: int) -> list[int]:
    """Places in per cent moved apart so that each has its room, and all are within the figure."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = [round(place) for place in places]
    lowest = room // 2
    for n in order:
        moved[n] = lowest = max(moved[n], lowest)
        lowest += room
    highest = 100 - room // 2
    for n in reversed(order):
        moved[n] = highest = min(moved[n], highest)
        highest -= room
    return moved
