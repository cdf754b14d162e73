"""QR codes of a page or a terminal, decoded by an independent reader."""

import re

import zxingcpp

MARGIN, SCALE = 4, 6
_STROKE = re.compile(r"([Mmh])(-?[0-9.]+)(?: ?(-?[0-9.]+))?")
# The light halves of a character: the upper, the lower.
HALVES = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}


def read_path(path: str) -> str:
    """Read a QR code drawn as strokes of dark modules, `M` and `m` to move and `h` to draw."""
    dark, x, y = set(), 0.0, 0.0
    for kind, first, second in _STROKE.findall(path):
        if kind == "h":
            dark |= {(int(x) + n, int(y)) for n in range(int(first))}
            x += float(first)
        else:
            from_x, from_y = (x, y) if kind == "m" else (0.0, 0.0)
            x, y = from_x + float(first), from_y + float(second)
    return _read(dark)


def read_terminal(shown: str) -> str:
    """Read the QR code in the output of a terminal, each character two modules high."""
    lines = [line for line in shown.splitlines() if line and set(line) <= set(HALVES)]
    halves = [[HALVES[character] for character in line] for line in lines]
    return _read(
        {
            (x, 2 * y + half)
            for y, row in enumerate(halves)
            for x, light in enumerate(row)
            for half in (0, 1)
            if not light[half]
        }
    )


def _read(dark: set[tuple[int, int]]) -> str:
    """Read a code from its dark modules."""
    size = (max(max(module) for module in dark) + 1 + MARGIN) * SCALE
    pixels = bytes(
        0 if (column // SCALE, row // SCALE) in dark else 255
        for row in range(size)
        for column in range(size)
    )
    codes = zxingcpp.read_barcodes(memoryview(pixels).cast("B", (size, size)))
    assert len(codes) == 1
    return str(codes[0].text)
