"""Tables filled to their bounds (app/services/tables.py), in the way in which games come in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from app.rules.gamefile import MAX_EVENTS, Game, decode_game
from app.rules.names import MAX_NAME, MAX_PLAYERS
from app.services import import_export, tables
from app.services.tables import Access, Write
from app.store import log
from app.store.clock import now
from app.store.database import Database
from app.store.log import ChangeRow
from tests.long_games import NOBODY, long_game

# An event takes so many bytes.
EVENT_BYTES = 90
SEATS = [f"#{seat}" for seat in range(MAX_PLAYERS)]
NIGHT = datetime(2026, 1, 3, 18, tzinfo=UTC)


def fill_table(db: Database, *, one_night: bool, share: float = 1.0) -> Write:
    """Fill a table to this share of its bounds; its keeper.

    Each week's game is an evening of its own and the newest is being played, or all are of one
    night and over.
    """
    count, pen = int(tables.MAX_GAMES * share), tables.new_pen()
    link = import_export.open_table(db, games(count, one_night=one_night), "", pen)
    with db.transaction() as connection:
        access = tables.find_access(connection, link, pen)
        for _ in range(tables.MAX_PENS - 1):
            tables.add_pen(connection, access.id, tables.new_pen())
        rows = payments(access, share) if one_night else undone(access, count, share)
        for row in rows:
            log.append(connection, access.id, row, access.pen_id)
    return Write(link, pen)


def games(count: int, *, one_night: bool) -> Iterator[Game]:
    """Make so many games as long as they may be, of as many people as may be."""
    entries = 1 + EVENT_BYTES / tables.ENTRY_BYTES
    events = int(0.9 * tables.MAX_ENTRIES / tables.MAX_GAMES / entries)
    over = json.dumps(play(min(events, MAX_EVENTS - 1), over=True))
    people = [name_of(number) for number in range(tables.MAX_NAMES)]
    for number in range(1, count + 1):
        text = over
        if number == count and not one_night:
            text = json.dumps(play(MAX_EVENTS - 10, over=False))
        for seat, place in enumerate(SEATS):
            name = people[(number + seat * seat) % len(people)]
            text = text.replace(json.dumps(place), json.dumps(name))
        at = NIGHT + (timedelta(seconds=number) if one_night else timedelta(weeks=number - count))
        raw = {**json.loads(text), "at": at.isoformat(), "id": f"{number}"}
        yield decode_game(json.dumps(raw).encode())


def name_of(number: int) -> str:
    """The name of a person, as long as one may be."""
    return f"{number}".ljust(MAX_NAME, "ö")


def play(events: int, *, over: bool) -> dict[str, object]:
    """Play a game of so many events for money, as a file with places instead of names."""
    raw = long_game(SEATS, events // 2)
    played = raw["events"]
    assert isinstance(played, list)
    end = [{"event": "break_off", "settle": True}] if over else []
    return {**raw, "stake_ore": 100, "events": played[:events] + end}


def undone(table: Access, game: int, share: float) -> Iterator[ChangeRow]:
    """Make changes of a game as many as may be, each of them undone at once."""
    most = int((tables.MAX_GAME_ENTRIES - MAX_EVENTS - tables.SPARE) * share)
    for seq in range(table.seq + 1, table.seq + most, 2):
        entries = table.entries + seq - table.seq
        yield ChangeRow(seq, "record", game, json.dumps(NOBODY), now(), seq + 1, entries)
        yield ChangeRow(seq + 1, "undo", game, f"{seq}", now(), None, entries + 1)


def payments(table: Access, share: float) -> Iterator[ChangeRow]:
    """Make as many payments as may be, one by one, to and fro."""
    for number in range(1, int((tables.MAX_PAYMENTS - tables.SPARE) * share)):
        body = json.dumps([[1 + number % 7, 2 + number % 7, 100, "cash"]])
        yield ChangeRow(table.seq + number, "pay", 0, body, now(), None, table.entries + number)
