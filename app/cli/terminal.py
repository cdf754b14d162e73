"""Text in a terminal: how wide it is, and how it is cut, padded and coloured."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Sequence

import click

ELLIPSIS = "…"
NARROWEST, USUAL, WIDEST = 40, 80, 120
_NO_WIDTH = ("Mn", "Me", "Cf")
_CONTROL = ("Cc", "Cs", "Zl", "Zp")


def page_width() -> int:
    """The columns there are to fill: those of the terminal, 80 where there is none."""
    columns = shutil.get_terminal_size((USUAL, 24)).columns
    return max(NARROWEST, min(WIDEST, columns))


def choose_colours() -> bool | None:
    """False where NO_COLOR says so; otherwise None: only in a terminal (no-color.org)."""
    return False if os.environ.get("NO_COLOR") else None


def plain(text: str) -> str:
    """Replace what would steer the terminal instead of being shown."""
    return "".join("�" if unicodedata.category(char) in _CONTROL else char for char in text)


def width(text: str) -> int:
    """The columns a text takes: East Asian wide characters two, combining ones none."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shorten(text: str, room: int) -> str:
    """Cut a text to `room` columns, the last of them an ellipsis where something is lost."""
    if width(text) <= room:
        return text
    start = ""
    for char in text:
        if width(start + char) > room - 1:
            break
        start += char
    return start.rstrip() + ELLIPSIS


def pad_right(text: str, room: int) -> str:
    """Pad a text on its right."""
    return text + " " * (room - width(text))


def pad_left(text: str, room: int) -> str:
    """Pad a text on its left."""
    return " " * (room - width(text)) + text


def wrap(text: str, room: int, indent: str = "") -> list[str]:
    """Break a text between words into lines of `room` columns; all but the first are indented.

    A word too long for a line is cut.
    """
    lines: list[str] = []
    for word in (shorten(word, room - width(indent)) for word in text.split(" ")):
        if lines and width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word if lines else word)
    return lines


def short_names(names: Sequence[str], room: int) -> dict[str, str]:
    """Names that fit `room` columns and still differ: the first word, else cut, else numbered."""
    short = [_short_name(name, names, room) for name in names]
    return {
        name: cut if short.count(cut) == 1 else f"{shorten(name, room - 1)}{seat}"
        for seat, (name, cut) in enumerate(zip(names, short, strict=True), start=1)
    }


def _short_name(name: str, names: Sequence[str], room: int) -> str:
    first = name.split(maxsplit=1)[0]
    alone = [other.split()[0] for other in names].count(first) == 1
    return shorten(first if alone and width(name) > room else name, room)


def table(rows: Sequence[Sequence[str]], aligned: str) -> list[str]:
    """Lay out rows in columns two spaces apart, `l`eft or `r`ight aligned."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    pads = [pad_right if way == "l" else pad_left for way in aligned]
    return [
        "  ".join(
            pad(cell, room) for pad, cell, room in zip(pads, row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


def bold(text: str) -> str:
    """Make a text stand out."""
    return click.style(text, bold=True)


def faint(text: str) -> str:
    """Let a text step back."""
    return click.style(text, dim=True)


def paint(text: str, colour: str) -> str:
    """Colour a text; `click.echo` takes the colour away again outside a terminal."""
    return click.style(text, fg=colour)
