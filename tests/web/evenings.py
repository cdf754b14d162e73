"""Helpers that build games and evenings, and decode the QR code of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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


def scored(player: str, points: int) -> Rules:
    """Return the event of a correction that gives a player points."""
    return {"event": "correction", "player": player, "points": points}


def won(player: str, points: int) -> tuple[Rules, ...]:
    """Return the events of a game that one player wins by a number of points over all others."""
    return scored(player, points), {"event": "break_off", "settle": True}


def open_games(
    db: Database, phone: Phone, games: list[Game], page: str = "", **more: Currency
) -> Write:
    """Open a page of a new table with these games, whose pen the phone has; return a write."""
    with phone.client.session_transaction() as cookie:
        pen = cookie["pen"] = access.new_pen()
    write = Write(import_export.open_with_games(db, games, "", pen, **more), pen)
    phone.open(f"/t/{write.link}{page}")
    return write


def without_times(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a game file without its timestamps, which a test cannot predict."""
    events = [{key: event[key] for key in event if key != "at"} for event in raw["events"]]
    return {key: raw[key] for key in raw if key != "at"} | {"events": events}


def plain(page: Page) -> str:
    """Return the text of a page, with common spaces for no-break spaces."""
    return page.text.replace("\N{NO-BREAK SPACE}", " ")


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


def shared_path(page: Page) -> str:
    """Return the path of the only link on a page that is to be sent on."""
    (field,) = page.elements("input.share[readonly]")
    return "/" + field["value"].split("/", 3)[3]


def links_to_send(phone: Phone) -> Iterator[tuple[str, str]]:
    """Make each link that is used once, and yield its path, and what the button there says."""
    for page, label, taken in (
        (f"{phone.table}/join", "Let somebody else write too", "Take the pen"),
        (f"{phone.table}/recovery", "Make a recovery link", "Take the pen"),
        ("/transfer", "Make a link", "Add them here"),
    ):
        phone.open(page)
        yield shared_path(phone.press(label)), taken


def read_code(page: Page) -> str:
    """Return the content of a page's only QR code, decoded by an independent reader."""
    (code,) = page.elements("path.qrline")
    return read_path(code["d"])
