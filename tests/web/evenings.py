"""Helpers that build games and evenings, and decode the QR code of a page."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Flask

from app.http import context
from app.rules.gamefile import Game
from app.rules.settlement import Currency
from app.services import access, import_export
from app.services.access import Write
from app.services.commit import commit
from app.services.play import Record, Start
from app.store.database import Database
from tests.codes import read_path
from tests.rules.table import Rules, write_facts
from tests.web.pages import Page
from tests.web.phone import Phone

# What the buttons say that make a link to send, by page.
LINKS = {"/join": "write too", "/recovery": "recovery link", "/transfer": "Make a link"}


def won(player: str, points: int) -> tuple[Rules, ...]:
    """Return the events of a game that one player wins by a number of points over all others."""
    scored: Rules = {"event": "correction", "player": player, "points": points}
    return scored, {"event": "break_off", "settle": True}


def open_games(
    db: Database, phone: Phone, games: list[Game], page: str = "", **more: Currency
) -> Write:
    """Open a page of a new table with these games, whose pen the phone has; return a write."""
    with phone.client.session_transaction() as cookie:
        pen = cookie["pen"] = access.new_pen()
    write = Write(import_export.open_with_games(db, games, "", pen, **more), pen)
    phone.open(f"/t/{write.link}{page}")
    return write


def store_of(app: Flask) -> Database:
    """Return the application's database."""
    with app.app_context():
        return context.db()


def pen_of(phone: Phone) -> Write:
    """Return a write with the pen of a phone, on the newest version of its table."""
    with phone.client.session_transaction() as cookie:
        return Write(phone.table.removeprefix("/t/"), cookie["pen"])


def record(app: Flask, phone: Phone, *happened: str | Rules) -> None:
    """Record events at a phone's table, on its newest version."""
    for event in write_facts(*happened):
        commit(store_of(app), pen_of(phone), Record(event))


def next_game(app: Flask, phone: Phone, *happened: str | Rules, **changed: object) -> None:
    """Play one more game at a phone's table."""
    commit(store_of(app), pen_of(phone), Start(changed))
    record(app, phone, *happened)


def hand_over(phone: Phone, page: str = "/join") -> str:
    """Make a link that is used once, on a page of the table or of the phone; return its path."""
    phone.open(page if page == "/transfer" else phone.table + page)
    phone.submit(next(b for b in phone.page.buttons if LINKS[page] in b.label))
    (field,) = phone.page.elements("input.share[readonly]")
    return "/" + field["value"].split("/", 3)[3]


def links_to_send(phone: Phone) -> Iterator[tuple[str, str]]:
    """Make each link that is used once, and yield its path, and what the button there says."""
    for page in LINKS:
        yield hand_over(phone, page), "Add them here" if page == "/transfer" else "Take the pen"


def read_code(page: Page) -> str:
    """Return the content of a page's only QR code, decoded by an independent reader."""
    (code,) = page.elements("path.qrline")
    return read_path(code["d"])
