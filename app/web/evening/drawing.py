"""The picture of a game or an evening: what the story tells, laid out from the top to the bottom.

Whatever has to be there takes its height first; the curve has what is left, or is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.web.evening.canvas import (
    BOLD,
    Canvas,
    fit,
    leave_out_undrawable,
    measure,
    shorten,
    wrap,
)
from app.web.evening.story import Standing, Story

WIDTH, HEIGHT = 1080, 1350
MARGIN, GAP = 64, 30
INNER = WIDTH - 2 * MARGIN
LEAST_CURVE = 130
LEAST_ROW, MOST_ROW = 44, 84
FACT, PAYMENT, HEADING = 126, 48, 46
# How many payments have a line each, and how many have one if need be; the size that may not fit.
FEW, SOME, CUT_OFF = 3, 5, 25
# Of a long curve, as many places as can be told apart.
MOST_POINTS, STEPS = 240, 10_000

# The table in a dim room: the pages' own colours, and those of the players' curves.
GROUND, RAISED, LINE = "#15231d", "#22392e", "#3b5748"
INK, SOFT, GOLD = "#f6f2e6", "#b4c2b6", "#f0c75e"
RED, GREEN = "#ffb4a6", "#b5ecc4"
TONES: Mapping[str, str] = {"won": GREEN, "lost": RED, "": INK}
PLAYERS = (
    *("#f0a24a", "#5fcf8d", "#7bb2f5", "#ee86ab"),
    *("#b79cf2", "#4fc9ce", "#d8b45c", "#b9bfbb"),
)

SUITS = (
    (
        "M10 1C8 5 2 8 2 12.4a3.8 3.8 0 0 0 6.9 2.2Q8.6 17.5 6.5 19h7q-2.1-1.5-2.4-4.4A3.8 3.8 0 0"
        " 0 18 12.4C18 8 12 5 10 1z"
    ),
    (
        "M10 18.5C7.5 15 1.5 11.5 1.5 6.8A4.6 4.6 0 0 1 10 4.6a4.6 4.6 0 0 1 8.5 2.2C18.5 11.5 12.5"
        " 15 10 18.5z"
    ),
    (
        "M10 1a4 4 0 0 1 3.3 6.3A4 4 0 1 1 11.2 14Q11.6 17.4 13.5 19h-7Q8.4 17.4 8.8 14A4 4 0 1 1"
        " 6.7 7.3 4 4 0 0 1 10 1z"
    ),
    "M10 1Q13 6 17 10Q13 14 10 19Q7 14 3 10Q7 6 10 1z",
)
STAR = "M10 1l2.8 5.9 6.4.8-4.7 4.4 1.2 6.4L10 15.4l-5.7 3.1 1.2-6.4L.8 7.7l6.4-.8z"


def draw(story: Story, day: str) -> str:
    """Draw a story as SVG; `day` is its day as it is written."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.rect((0, 0), (WIDTH, HEIGHT), GROUND)
    y = _draw_top(canvas, day, story.place)
    y = _draw_headline(canvas, y, story.headline)
    y = _draw_records(canvas, y, story.records)
    below = _height_of_facts(story) + _height_of_payments(story)
    room = HEIGHT - MARGIN - y - below
    row = _height_of_row(len(story.standings), room)
    y = _draw_standings(canvas, y, story.standings, row)
    left = HEIGHT - MARGIN - y - below
    if left >= LEAST_CURVE + GAP and len(story.standings[0].curve) > 1:
        _draw_curves(canvas, y, left - GAP, story)
    bottom = HEIGHT - MARGIN - below
    bottom = _draw_facts(canvas, bottom, story.facts)
    _draw_payments(canvas, bottom, story)
    return canvas.svg(story.headline)


def _draw_top(canvas: Canvas, day: str, place: str) -> float:
    """The four suits, the game's name, when, and at which table."""
    for n, suit in enumerate(SUITS):
        canvas.shape((MARGIN + n * 44, MARGIN), 1.8, suit, RED if n % 2 else INK)
    canvas.text((WIDTH - MARGIN, MARGIN + 31), day, 34, SOFT, anchor="end")
    drawn = leave_out_undrawable(place)
    at = (MARGIN + 196, MARGIN + 31)
    room = WIDTH - MARGIN - measure(day, 34) - 40 - at[0]
    canvas.text(at, shorten(drawn, room, 34), 34, SOFT)
    return MARGIN + 36 + GAP


def _draw_headline(canvas: Canvas, y: float, headline: str) -> float:
    """Who won, and how, as large as it fits into three lines."""
    text = leave_out_undrawable(headline)
    for size in (104, 92, 80, 68, 58, 50):
        lines = wrap(text, INNER, size, BOLD)
        if len(lines) <= (2 if size > 70 else 3):
            break
    for line in lines[:3]:
        y += size * 1.12
        canvas.text((MARGIN, y - size * 0.14), line, size, GOLD, BOLD)
    return y + GAP


def _draw_records(canvas: Canvas, y: float, records: Sequence[str]) -> float:
    """What it was in the light of the years, each with a star."""
    for record in records:
        text, size = fit(leave_out_undrawable(record), INNER - 56, (36, 32, 28), BOLD)
        canvas.shape((MARGIN, y), 1.8, STAR, GOLD)
        canvas.text((MARGIN + 56, y + 31), text, size, INK, BOLD)
        y += 52
    return y + GAP / 2 if records else y


def _height_of_row(players: int, room: float) -> float:
    """Lines that leave room for the curve, or where there is none, that take it all."""
    beside_curve = (room - LEAST_CURVE - 2 * GAP) / players
    if beside_curve >= LEAST_ROW:
        return min(MOST_ROW, beside_curve)
    return max(LEAST_ROW, min(MOST_ROW, (room - GAP) / players))


def _draw_standings(canvas: Canvas, y: float, standings: Sequence[Standing], row: float) -> float:
    """A line for each player, in the colour of their curve."""
    size = round(row * 0.5)
    names = [leave_out_undrawable(each.name) or each.short for each in standings]
    amounts = min(max(measure(each.amount, size, BOLD) for each in standings), INNER * 0.34)
    reached = min(max(measure(each.reached, size) for each in standings), INNER * 0.32)
    end = WIDTH - MARGIN - (amounts + 36 if amounts else 0)
    room = end - reached - 30 - MARGIN - 42
    small = _find_size(names, room, (size, round(size * 0.9), round(size * 0.8)))
    for n, (name, each) in enumerate(zip(names, standings, strict=True)):
        middle, base = y + row / 2, y + row / 2 + size * 0.36
        canvas.circle((MARGIN + 12, middle), 11, _colour(n))
        told = shorten(name, room, small, BOLD)
        canvas.text((MARGIN + 42, base), told, small, GOLD if each.best else INK, BOLD)
        text, fitted = fit(each.reached, reached + 1, (size, round(size * 0.7)))
        canvas.text((end, base), text, fitted, SOFT if amounts else INK, anchor="end")
        text, fitted = fit(each.amount, amounts + 1, (size, round(size * 0.7)), BOLD)
        canvas.text((WIDTH - MARGIN, base), text, fitted, TONES[each.tone], BOLD, anchor="end")
        y += row
        if n + 1 < len(standings):
            canvas.rect((MARGIN, y - 1), (INNER, 2), RAISED)
    return y + GAP / 2


def _find_size(texts: Sequence[str], width: float, sizes: Sequence[int]) -> int:
    """The first of some sizes, from large to small, at which all texts fit; else the last."""
    longest = max(texts, key=lambda text: measure(text, 1, BOLD))
    return fit(longest, width, sizes, BOLD)[1]


def _colour(n: int) -> str:
    return PLAYERS[n % len(PLAYERS)]


def _draw_curves(canvas: Canvas, y: float, height: float, story: Story) -> None:
    """How everybody went up and down, from the left to the right; the best lie on top."""
    canvas.rect((MARGIN, y), (INNER, height), RAISED, 24)
    levels = [0] if story.level is None else [0, story.level]
    reached = (value for each in story.standings for value in each.curve if value is not None)
    heights = [*levels, *reached]
    low, high = min(heights), max(*heights, min(heights) + 1)
    left, width, top, tall = MARGIN + 28, INNER - 56, y + 26, height - 52

    def place(value: int) -> float:
        # Whole numbers first: points know no bounds, and fractions do.
        return top + tall - tall * ((value - low) * STEPS // (high - low)) / STEPS

    for level in levels:
        canvas.line([(left, place(level)), (left + width, place(level))], LINE, 3, "2 10")
    for n, each in reversed(list(enumerate(story.standings))):
        step = width / (len(each.curve) - 1)
        points = [(left + step * x, place(value)) for x, value in _thin(each.curve)]
        canvas.line(points, _colour(n), 6)
        canvas.circle(points[-1], 9, _colour(n))


def _thin(curve: Sequence[int | None]) -> list[tuple[int, int]]:
    """The places of a curve, of a long one only so many as can be told apart, and the last."""
    stride, last = -(-len(curve) // MOST_POINTS), len(curve) - 1
    places = [place for place in range(len(curve)) if place % stride == 0 or place == last]
    return [(place, value) for place in places if (value := curve[place]) is not None]


def _height_of_facts(story: Story) -> float:
    return FACT + GAP if story.facts else 0


def _draw_facts(canvas: Canvas, y: float, facts: Mapping[str, str]) -> float:
    """What happened, side by side."""
    if not facts:
        return y
    width = (INNER - (len(facts) - 1) * 18) / len(facts)
    for n, (heading, fact) in enumerate(facts.items()):
        x = MARGIN + n * (width + 18)
        canvas.rect((x, y), (width, FACT), RAISED, 20)
        text, size = fit(heading, width - 44, (25, 22, 20))
        canvas.text((x + 22, y + 40), text, size, SOFT)
        _draw_fact(canvas, (x + 22, y + 88), leave_out_undrawable(fact), width - 44)
    return y + FACT + GAP


def _draw_fact(canvas: Canvas, at: tuple[float, float], fact: str, width: float) -> None:
    """Write a fact on one line, or smaller on two."""
    (x, base), (text, size) = at, fit(fact, width, (34, 31, 28, 25), BOLD)
    if text == fact:
        return canvas.text((x, base), fact, size, INK, BOLD)
    first, *others = wrap(fact, width, 24, BOLD)
    canvas.text((x, base - 14), first, 24, INK, BOLD)
    canvas.text((x, base + 16), shorten(" ".join(others), width, 24, BOLD), 24, INK, BOLD)
    return None


def _height_of_payments(story: Story) -> float:
    if not story.payments:
        return 0
    return HEADING + PAYMENT * -(-len(story.payments) // _count_columns(story.payments))


def _count_columns(payments: Sequence[tuple[str, str]]) -> int:
    """Few have a line each, and so have some more that would be cut off two to a line."""
    fits = _size_of_payments(payments, _width_of_column(2)) > CUT_OFF
    return 1 if len(payments) <= FEW or (len(payments) <= SOME and not fits) else 2


def _width_of_column(columns: int) -> float:
    return (INNER - (columns - 1) * 48) / columns


def _draw_payments(canvas: Canvas, y: float, story: Story) -> None:
    """Who pays whom, in one column or two."""
    if not story.payments:
        return
    canvas.text((MARGIN, y + 28), story.heading, 28, SOFT)
    columns = _count_columns(story.payments)
    width = _width_of_column(columns)
    size = _size_of_payments(story.payments, width)
    for n, (who, amount) in enumerate(story.payments):
        line, column = divmod(n, columns)
        x, base = MARGIN + column * (width + 48), y + HEADING + line * PAYMENT + 34
        sum_ = shorten(amount, width * 0.6, size, BOLD)
        room = width - measure(sum_, size, BOLD) - 20
        canvas.text((x, base), shorten(leave_out_undrawable(who), room, size), size, INK)
        canvas.text((x + width, base), sum_, size, GOLD, BOLD, anchor="end")


def _size_of_payments(payments: Sequence[tuple[str, str]], width: float) -> int:
    """The largest size at which all of them fit, if there is one."""
    for size in (36, 32, 28):
        if all(measure(w, size) + measure(a, size, BOLD) + 20 <= width for w, a in payments):
            return size
    return CUT_OFF
