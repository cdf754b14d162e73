"""Erasure: a person's name, a table, or all that is older than a set day; exactly that.

The rows go in one transaction, which adds 1 to `user_version`: a copy of them may still stand where
SQLite has moved a row, or in the write-ahead log. With VACUUM and a checkpoint the files are free
of it, and `user_version` is 0 again; what a crash keeps from that is made up for.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.services.evening import beginning_of, evening_of
from app.services.serialization import beginners_in, names_in, to_json
from app.services.tables import Write, begin_change, find_table, new_game_id, require_pen
from app.store import clock
from app.store.availability import DatabaseUnavailable, DriverError
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import GameRow

log = logging.getLogger(__name__)

# How often, a second apart, the files are tried while somebody waits; afterwards in the background.
ATTEMPTS, PAUSE_SECONDS, RETRY_SECONDS = 5, 1.0, 2.0

_REMARKS = ("id", "name", "at", "note")
_RENAME = (
    "UPDATE game_statistics SET name = ?3 WHERE table_id = ?1 AND name = ?2",
    "UPDATE people SET name = ?3, swish = NULL WHERE table_id = ?1 AND name = ?2",
    "UPDATE tables SET name = replace(name, ?2, ?3) WHERE id = ?1",
)
_DELETE_PEOPLE = """DELETE FROM people WHERE table_id = ?1
    AND name NOT IN (SELECT value FROM json_each(?2))
    AND id NOT IN (SELECT payer FROM payments WHERE table_id = ?1)
    AND id NOT IN (SELECT payee FROM payments WHERE table_id = ?1)
    AND id NOT IN (SELECT same_as FROM people WHERE table_id = ?1 AND same_as IS NOT NULL)"""


class Count(msgspec.Struct, frozen=True):
    """What would go if everything before an evening were erased."""

    games: int
    payments: int


def list_names(db: Database, link: str) -> list[str]:
    """Every name that a table knows, in order of appearance. Raises NotFound."""
    with db.snapshot() as connection:
        return _find_names(connection, find_table(connection, link).id)


def _find_names(connection: Connection, table_id: int) -> list[str]:
    """Every name of a table: who has played there, and who has paid or is merged with somebody."""
    names = _names_in(store.games.find_all_ever(connection, table_id))
    people = [person.name for person in store.people.find_all(connection, table_id)]
    return list(dict.fromkeys([*names, *people]))


def _names_in(games: Sequence[GameRow]) -> list[str]:
    return [name for game in games for name in names_in(game.setup)]


def erase_name(db: Database, write: Write, name: str, label: str) -> str:
    """Put `label` and a number in place of a name everywhere at the table; scores stay.

    Returns the new name. Raises NoPen, NotFound, and NotAllowed for a name that is not there.
    """
    with _erasing(db) as connection:
        table = begin_change(connection, replace(write, seq=None))
        names = _find_names(connection, table.id)
        if name not in names:
            raise NotAllowed("no_such_person", player=name)
        new = next(f"{label} {n}" for n in range(1, len(names) + 2) if f"{label} {n}" not in names)
        for game in store.games.find_all_ever(connection, table.id):
            _rename_in_game(connection, game, name, new)
        for sql in _RENAME:
            connection.execute(sql, [table.id, name, new])
        _drop_remarks(connection, table.id, name)
        _finish(connection, table.id)
    _clear_files(db)
    return new


def _rename_in_game(connection: Connection, game: GameRow, name: str, new: str) -> None:
    """Let a game have been played under another name, and its id not tell the name either."""
    if name not in names_in(game.setup) and name not in game.uid:
        return
    uid = new_game_id() if name in game.uid else game.uid
    setup = msgspec.json.decode(game.setup, type=dict[str, object])
    names = [new if each == name else each for each in names_in(game.setup)]
    count = len(beginners_in(game.setup))
    setup["players"] = names[:count]
    if names[count:]:
        setup["joined"] = names[count:]
    if setup.get("dealer") == name:
        setup["dealer"] = new
    sql = "UPDATE games SET uid = ?, setup = ? WHERE id = ?"
    connection.execute(sql, [uid, to_json(setup), game.id])


def _drop_remarks(connection: Connection, table_id: int, name: str) -> None:
    """Drop the remarks from every event of which one speaks of a name: what is scored stays."""
    quoted = msgspec.json.encode(name).decode()[1:-1]
    sql = """SELECT events.id, body FROM games JOIN events ON game_id = games.id
        WHERE table_id = ? AND instr(body, ?)"""
    for event_id, body in connection.execute(sql, [table_id, quoted]).fetchall():
        raw = msgspec.json.decode(body, type=dict[str, object])
        if quoted in to_json([raw.get(key) for key in _REMARKS]):
            scored = {key: raw[key] for key in raw if key not in _REMARKS}
            sql = "UPDATE events SET body = ? WHERE id = ?"
            connection.execute(sql, [to_json(scored), event_id])


def delete_table(db: Database, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound.

    Its link opens no other table, ever: who had it would read there.
    """
    with _erasing(db) as connection:
        table = require_pen(connection, write)
        sql = "INSERT INTO gone_links SELECT link_hash FROM tables WHERE id = ?"
        connection.execute(sql, [table.id])
        store.tables.delete(connection, table.id)
        connection.versions[table.id] = 0
    _clear_files(db)


def count_before(db: Database, link: str, before: date) -> Count:
    """What `delete_before` would delete. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_table(connection, link)
        *earlier, _newest = store.games.find_all(connection, table.id)
        bound = clock.write_time(beginning_of(before))
        payments = store.payments.count_before(connection, table.id, bound)
    return Count(sum(evening_of(game.begun_at) < before for game in earlier), payments)


def delete_before(db: Database, write: Write, before: date) -> None:
    """Delete the games and payments of evenings before one, but never the newest game.

    What was undone can no longer be redone, and the oldest game that is left is not undone.
    Raises NoPen, NotFound.
    """
    with _erasing(db) as connection:
        table = begin_change(connection, replace(write, seq=None))
        store.undo_stack.drop_undone(connection, table.id)
        *earlier, newest = store.games.find_all(connection, table.id)
        going = [game for game in earlier if evening_of(game.begun_at) < before]
        staying = [game for game in (*earlier, newest) if game not in going]
        sql = "DELETE FROM games WHERE id = ?"
        connection.conn.executemany(sql, [(game.id,) for game in going])
        store.games.keep_started(connection, staying[0].id)
        bound = clock.write_time(beginning_of(before))
        sql = "DELETE FROM payments WHERE table_id = ? AND paid_at < ?"
        connection.execute(sql, [table.id, bound])
        names = sorted(set(_names_in(staying)))
        connection.execute(_DELETE_PEOPLE, [table.id, to_json(names)])
        _finish(connection, table.id)
    _clear_files(db)


@contextmanager
def _erasing(db: Database) -> Iterator[Connection]:
    """A transaction in which what was recorded may be changed, and which leaves files to clear."""
    with db.transaction() as connection:
        connection.execute("INSERT INTO suspended_guards VALUES (1)")
        connection.execute(f"PRAGMA user_version = {_count_pending(connection) + 1}")
        yield connection
        connection.execute("DELETE FROM suspended_guards")
    db.connection.cache.clear()
    db.on_erased()


def _finish(connection: Connection, table_id: int) -> None:
    """Let the rest of what a table holds follow."""
    store.idempotency.drop_refusals(connection, table_id)
    store.tables.finish_erasure(connection, table_id)


def is_pending(db: Database) -> bool:
    """Whether anything that was erased may still stand in a file."""
    return _count_pending(db.connection) > 0


def _count_pending(connection: Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def make_up(db: Database) -> None:
    """At the start: clear the files where the last server did not come to it."""
    if not _try_to_clear(db):
        _clear_in_background(db)


def _clear_files(db: Database) -> None:
    """Clear the files of what was erased; where that cannot be done now, in the background."""
    for _ in range(ATTEMPTS - 1):
        if _try_to_clear(db):
            return
        time.sleep(PAUSE_SECONDS)
    make_up(db)


def _try_to_clear(db: Database) -> bool:
    """Clear the files if that is due; whether it is not any more."""
    try:
        pending = _count_pending(db.connection)
        if not pending:
            return True
        if db.connection.in_transaction or not db.vacuum():
            return False
        with db.transaction() as connection:
            # Else somebody has erased while this waited for its turn.
            if _count_pending(connection) == pending:
                connection.execute("PRAGMA user_version = 0")
    except (DatabaseUnavailable, DriverError) as error:
        # Locked, full or out of order: it is tried again, and until then said not to be over.
        log.warning("an erasure has to wait: %s", type(error).__name__)
        return False
    return True


def _clear_in_background(db: Database) -> None:
    """Try again until it is done; where there are no threads, at the next start."""

    def run() -> None:
        while not db.closed and not _try_to_clear(db):
            time.sleep(RETRY_SECONDS)

    try:
        threading.Thread(target=run, name="erasure", daemon=True).start()
    except RuntimeError:
        log.warning("an erasure waits for the next start")
