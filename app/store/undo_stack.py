"""The undo stack of each table: taps, amendments and starts of games, by the table's version.

What was undone waits to be redone, until something new is recorded: then it is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from app.store.clock import now
from app.store.connection import Connection
from app.store.games import EventRow, GameRow

T = TypeVar("T")


class AmendmentRow(msgspec.Struct, frozen=True, array_like=True):
    """An amendment of game `number`, made at version `seq`; `deal` is the first it touched."""

    id: int
    game_id: int
    number: int
    seq: int
    deal: int


class StartRow(msgspec.Struct, frozen=True, array_like=True):
    """The start of game `number`, at version `seq`."""

    game_id: int
    number: int
    seq: int


class TapRow(msgspec.Struct, frozen=True, array_like=True):
    """A tap that was recorded at version `seq`, as JSON."""

    id: int
    seq: int
    body: str


class LogRow(msgspec.Struct, frozen=True):
    """The log of a game: how many `entries` it has, and the heads of the undo stack among its taps.

    `newest_tap` is the version by which the newest came that counts, 0 if none does, `undone_tap`
    the one that redo brings next.
    """

    entries: int
    newest_tap: int
    undone_tap: TapRow | None


class HeadRow(msgspec.Struct, frozen=True):
    """The heads of a table's undo stack, apart from taps, and the newest game with its log.

    `done` is what undo takes back next, `undone` what redo brings next, unless a tap of the newest
    game comes before.
    """

    game: GameRow
    log: LogRow
    done: AmendmentRow | StartRow | None
    undone: AmendmentRow | StartRow | None


def _amendment(status: str, order: str) -> str:
    return f"""(SELECT json_array(a.id, game_id, number, seq, deal)
        FROM amendments a JOIN games ON games.id = game_id
        WHERE a.table_id = ?1 AND status = '{status}' ORDER BY seq {order} LIMIT 1)"""  # noqa: S608  # our own SQL


def _log(game_id: str) -> str:
    taps = f"FROM events WHERE game_id = {game_id} AND after_id IS NULL"
    # Undo goes backwards, so the oldest tap that is undone came last. Few are: `+seq` has SQLite
    # look among those alone.
    return f"""(SELECT COUNT(*) FROM events WHERE game_id = {game_id}),
        (SELECT seq {taps} AND status = 'effective' ORDER BY seq DESC LIMIT 1),
        (SELECT json_array(id, seq, body) {taps} AND status = 'undone' ORDER BY +seq, id LIMIT 1)"""  # noqa: S608  # our own SQL


# One statement, as it is read at each tap.
_HEAD = f"""SELECT id, table_id, number, uid, setup, begun_at, started_seq,
        {_amendment("effective", "DESC")}, {_amendment("undone", "ASC")},
        (SELECT json_array(id, number, started_seq) FROM games
            WHERE table_id = ?1 AND undone_seq IS NOT NULL ORDER BY started_seq LIMIT 1),
        {_log("games.id")}
    FROM games WHERE table_id = ?1 AND undone_seq IS NULL ORDER BY number DESC LIMIT 1"""  # noqa: S608  # our own SQL


def find_head(connection: Connection, table_id: int) -> HeadRow:
    """The heads of a table's undo stack."""
    row = connection.execute(_HEAD, [table_id]).fetchone()
    game, (done, undone, undone_game), log = GameRow(*row[:7]), row[7:10], _log_row(*row[10:])
    start = StartRow(game.id, game.number, game.started_seq) if game.started_seq else None
    made, unmade = _decode(done, AmendmentRow), _decode(undone, AmendmentRow)
    unmade_start = _decode(undone_game, StartRow)
    return HeadRow(
        game,
        log,
        max((row for row in (made, start) if row), key=lambda row: row.seq, default=None),
        min((row for row in (unmade, unmade_start) if row), key=lambda row: row.seq, default=None),
    )


def find_log(connection: Connection, game_id: int) -> LogRow:
    """The log of a game, which is not read for it: it may be long."""
    sql = f"SELECT {_log('?1')}"  # our own SQL
    return _log_row(*connection.execute(sql, [game_id]).fetchone())


def _log_row(entries: int, newest_tap: int | None, undone_tap: str | None) -> LogRow:
    return LogRow(entries, newest_tap or 0, _decode(undone_tap, TapRow))


def _decode(text: str | None, kind: type[T]) -> T | None:
    return None if text is None else msgspec.json.decode(text, type=kind)


def undo_tap(connection: Connection, game_id: int, seq: int) -> None:
    """Let the newest tap of a game that counts do so no more, until it is redone."""
    sql = """UPDATE events SET status = 'undone', until_seq = ? WHERE id = (
        SELECT id FROM events WHERE game_id = ? AND after_id IS NULL AND status = 'effective'
        ORDER BY seq DESC, id DESC LIMIT 1)"""
    connection.execute(sql, [seq, game_id])


def redo_event(connection: Connection, event_id: int, seq: int) -> None:
    """Let an undone tap count again."""
    sql = """INSERT INTO undone_spans (game_id, event_id, seq, until_seq)
        SELECT game_id, id, until_seq, ? FROM events WHERE id = ?"""
    connection.execute(sql, [seq, event_id])
    sql = "UPDATE events SET status = 'effective', until_seq = NULL WHERE id = ?"
    connection.execute(sql, [event_id])


def add_amendment(
    connection: Connection, game: GameRow, seq: int, deal: int, replaced: Sequence[EventRow]
) -> None:
    """Record an amendment, and let what it takes away count no more."""
    sql = """INSERT INTO amendments (table_id, game_id, seq, deal, recorded_at)
        VALUES (?, ?, ?, ?, ?)"""
    key = connection.execute(sql, [game.table_id, game.id, seq, deal, now()]).lastrowid
    for event in replaced:
        connection.execute("INSERT INTO replacements VALUES (?, ?)", [key, event.id])
    _take_away(connection, int(key or 0), seq)


def _take_away(connection: Connection, amendment_id: int, seq: int) -> None:
    sql = """UPDATE events SET status = 'replaced', until_seq = ?
        WHERE id IN (SELECT event_id FROM replacements WHERE amendment_id = ?)"""
    connection.execute(sql, [seq, amendment_id])


def insert_event(connection: Connection, game_id: int, seq: int, body: str, after_id: int) -> int:
    """Put an event in behind another, for an amendment; returns its key."""
    sql = """INSERT INTO events (game_id, seq, body, recorded_at, after_id)
        VALUES (?, ?, ?, ?, ?)"""
    row = [game_id, seq, body, now(), after_id]
    return int(connection.execute(sql, row).lastrowid or 0)


def undo_amendment(connection: Connection, row: AmendmentRow, seq: int) -> None:
    """Let what an amendment took away count again, and what it put in no more."""
    sql = "UPDATE amendments SET status = 'undone', until_seq = ? WHERE id = ?"
    connection.execute(sql, [seq, row.id])
    sql = "UPDATE events SET status = 'undone', until_seq = ? WHERE game_id = ? AND seq = ?"
    connection.execute(sql, [seq, row.game_id, row.seq])
    sql = """UPDATE events SET status = 'effective', until_seq = NULL
        WHERE id IN (SELECT event_id FROM replacements WHERE amendment_id = ?)"""
    connection.execute(sql, [row.id])


def redo_amendment(connection: Connection, row: AmendmentRow, seq: int) -> None:
    """Let an undone amendment hold again."""
    sql = """INSERT INTO undone_spans (game_id, amendment_id, seq, until_seq)
        SELECT game_id, id, until_seq, ? FROM amendments WHERE id = ?"""
    connection.execute(sql, [seq, row.id])
    sql = "UPDATE amendments SET status = 'effective', until_seq = NULL WHERE id = ?"
    connection.execute(sql, [row.id])
    sql = """UPDATE events SET status = 'effective', until_seq = NULL
        WHERE game_id = ? AND seq = ?"""
    connection.execute(sql, [row.game_id, row.seq])
    _take_away(connection, row.id, seq)


def undo_start(connection: Connection, row: StartRow, seq: int) -> None:
    """Let there be no such game, until its start is redone."""
    connection.execute("UPDATE games SET undone_seq = ? WHERE id = ?", [seq, row.game_id])


def redo_start(connection: Connection, row: StartRow) -> None:
    """Let there be a game again whose start was undone."""
    connection.execute("UPDATE games SET undone_seq = NULL WHERE id = ?", [row.game_id])


def drop_undone_events(connection: Connection, game_id: int) -> None:
    """Let the undone events of a game never be redone; they stay in the log."""
    sql = "UPDATE events SET status = 'dropped' WHERE game_id = ? AND status = 'undone'"
    connection.execute(sql, [game_id])


def drop_undone(connection: Connection, table_id: int) -> None:
    """Let nothing that was undone at a table be redone: of games whose start was nothing stays.

    What was answered about those can be answered no more, whatever game has their number next.
    """
    sql = """UPDATE idempotency_keys SET game = 0 WHERE table_id = ?1 AND game IN
        (SELECT number FROM games WHERE table_id = ?1 AND undone_seq IS NOT NULL)"""
    connection.execute(sql, [table_id])
    sql = "DELETE FROM games WHERE table_id = ? AND undone_seq IS NOT NULL"
    connection.execute(sql, [table_id])
    sql = "UPDATE amendments SET status = 'dropped' WHERE table_id = ? AND status = 'undone'"
    connection.execute(sql, [table_id])
    sql = """UPDATE events SET status = 'dropped'
        WHERE status = 'undone' AND game_id IN (SELECT id FROM games WHERE table_id = ?)"""
    connection.execute(sql, [table_id])


def settle(connection: Connection, table_id: int) -> None:
    """Let nothing that was changed so far at a table be redone, nor an amendment be undone."""
    drop_undone(connection, table_id)
    sql = "UPDATE amendments SET status = 'final' WHERE table_id = ? AND status = 'effective'"
    connection.execute(sql, [table_id])


def find_replacement_times(connection: Connection, game_id: int) -> dict[int, str | None]:
    """When the events of a game that an amendment took away were taken, by their keys."""
    sql = """SELECT event_id, recorded_at FROM amendments JOIN replacements ON amendment_id = id
        WHERE game_id = ? AND status IN ('effective', 'final') ORDER BY seq"""
    return dict(connection.execute(sql, [game_id]).fetchall())
