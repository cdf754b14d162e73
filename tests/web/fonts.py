"""What an OpenType font says of its letters, read from its file without a library."""

from __future__ import annotations

from pathlib import Path
from struct import unpack_from


def read_widths(path: Path) -> dict[str, float]:
    """Return how wide each letter of a font is, in ems."""
    data = path.read_bytes()
    count = unpack_from(">H", data, 4)[0]
    tables = {
        data[12 + 16 * n : 16 + 16 * n]: unpack_from(">L", data, 20 + 16 * n)[0]
        for n in range(count)
    }
    em = unpack_from(">H", data, tables[b"head"] + 18)[0]
    long = unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    metrics = tables[b"hmtx"]
    return {
        letter: unpack_from(">H", data, metrics + 4 * min(glyph, long - 1))[0] / em
        for letter, glyph in _read_glyphs(data, tables[b"cmap"]).items()
    }


def _read_glyphs(data: bytes, cmap: int) -> dict[str, int]:
    """Return the glyph of each letter, from the segments of a table of format 4."""
    subtables = unpack_from(">H", data, cmap + 2)[0]
    found = [unpack_from(">HHL", data, cmap + 4 + 8 * n) for n in range(subtables)]
    at = next(
        cmap + offset for *_, offset in found if unpack_from(">H", data, cmap + offset)[0] == 4
    )
    segments = unpack_from(">H", data, at + 6)[0] // 2
    ends, starts, deltas, offsets = (
        unpack_from(f">{segments}H", data, at + 14 + 2 * segments * n + (2 if n else 0))
        for n in range(4)
    )
    glyphs: dict[str, int] = {}
    for n in range(segments):
        for code in range(starts[n], min(ends[n], 0xFFFE) + 1):
            glyph = code
            if offsets[n]:
                place = at + 16 + 6 * segments + 2 * n + offsets[n] + 2 * (code - starts[n])
                glyph = unpack_from(">H", data, place)[0]
            glyphs[chr(code)] = (glyph + deltas[n]) % 0x10000
    return glyphs
