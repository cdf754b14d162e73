"""Evenings at a table, played quickly, and the codes that its pages show."""

from __future__ import annotations

from flask import Flask

from app.http import context
from app.rules.events import Correction
from app.services import table_view
from app.services.commit import commit
from app.services.play import Mend, Record, Start
from app.services.tables import Write
from app.store.database import Database
from tests.codes import read_path
from tests.web.pages import Page
from tests.web.phone import Phone

NOBODY: dict[str, object] = {"event": "no_best_hand"}
SETTLED: dict[str, object] = {"event": "break_off", "settle": True}


def scored(player: str, points: int) -> dict[str, object]:
    """Return the event that a player got points."""
    return {"event": "correction", "player": player, "points": points}


def won(player: str, points: int) -> tuple[dict[str, object], ...]:
    """Return a game that one player wins by so many points over everybody."""
    return scored(player, points), SETTLED


def store_of(app: Flask) -> Database:
    """Return the application's database."""
    with app.app_context():
        return context.db()


def pen_of(phone: Phone) -> Write:
    """Return a write with the pen of a phone, at whatever version its table has."""
    with phone.client.session_transaction() as cookie:
        return Write(phone.table.removeprefix("/t/"), cookie["pen"])


def next_game(app: Flask, phone: Phone, *happened: dict[str, object], **changed: object) -> None:
    """Play one more game at a phone's table."""
    write = pen_of(phone)
    commit(store_of(app), write, Start(changed))
    for event in happened:
        commit(store_of(app), write, Record(event))


def amend(app: Flask, phone: Phone, number: int, player: str, points: int) -> None:
    """Let a game have been won by another number of points."""
    write = pen_of(phone)
    events = table_view.read_view(store_of(app), write.link, number).game.events
    corrected = Correction(player=player, points=points)
    commit(store_of(app), write, Mend(number, [corrected, *events[1:]]))


def read_code(page: Page) -> str:
    """Return what a reader that knows nothing of ours sees in a page's only QR code."""
    (code,) = page.elements("path.qrline")
    return read_path(code["d"])
