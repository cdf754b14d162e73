"""An SVG picture: texts that are measured and fitted without a font at hand, and a few shapes.

It refers to nothing outside of itself, and its only styles are attributes: no policy forbids them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from markupsafe import Markup

from app.web.evening.widths import NONE, RANGES, UNIT, WIDTHS, ZERO

# The server has the first, a browser that draws the picture itself one of the others.
FAMILY = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
REGULAR, BOLD = 500, 700
ELLIPSIS = "…"

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

_LETTERS = "".join(chr(code) for first, last in RANGES for code in range(first, last + 1))
_EMS = {
    weight: {
        letter: (ord(width) - ZERO) / UNIT
        for letter, width in zip(_LETTERS, widths, strict=True)
        if width != NONE
    }
    for weight, widths in WIDTHS.items()
}


def leave_out_undrawable(text: str) -> str:
    """A text with those of its letters that the font has; a bare server has no other font."""
    return "".join(letter for letter in text if letter in _EMS[BOLD]).strip()


def measure(text: str, size: float, weight: int = REGULAR) -> float:
    """How wide a text is at a size, in pixels of the picture."""
    ems = _EMS[weight]
    return size * sum(ems.get(letter, 0) for letter in text)


def shorten(text: str, width: float, size: float, weight: int = REGULAR) -> str:
    """A text cut off where the width ends, with an ellipsis."""
    if measure(text, size, weight) <= width:
        return text
    while text and measure(text + ELLIPSIS, size, weight) > width:
        text = text[:-1].rstrip()
    return text + ELLIPSIS


def fit(text: str, width: float, sizes: Sequence[int], weight: int = REGULAR) -> tuple[str, int]:
    """A text at the first of some sizes, from large to small, at which it fits; else cut off."""
    for size in sizes:
        if measure(text, size, weight) <= width:
            return text, size
    return shorten(text, width, sizes[-1], weight), sizes[-1]


def wrap(text: str, width: float, size: float, weight: int = REGULAR) -> list[str]:
    """A text in lines; a word that is wider than a line is cut off."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(shorten(word, width, size, weight))
    return lines


class Canvas:
    """What has been drawn so far, in the order in which it lies on top of each other."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._parts: list[Markup] = []

    def text(
        self,
        at: Point,
        text: str,
        size: float,
        fill: str,
        weight: int = REGULAR,
        *,
        anchor: Anchor = "start",
    ) -> None:
        """Write a text on a line; `at` is where the line begins, or ends for the anchor `end`.

        It is as wide as it is measured, whichever font a phone has instead of ours.
        """
        if text:
            written = Markup(
                '<text x="{:g}" y="{:g}" font-size="{:g}" font-weight="{}" fill="{}"'
                ' text-anchor="{}" textLength="{:.4g}" lengthAdjust="spacingAndGlyphs">{}</text>'
            )
            width = measure(text, size, weight)
            self._parts.append(written.format(*at, size, weight, fill, anchor, width, text))

    def rect(self, at: Point, size: Point, fill: str, radius: float = 0) -> None:
        """Fill a rectangle."""
        self._parts.append(
            Markup(
                '<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="{:g}" fill="{}"/>'
            ).format(*at, *size, radius, fill)
        )

    def circle(self, at: Point, radius: float, fill: str) -> None:
        """Fill a circle."""
        circle = Markup('<circle cx="{:g}" cy="{:g}" r="{:g}" fill="{}"/>')
        self._parts.append(circle.format(*at, radius, fill))

    def shape(self, at: Point, scale: float, path: str, fill: str) -> None:
        """Fill a path, moved and scaled."""
        shape = Markup('<path transform="translate({:g} {:g}) scale({:g})" d="{}" fill="{}"/>')
        self._parts.append(shape.format(*at, scale, path, fill))

    def line(self, points: Iterable[Point], stroke: str, width: float, dashes: str = "") -> None:
        """Draw a line through points; `dashes` as SVG writes them."""
        line = Markup(
            '<polyline points="{}" fill="none" stroke="{}" stroke-width="{:g}"'
            ' stroke-linejoin="round" stroke-linecap="round"{}/>'
        )
        dashed = Markup(' stroke-dasharray="{}"').format(dashes) if dashes else ""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(line.format(places, stroke, width, dashed))

    def svg(self, title: str) -> str:
        """The whole picture; its title is for whoever hears it."""
        head = Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}"'
            ' viewBox="0 0 {0} {1}" font-family="{2}" role="img"><title>{3}</title>'
        )
        return (
            head.format(*self._size, FAMILY, title) + Markup().join(self._parts) + Markup("</svg>")
        )
