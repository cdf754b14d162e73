"""Reading a copy of a table from its rows, and writing one."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET

from app.store.connection import Connection
from app.store.migrations.m001_schema import each
from app.store.table_copy import (
    SEAT_COLUMNS,
    AmendmentCopy,
    Cells,
    EventCopy,
    GameCopy,
    PaymentCopy,
    PersonCopy,
    SpanCopy,
    TableCopy,
)
from app.store.tables import TableRow


def read(connection: Connection, table_id: int, since: int | None = None) -> TableCopy:
    """Copy a table; without the logs of games that are as they were at version `since`."""
    sql = "SELECT name, seq, created_at, entries, erased_seq, currency FROM tables WHERE id = ?"
    name, seq, at, entries, erased_seq, currency = connection.execute(sql, [table_id]).fetchone()
    people, places = _read_people(connection, table_id)
    payments = _read_payments(connection, table_id, places)
    # Whose log was erased in parts has changed everywhere.
    unchanged = None if since is None or erased_seq > since else since
    games = tuple(_read_games(connection, table_id, unchanged))
    return TableCopy(name, seq, at, entries, erased_seq, people, payments, games, currency)


def _read_people(
    connection: Connection, table_id: int
) -> tuple[tuple[PersonCopy, ...], Mapping[int, int]]:
    sql = "SELECT id, name, same_as, swish FROM people WHERE table_id = ? ORDER BY id"
    rows = connection.execute(sql, [table_id]).fetchall()
    places = _places(row[0] for row in rows)
    return tuple(PersonCopy(n, places.get(same), swish) for _, n, same, swish in rows), places


def _read_payments(
    connection: Connection, table_id: int, places: Mapping[int, int]
) -> tuple[PaymentCopy, ...]:
    sql = """SELECT seq, payer, payee, ore, way, paid_at, undone_seq FROM payments
        WHERE table_id = ? ORDER BY id"""
    rows = connection.execute(sql, [table_id]).fetchall()
    return tuple(
        PaymentCopy(seq, places[payer], places[payee], *rest) for seq, payer, payee, *rest in rows
    )


def _places(keys: Iterable[int]) -> dict[int, int]:
    return {key: place for place, key in enumerate(keys, start=1)}


def _read_games(connection: Connection, table_id: int, since: int | None) -> Iterable[GameCopy]:
    sql = """SELECT id, number, uid, setup, begun_at, started_seq, undone_seq FROM games
        WHERE table_id = ? ORDER BY number"""
    changed = None if since is None else _changed_since(connection, table_id, since)
    for game_id, *columns in connection.execute(sql, [table_id]).fetchall():
        game = GameCopy(*columns)
        is_known = changed is not None and game_id not in changed
        yield game if is_known else _read_log(connection, game_id, game)


_CHANGED = """SELECT id FROM games WHERE table_id = ?1 AND (
    number = (SELECT MAX(number) FROM games WHERE table_id = ?1)
    OR started_seq > ?2 OR undone_seq > ?2
    OR EXISTS (SELECT 1 FROM events
        WHERE game_id = games.id AND MAX(seq, COALESCE(until_seq, 0)) > ?2)
    OR EXISTS (SELECT 1 FROM amendments
        WHERE game_id = games.id AND MAX(seq, COALESCE(until_seq, 0)) > ?2)
    OR EXISTS (SELECT 1 FROM undone_spans WHERE game_id = games.id AND until_seq > ?2))"""


def _changed_since(connection: Connection, table_id: int, seq: int) -> frozenset[int]:
    """The games whose log has changed since a version; the newest, which may be new, as well."""
    rows = connection.execute(_CHANGED, [table_id, seq]).fetchall()
    return frozenset(key for (key,) in rows)


def _read_log(connection: Connection, game_id: int, game: GameCopy) -> GameCopy:
    sql = """SELECT id, seq, body, recorded_at, status, until_seq, after_id FROM events
        WHERE game_id = ? ORDER BY id"""
    rows = connection.execute(sql, [game_id]).fetchall()
    places = {0: 0, **_places(row[0] for row in rows)}
    events = tuple(
        EventCopy(seq, body, at, status, until_seq, places.get(after))
        for _, seq, body, at, status, until_seq, after in rows
    )
    amendments, made = _read_amendments(connection, game_id, places)
    sql = """SELECT event_id, amendment_id, seq, until_seq FROM undone_spans
        WHERE game_id = ? ORDER BY id"""
    rows = connection.execute(sql, [game_id]).fetchall()
    spans = tuple(SpanCopy(places.get(event), made.get(by), *at) for event, by, *at in rows)
    return msgspec.structs.replace(
        game,
        events=events,
        amendments=amendments,
        spans=spans,
        seats=_read_seats(connection, game_id),
    )


def _read_amendments(
    connection: Connection, game_id: int, places: Mapping[int, int]
) -> tuple[tuple[AmendmentCopy, ...], Mapping[int, int]]:
    sql = """SELECT id, seq, deal, recorded_at, status, until_seq,
            (SELECT json_group_array(event_id) FROM replacements WHERE amendment_id = amendments.id)
        FROM amendments WHERE game_id = ? ORDER BY id"""
    rows = connection.execute(sql, [game_id]).fetchall()
    copies = [
        AmendmentCopy(
            seq, deal, at, status, until_seq, tuple(places[key] for key in json.loads(replaced))
        )
        for _, seq, deal, at, status, until_seq, replaced in rows
    ]
    return tuple(copies), _places(row[0] for row in rows)


def _read_seats(connection: Connection, game_id: int) -> tuple[Cells, ...]:
    sql = f"SELECT {each('{}', SEAT_COLUMNS)} FROM game_statistics WHERE game_id = ? ORDER BY seat"
    return tuple(list(row) for row in connection.execute(sql, [game_id]).fetchall())


def write(connection: Connection, table: TableRow, copy: TableCopy) -> None:
    """Let a table be as its copy, whatever it was; games without a log keep the one they have.

    The keys of requests are dropped: what they speak of is not what is there now.
    """
    sql = """UPDATE tables SET name = ?, seq = ?, created_at = ?, entries = ?, erased_seq = ?,
        currency = ? WHERE id = ?"""
    columns = [copy.name, copy.seq, copy.created_at, copy.entries, copy.erased_seq, copy.currency]
    connection.execute(sql, [*columns, table.id])
    connection.versions[table.id] = copy.seq
    connection.cache.drop(table.id)
    for name in ("idempotency_keys", "payments", "people"):
        connection.execute(f"DELETE FROM {name} WHERE table_id = ?", [table.id])
    people = _write_people(connection, table.id, copy.people)
    _write_payments(connection, table.id, copy.payments, people)
    _write_games(connection, table.id, copy.games)


def _write_people(connection: Connection, table_id: int, people: Sequence[PersonCopy]) -> list[int]:
    """Add people; their keys, behind one that is nobody's."""
    keys = [0]
    for person in people:
        sql = "INSERT INTO people (table_id, name, swish) VALUES (?, ?, ?)"
        row = [table_id, person.name, person.swish]
        keys.append(int(connection.execute(sql, row).lastrowid or 0))
    for key, person in zip(keys[1:], people, strict=True):
        if person.same_as:
            sql = "UPDATE people SET same_as = ? WHERE id = ?"
            connection.execute(sql, [keys[person.same_as], key])
    return keys


def _write_payments(
    connection: Connection, table_id: int, payments: Sequence[PaymentCopy], people: Sequence[int]
) -> None:
    sql = """INSERT INTO payments (table_id, payer, payee, seq, ore, way, paid_at, undone_seq)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
    for copy in payments:
        between = people[copy.payer], people[copy.payee]
        columns = [copy.seq, copy.ore, copy.way, copy.paid_at, copy.undone_seq]
        connection.execute(sql, [table_id, *between, *columns])


def _write_games(connection: Connection, table_id: int, games: Sequence[GameCopy]) -> None:
    """Put games in place of those there are."""
    sql = "SELECT number, uid, id FROM games WHERE table_id = ?"
    rows = connection.execute(sql, [table_id]).fetchall()
    known = {(number, uid): key for number, uid, key in rows}
    staying = {
        known[game.number, game.uid]: game
        for game in games
        if game.events is UNSET and (game.number, game.uid) in known
    }
    for key in known.values():
        if key not in staying:
            connection.execute("DELETE FROM games WHERE id = ?", [key])
    for key, game in staying.items():
        sql = (
            "UPDATE games SET setup = ?, begun_at = ?, started_seq = ?, undone_seq = ? WHERE id = ?"
        )
        row = [game.setup, game.begun_at, game.started_seq, game.undone_seq, key]
        connection.execute(sql, row)
    for game in games:
        if game.events is not UNSET:
            _write_game(connection, table_id, game, game.events)


def _write_game(
    connection: Connection, table_id: int, game: GameCopy, events: Sequence[EventCopy]
) -> None:
    sql = """INSERT INTO games
            (table_id, number, uid, setup, begun_at, started_seq, undone_seq)
        VALUES (?, ?, ?, ?, ?, ?, ?)"""
    columns = [game.number, game.uid, game.setup, game.begun_at, game.started_seq, game.undone_seq]
    game_id = int(connection.execute(sql, [table_id, *columns]).lastrowid or 0)
    keys = _write_events(connection, game_id, events)
    made = [_write_amendment(connection, table_id, game_id, each, keys) for each in game.amendments]
    sql = """INSERT INTO undone_spans (game_id, event_id, amendment_id, seq, until_seq)
        VALUES (?, ?, ?, ?, ?)"""
    spans = [
        (
            game_id,
            keys[span.event] if span.event else None,
            made[span.amendment - 1] if span.amendment else None,
            span.seq,
            span.until_seq,
        )
        for span in game.spans
    ]
    connection.conn.executemany(sql, spans)
    cells = ("game_id", "table_id", *SEAT_COLUMNS)
    sql = f"INSERT INTO game_statistics ({each('{}', cells)}) VALUES ({each('?', cells)})"
    connection.conn.executemany(sql, [(game_id, table_id, *row) for row in game.seats])


def _write_events(
    connection: Connection, game_id: int, events: Sequence[EventCopy]
) -> Sequence[int]:
    """Add the log of a game, all at once; its keys, behind the 0 that is its start."""
    (newest,) = connection.execute("SELECT COALESCE(MAX(id), 0) FROM events").fetchone()
    keys = (0, *range(newest + 1, newest + 1 + len(events)))
    sql = """INSERT INTO events
            (id, game_id, seq, body, recorded_at, status, until_seq, after_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
    rows = [
        (key, game_id, e.seq, e.body, e.recorded_at, e.status, e.until_seq, _key(e.after, keys))
        for key, e in zip(keys[1:], events, strict=True)
    ]
    connection.conn.executemany(sql, rows)
    return keys


def _key(place: int | None, keys: Sequence[int]) -> int | None:
    return None if place is None else keys[place]


def _write_amendment(
    connection: Connection, table_id: int, game_id: int, copy: AmendmentCopy, keys: Sequence[int]
) -> int:
    *columns, replaced = msgspec.structs.astuple(copy)
    sql = """INSERT INTO amendments
            (table_id, game_id, seq, deal, recorded_at, status, until_seq)
        VALUES (?, ?, ?, ?, ?, ?, ?)"""
    key = int(connection.execute(sql, [table_id, game_id, *columns]).lastrowid or 0)
    rows = [(key, keys[place]) for place in replaced]
    connection.conn.executemany("INSERT INTO replacements VALUES (?, ?)", rows)
    return key
