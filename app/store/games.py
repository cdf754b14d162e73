"""Rows of games, and the log of their events, to which is only ever added."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from app.store.clock import now
from app.store.connection import Connection

EventStatus = Literal["effective", "undone", "dropped", "replaced"]

# All games ever started; and those that are there, their start not being undone.
_EVER = "SELECT id, table_id, number, uid, setup, begun_at, started_seq FROM games"
_GAMES = f"{_EVER} WHERE undone_seq IS NULL"


class GameRow(msgspec.Struct, frozen=True):
    """One game of a table, `number` from 1; `setup` is a game file's JSON without its events.

    Besides, `setup` holds the names of whoever has ever joined it, as `joined`.

    `started_seq` is the version of the table at which it was started there, None for a game whose
    start cannot be undone.
    """

    id: int
    table_id: int
    number: int
    uid: str
    setup: str
    begun_at: str
    started_seq: int | None


class EventRow(msgspec.Struct, frozen=True):
    """One recorded event as JSON, and whether it counts.

    It came by version `seq` of the table. `after_id` is the key of the event that an amendment put
    it in behind, 0 for the start of the game, None for a tap.
    """

    id: int
    seq: int
    body: str
    recorded_at: str
    status: EventStatus
    after_id: int | None


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
    started_seq: int | None = None,
) -> GameRow:
    """Add a table's next game; `uid` tells it from all others anywhere.

    `started_seq` is the version of the table at which it is started, where that can be undone.
    """
    row = (table_id, number, uid, setup, now(), started_seq)
    sql = """INSERT INTO games (table_id, number, uid, setup, begun_at, started_seq)
        VALUES (?, ?, ?, ?, ?, ?)"""
    return GameRow(int(connection.execute(sql, row).lastrowid or 0), *row)


def find(connection: Connection, table_id: int, number: int) -> GameRow | None:
    """One game of a table."""
    sql = f"{_GAMES} AND table_id = ? AND number = ?"
    row = connection.execute(sql, [table_id, number]).fetchone()
    return GameRow(*row) if row else None


def find_ever(connection: Connection, table_id: int, number: int) -> GameRow | None:
    """One game of a table, its start perhaps undone."""
    sql = f"{_EVER} WHERE table_id = ? AND number = ?"
    row = connection.execute(sql, [table_id, number]).fetchone()
    return GameRow(*row) if row else None


def find_last_time(connection: Connection, game: GameRow) -> str:
    """When a game was last written at, or begun."""
    sql = "SELECT recorded_at FROM events WHERE game_id = ? ORDER BY seq DESC, id DESC LIMIT 1"
    row = connection.execute(sql, [game.id]).fetchone()
    return str(row[0]) if row else game.begun_at


def find_all(connection: Connection, table_id: int) -> list[GameRow]:
    """All games of a table, oldest first."""
    sql = f"{_GAMES} AND table_id = ? ORDER BY number"
    return [GameRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def find_all_ever(connection: Connection, table_id: int) -> list[GameRow]:
    """All games of a table, oldest first, those whose start is undone included."""
    sql = f"{_EVER} WHERE table_id = ? ORDER BY number"
    return [GameRow(*row) for row in connection.execute(sql, [table_id]).fetchall()]


def find_everywhere(connection: Connection) -> list[GameRow]:
    """All games of all tables."""
    return [GameRow(*row) for row in connection.execute(f"{_GAMES} ORDER BY id").fetchall()]


def save_setup(connection: Connection, game_id: int, setup: str) -> None:
    """Let a game's setup say who else is named by its events."""
    connection.execute("UPDATE games SET setup = ? WHERE id = ?", [setup, game_id])


def keep_started(connection: Connection, game_id: int) -> None:
    """Let the start of a game never be undone, as nothing is left of what was before."""
    connection.execute("UPDATE games SET started_seq = NULL WHERE id = ?", [game_id])


def find_events(connection: Connection, game_id: int) -> list[EventRow]:
    """Every event ever recorded in a game, in its order, those that count no more included."""
    sql = """SELECT id, seq, body, recorded_at, status, after_id FROM events
        WHERE game_id = ? ORDER BY seq, id"""
    return in_order([EventRow(*row) for row in connection.execute(sql, [game_id]).fetchall()])


def find_bodies(connection: Connection, game_id: int, kind: str) -> list[str]:
    """The bodies of those events of one kind in a game that count, in any order."""
    sql = """SELECT body FROM events
        WHERE game_id = ? AND status = 'effective' AND body ->> 'event' = ?"""
    return [row[0] for row in connection.execute(sql, [game_id, kind]).fetchall()]


def find_broken_off(connection: Connection, table_id: int) -> frozenset[int]:
    """The numbers of the games of a table that were broken off."""
    sql = """SELECT DISTINCT number FROM games JOIN events ON game_id = games.id
        WHERE table_id = ? AND undone_seq IS NULL
            AND status = 'effective' AND body ->> 'event' = 'break_off'"""
    return frozenset(number for (number,) in connection.execute(sql, [table_id]).fetchall())


def in_order(rows: list[EventRow]) -> list[EventRow]:
    """Taps as they came, and behind each event what was put in there, the newest first."""
    behind: defaultdict[int | None, list[EventRow]] = defaultdict(list)
    for row in rows:
        behind[row.after_id].append(row)
    ordered, waiting = [], [*reversed(behind[None]), *behind[0]]
    while waiting:
        row = waiting.pop()
        ordered.append(row)
        waiting.extend(behind[row.id])
    return ordered


_COUNTING_AT = """
    WITH undone AS (
        SELECT event_id, amendment_id FROM undone_spans
        WHERE game_id = ?1 AND seq <= ?2 AND until_seq > ?2
    ), made AS (
        SELECT id, seq FROM amendments
        WHERE game_id = ?1 AND seq <= ?2 AND (until_seq IS NULL OR until_seq > ?2)
            AND id NOT IN (SELECT amendment_id FROM undone WHERE amendment_id IS NOT NULL)
    )
    SELECT id FROM events WHERE game_id = ?1 AND seq <= ?2
        AND (after_id IS NULL OR seq IN (SELECT seq FROM made))
        AND NOT (status IN ('undone', 'dropped') AND until_seq <= ?2)
        AND id NOT IN (SELECT event_id FROM undone WHERE event_id IS NOT NULL)
        AND id NOT IN (
            SELECT event_id FROM replacements WHERE amendment_id IN (SELECT id FROM made)
        )"""


def find_counting_at(connection: Connection, game_id: int, seq: int) -> frozenset[int]:
    """The keys of the events of a game that counted at a version of its table."""
    rows = connection.execute(_COUNTING_AT, [game_id, seq]).fetchall()
    return frozenset(key for (key,) in rows)


_CHANGES = """SELECT game_id, MIN(first), MAX(last) FROM (
    SELECT game_id, MIN(seq) AS first, MAX(MAX(seq), COALESCE(MAX(until_seq), 0)) AS last
        FROM games JOIN events ON game_id = games.id WHERE table_id = ?1 GROUP BY game_id
    UNION ALL
    SELECT game_id, seq, COALESCE(until_seq, seq) FROM amendments WHERE table_id = ?1
    UNION ALL
    SELECT game_id, MIN(seq), MAX(until_seq)
        FROM games JOIN undone_spans ON game_id = games.id WHERE table_id = ?1 GROUP BY game_id
    ) GROUP BY game_id"""


def find_changes(connection: Connection, table_id: int) -> Mapping[int, ChangeRow]:
    """When each game of a table that has events was changed, by the game's key."""
    rows = connection.execute(_CHANGES, [table_id]).fetchall()
    return {game_id: ChangeRow(first, last) for game_id, first, last in rows}


def add_events(
    connection: Connection, game_id: int, seq: int, events: Iterable[tuple[str, str | None]]
) -> None:
    """Append events, each as JSON and with the time it was recorded, None for now."""
    sql = "INSERT INTO events (game_id, seq, body, recorded_at) VALUES (?, ?, ?, ?)"
    recorded_at = now()
    rows = [(game_id, seq, body, at or recorded_at) for body, at in events]
    connection.conn.executemany(sql, rows)
