"""Evenings at a table, played quickly, and the codes that its pages show."""

from __future__ import annotations

import re

import zxingcpp
from flask import Flask

from app.rules.events import Correction
from app.services import play, tables
from app.services.tables import Write
from app.store.database import Pool
from tests.web.pages import Page
from tests.web.phone import Phone

SETTLED: dict[str, object] = {"event": "break_off", "settle": True}
MARGIN, SCALE = 4, 6
_STROKE = re.compile(r"([Mmh])(-?[0-9.]+)(?: ?(-?[0-9.]+))?")


def scored(player: str, points: int) -> dict[str, object]:
    """Return the event that a player got points."""
    return {"event": "correction", "player": player, "points": points}


def won(player: str, points: int) -> tuple[dict[str, object], ...]:
    """Return a game that one player wins by so many points over everybody."""
    return scored(player, points), SETTLED


def store_of(app: Flask) -> Pool:
    """Return the application's database."""
    pool: Pool = app.extensions["pool"]
    return pool


def pen_of(phone: Phone) -> Write:
    """Return a write with the pen of a phone, at whatever version its table has."""
    with phone.client.session_transaction() as cookie:
        return Write(phone.table.removeprefix("/t/"), cookie["pen"])


def next_game(app: Flask, phone: Phone, *happened: dict[str, object], **changed: object) -> None:
    """Play one more game at a phone's table."""
    write = pen_of(phone)
    play.next_game(store_of(app), write, changed)
    for event in happened:
        play.record(store_of(app), write, event)


def amend(app: Flask, phone: Phone, number: int, player: str, points: int) -> None:
    """Let a game have been won by another number of points."""
    write = pen_of(phone)
    events = tables.read_sheet(store_of(app), write.link, number).game.events
    corrected = Correction(player=player, points=points)
    play.amend(store_of(app), write, number, [corrected, *events[1:]])


def read_code(page: Page) -> str:
    """Return what a reader that knows nothing of ours sees in a page's only QR code."""
    (code,) = page.elements("path.qrline")
    return decoded(code["d"])


def decoded(path: str) -> str:
    """Read a QR code drawn as strokes of dark modules, `M` and `m` to move and `h` to draw."""
    dark, x, y = set(), 0.0, 0.0
    for kind, first, second in _STROKE.findall(path):
        if kind == "h":
            dark |= {(int(x) + n, int(y)) for n in range(int(first))}
            x += float(first)
        else:
            from_x, from_y = (x, y) if kind == "m" else (0.0, 0.0)
            x, y = from_x + float(first), from_y + float(second)
    size = (max(max(module) for module in dark) + 1 + MARGIN) * SCALE
    pixels = bytes(
        0 if (column // SCALE, row // SCALE) in dark else 255
        for row in range(size)
        for column in range(size)
    )
    image = memoryview(pixels).cast("B", (size, size))
    codes = zxingcpp.read_barcodes(image)
    assert len(codes) == 1
    return str(codes[0].text)
