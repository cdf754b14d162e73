"""Rows of games, and the log of their events, to which is only ever added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from app.store.database import Connection, now

EventStatus = Literal["effective", "undone", "dropped", "replaced"]

_GAMES = "SELECT id, table_id, number, uid, setup, begun_at FROM games"


class GameRow(msgspec.Struct, frozen=True):
    """One game of a table, `number` from 1; `setup` is a game file's JSON without its events."""

    id: int
    table_id: int
    number: int
    uid: str
    setup: str
    begun_at: str


class EventRow(msgspec.Struct, frozen=True):
    """One recorded event as JSON, and whether it counts.

    It counted from version `seq` of the table on, until version `until_seq`, None while it does.
    """

    id: int
    seq: int
    body: str
    recorded_at: str
    status: EventStatus
    until_seq: int | None

    def counted_at(self, seq: int) -> bool:
        """Whether it counted at a version of the table."""
        return self.seq <= seq and (self.until_seq is None or self.until_seq > seq)


class ChangeRow(msgspec.Struct, frozen=True):
    """The versions of the table by which a game's first event came, and its log last changed."""

    first_seq: int
    last_seq: int


def add(
    connection: Connection,
    table_id: int,
    number: int,
    uid: str,
    setup: str,
    begun_at: str | None = None,
) -> GameRow:
    """Add a table's next game; `uid` tells it from all others anywhere."""
    row = (table_id, number, uid, setup, begun_at or now())
    sql = "INSERT INTO games (table_id, number, uid, setup, begun_at) VALUES (?, ?, ?, ?, ?)"
    return GameRow(int(connection.execute(sql, row).lastrowid or 0), *row)


def find(connection: Connection, table_id: int, number: int) -> GameRow | None:
    """One game of a table."""
    sql = f"{_GAMES} WHERE table_id = ? AND number = ?"
    row = connection.execute(sql, [table_id, number]).fetchone()
    return GameRow(*row) if row else None


def find_newest(connection: Connection, table_id: int) -> GameRow:
    """The game a table is at."""
    sql = f"{_GAMES} WHERE table_id = ? ORDER BY number DESC LIMIT 1"
    return GameRow(*connection.execute(sql, [table_id]).fetchone())


def find_last_time(connection: Connection, game: GameRow) -> str:
    """When a game was last written at, or begun."""
    sql = "SELECT recorded_at FROM events WHERE game_id = ? ORDER BY seq DESC, id DESC LIMIT 1"
    row = connection.execute(sql, [game.id]).fetchone()
    return str(row[0]) if row else game.begun_at


def find_all(connection: Connection, table_id: int) -> list[GameRow]:
    """All games of a table, oldest first."""
    sql = f"{_GAMES} WHERE table_id = ? ORDER BY number"
    return [GameRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def find_below(connection: Connection, table_id: int, number: int, limit: int) -> list[GameRow]:
    """The newest games of a table before game `number`, newest first."""
    sql = f"{_GAMES} WHERE table_id = ? AND number < ? ORDER BY number DESC LIMIT ?"
    return [GameRow(*row) for row in connection.execute(sql, [table_id, number, limit]).fetchall()]


def find_everywhere(connection: Connection) -> list[GameRow]:
    """All games of all tables."""
    return [GameRow(*row) for row in connection.execute(f"{_GAMES} ORDER BY id").fetchall()]


def find_events(connection: Connection, game_id: int) -> list[EventRow]:
    """Every event ever recorded in a game, in order, those that count no more included."""
    sql = """SELECT id, seq, body, recorded_at, status, until_seq FROM events
        WHERE game_id = ? ORDER BY seq, id"""
    return [EventRow(*row) for row in connection.execute(sql, [game_id]).fetchall()]


def find_changes(connection: Connection, table_id: int) -> Mapping[int, ChangeRow]:
    """When each game of a table that has events was changed, by the game's key."""
    sql = """SELECT game_id, MIN(seq), MAX(MAX(seq), COALESCE(MAX(until_seq), 0))
        FROM games JOIN events ON game_id = games.id WHERE table_id = ? GROUP BY game_id"""
    rows = connection.execute(sql, [table_id]).fetchall()
    return {game_id: ChangeRow(first, last) for game_id, first, last in rows}


def add_events(
    connection: Connection, game_id: int, seq: int, events: Iterable[tuple[str, str | None]]
) -> None:
    """Append events, each as JSON and with the time it was recorded, None for now."""
    sql = "INSERT INTO events (game_id, seq, body, recorded_at) VALUES (?, ?, ?, ?)"
    for body, at in events:
        connection.execute(sql, [game_id, seq, body, at or now()])


def replace_events(connection: Connection, game_id: int, seq: int, first_id: int) -> None:
    """Let the events from `first_id` on count no more, others taking their place."""
    sql = """UPDATE events SET status = 'replaced', until_seq = ?
        WHERE game_id = ? AND id >= ? AND status = 'effective'"""
    connection.execute(sql, [seq, game_id, first_id])


def undo_event(connection: Connection, event_id: int, seq: int) -> None:
    """Let an event count no more, until it is redone."""
    sql = "UPDATE events SET status = 'undone', until_seq = ? WHERE id = ?"
    connection.execute(sql, [seq, event_id])


def redo_event(connection: Connection, event_id: int) -> None:
    """Let an undone event count again."""
    sql = "UPDATE events SET status = 'effective', until_seq = NULL WHERE id = ?"
    connection.execute(sql, [event_id])


def drop_undone(connection: Connection, game_id: int) -> None:
    """Let what was undone never be redone; it stays in the log."""
    sql = "UPDATE events SET status = 'dropped' WHERE game_id = ? AND status = 'undone'"
    connection.execute(sql, [game_id])
