"""Erasure: a person's name, a table, or all that is older than a set day; exactly that.

The rows go in one transaction, which adds 1 to `user_version`: a copy of them may still stand where
SQLite has moved a row, or in the write-ahead log. With VACUUM and a checkpoint the files are free
of it, and `user_version` is 0 again; after a crash the next start does this.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own text alone

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

import msgspec

from app.rules.errors import NotAllowed
from app.rules.events import REMARKS
from app.services.fold import to_json
from app.services.tables import (
    Access,
    Write,
    find_access,
    mark_version,
    new_game_id,
    require_pen,
)
from app.store import clock, log
from app.store.clock import beginning_of, evening_of
from app.store.connection import Connection, DatabaseUnavailable, DriverError
from app.store.database import Database
from app.store.log import ChangeKind, ChangeRow

logger = logging.getLogger(__name__)

# How often, a second apart, the files are tried while somebody waits; afterwards in the background.
ATTEMPTS, PAUSE_SECONDS, RETRY_SECONDS = 5, 1.0, 2.0

# How many erasures the files are still to be cleared of.
_PENDING = "PRAGMA user_version"
_RENAME = (
    "UPDATE people SET name = :new, swish = NULL WHERE table_id = :table AND name = :old",
    "UPDATE tables SET name = replace(name, :old, :new) WHERE id = :table",
    """UPDATE changes SET body = json_quote(replace(body ->> '$', :old, :new))
        WHERE table_id = :table AND kind = 'rename'""",
    """UPDATE changes
        SET body = json_replace(body, '$.name', replace(body ->> '$.name', :old, :new))
        WHERE table_id = :table AND kind = 'open' AND body ->> '$.name' <> ''""",
)
_GOING = "IN (SELECT value FROM json_each(:going))"
# Changes undone, redone or taken back are gone.
_DELETE_DANGLING = """DELETE FROM changes WHERE table_id = :table
    AND kind IN ('undo', 'redo', 'unpay') AND NOT EXISTS (SELECT 1 FROM changes AS other
        WHERE other.table_id = :table AND other.seq = CAST(changes.body AS INTEGER))"""
_DELETE_BEFORE = (
    # That two names are one, once undone, keeps nobody here.
    "DELETE FROM changes WHERE table_id = :table AND kind = 'people' AND undone IS NOT NULL",
    # Nothing older is left, so the table opens with the oldest game.
    """UPDATE changes SET kind = 'open', body = json_set(body, '$.name', COALESCE((SELECT
            IIF(kind = 'open', body ->> '$.name', body ->> '$') FROM changes
            WHERE table_id = :table AND kind IN ('open', 'rename') AND undone IS NULL
                AND seq <= :oldest ORDER BY seq DESC LIMIT 1), ''))
        WHERE table_id = :table AND seq = :oldest""",
    f"""DELETE FROM changes WHERE table_id = :table
        AND (game {_GOING} OR game > :newest OR kind = 'pay' AND at < :bound)""",
    # Renamings hold for the games that are left as well.
    f"""UPDATE changes
        SET body = json_replace(body, '$.entries', json('[]'), '$.setup', json('{{}}'))
        WHERE table_id = :table AND kind = 'revise'
            AND (body ->> '$.game' {_GOING} OR body ->> '$.game' > :newest)""",
    f"DELETE FROM seats WHERE table_id = :table AND game {_GOING}",
    # Those who sit in no game that is left, have not paid, and are nobody else's name.
    """DELETE FROM people WHERE table_id = :table AND number NOT IN (
        SELECT value FROM changes, json_each(body, '$.setup.players')
            WHERE table_id = :table AND kind IN ('open', 'import', 'start', 'revise')
        UNION SELECT atom FROM changes, json_tree(body) AS part
            WHERE table_id = :table AND instr(body, '"joins"') AND part.key = 'player'
        UNION SELECT atom FROM changes, json_tree(body) AS part
            WHERE table_id = :table AND kind = 'pay' AND part.key IN (0, 1) AND type = 'integer'
        UNION SELECT body ->> '$.same_as' FROM changes
            WHERE table_id = :table AND kind = 'people' AND body ->> '$.same_as'
        UNION SELECT CAST(each.key AS INTEGER) FROM changes, json_each(body, '$.called') AS each
            WHERE table_id = :table AND kind = 'revise'
        UNION SELECT each.value FROM changes, json_each(body, '$.called') AS each
            WHERE table_id = :table AND kind = 'revise')""",
    """DELETE FROM changes WHERE table_id = :table AND kind = 'people'
        AND body ->> '$.person' NOT IN (SELECT number FROM people WHERE table_id = :table)""",
    # A payment was taken back, and that was undone.
    _DELETE_DANGLING,
    _DELETE_DANGLING,
)


def list_names(db: Database, link: str) -> list[str]:
    """Every name that a table knows, in order of appearance. Raises NotFound."""
    with db.snapshot() as connection:
        return _find_names(connection, find_access(connection, link, None).id)


def _find_names(connection: Connection, table_id: int) -> list[str]:
    rows = connection.table("people").rows_where("table_id = ?", [table_id], "number")
    return list(dict.fromkeys(row["name"] for row in rows))


def erase_name(db: Database, write: Write, name: str, label: str) -> str:
    """Put `label` and a number in place of a name everywhere at the table; scores stay.

    Returns the new name. Raises NoPen, NotFound, and NotAllowed for a name that is not there.
    """
    with _erasing(db, write, "forget") as (connection, table):
        names = _find_names(connection, table.id)
        if name not in names:
            raise NotAllowed("no_such_person", player=name)
        new = next(f"{label} {n}" for n in range(1, len(names) + 2) if f"{label} {n}" not in names)
        for sql in _RENAME:
            connection.execute(sql, {"table": table.id, "old": name, "new": new})
        _drop_remarks(connection, table.id, name)
    return new


def _drop_remarks(connection: Connection, table_id: int, name: str) -> None:
    """Drop all remarks from each event of which one speaks of a name, and such a game's id."""
    quoted = to_json(name)[1:-1]
    sql = "SELECT seq, body FROM changes WHERE table_id = ? AND instr(body, ?)"
    for seq, body in connection.execute(sql, [table_id, quoted]).fetchall():
        cleared = to_json(_clear(msgspec.json.decode(body), quoted))
        connection.table("changes").update((table_id, seq), {"body": cleared})


def _clear(value: Any, quoted: str) -> Any:  # noqa: ANN401  # JSON
    if isinstance(value, list):
        return [_clear(each, quoted) for each in value]
    if not isinstance(value, dict):
        return value
    if quoted in to_json([value.get(key) for key in REMARKS]):
        if "event" in value:
            return {key: value[key] for key in value if key not in REMARKS}
        value = {**value, "id": new_game_id()}
    return {key: _clear(each, quoted) for key, each in value.items()}


def delete_table(db: Database, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound.

    Its link opens no other table, ever: who had it would read there.
    """
    with _erasing(db, write) as (connection, table):
        for name in ("changes", "people", "pens", "seats"):
            connection.table(name).delete_where("table_id = ?", [table.id])
        connection.table("tables").update(table.id, {"name": ""})
        connection.versions[table.id] = 0


def count_before(db: Database, link: str, before: date) -> tuple[int, int]:
    """Count the games and payments that `delete_before` would delete. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        sql = """SELECT COALESCE(SUM(json_array_length(body)), 0) FROM changes
            WHERE table_id = ? AND kind = 'pay' AND at < ?"""
        bound = clock.write_time(beginning_of(before))
        payments = connection.find_number(sql, table.id, bound)
        starts = log.read_starts(connection, table.id)
    return len(_find_earlier(starts, before)), payments


def _find_earlier(starts: Sequence[ChangeRow], before: date) -> list[int]:
    """The numbers of the games of evenings before one, the newest game left out."""
    return [row.game for row in starts[:-1] if evening_of(row.at) < before]


def delete_before(db: Database, write: Write, before: date) -> None:
    """Delete the games and payments of evenings before one, but never the newest game.

    Undone changes can no longer be redone, and the oldest game that is left cannot be undone.
    Raises NoPen, NotFound.
    """
    with _erasing(db, write, "erase") as (connection, table):
        starts = log.read_starts(connection, table.id)
        going = _find_earlier(starts, before)
        values = {
            "table": table.id,
            "going": to_json(going),
            "oldest": next(row.seq for row in starts if row.game not in going),
            "newest": starts[-1].game,
            "bound": clock.write_time(beginning_of(before)),
        }
        for sql in _DELETE_BEFORE:
            connection.execute(sql, values)


@contextmanager
def _erasing(
    db: Database, write: Write, kind: ChangeKind | None = None
) -> Iterator[tuple[Connection, Access]]:
    """A transaction, after which erased content is cleared from the files.

    With a kind it is a version of the table, of which every page and every phone learns. Raises
    NoPen, NotFound.
    """
    with db.transaction() as connection:
        connection.execute(f"PRAGMA user_version = {connection.find_number(_PENDING) + 1}")
        table = require_pen(connection, write)
        yield connection, table
        if kind:
            mark_version(connection, table, kind)
            connection.table("tables").update(table.id, {"erased_seq": table.seq + 1})
    db.connection.newest.clear()
    db.on_erased()
    make_up(db, ATTEMPTS)


def is_pending(db: Database) -> bool:
    """Whether erased content may still stand in a file."""
    return db.connection.find_number(_PENDING) > 0


def make_up(db: Database, attempts: int = 1) -> None:
    """Clear erased content from the files, in the background where it cannot be done now."""
    while not _try_to_clear(db):
        attempts -= 1
        if not attempts:
            _clear_in_background(db)
            return
        time.sleep(PAUSE_SECONDS)


def _try_to_clear(db: Database) -> bool:
    """Clear the files if that is due; whether it is not any more."""
    try:
        pending = db.connection.find_number(_PENDING)
        if not pending:
            return True
        if db.connection.conn.in_transaction or not db.vacuum():
            return False
        with db.transaction() as connection:
            # Else somebody has erased while this waited for its turn.
            if connection.find_number(_PENDING) == pending:
                connection.execute("PRAGMA user_version = 0")
    except (DatabaseUnavailable, DriverError) as error:
        # Locked, full or out of order: it is tried again, and until then said not to be over.
        logger.warning("an erasure has to wait: %s", type(error).__name__)
        return False
    return True


def _clear_in_background(db: Database) -> None:
    """Try again until it is done; where there are no threads, at the next start."""
    try:
        threading.Thread(target=_keep_trying, args=[db], name="erasure", daemon=True).start()
    except RuntimeError:
        logger.warning("an erasure waits for the next start")


def _keep_trying(db: Database) -> None:
    while not db.closed and not _try_to_clear(db):
        time.sleep(RETRY_SECONDS)
