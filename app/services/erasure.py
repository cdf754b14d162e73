"""Erasure of a person's name, a game or a table; exactly that.

The rows go in one transaction, which adds 1 to `user_version`: a copy of them may still stand
where SQLite has moved a row. A checkpoint empties the write-ahead log. The file is free of them
once it is written anew (VACUUM): at once where it is small, else at the next start, before there is
a worker, or by a command. Then `user_version` is 0 again.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own text alone

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from app.rules.codes import NotAllowed
from app.rules.events import REMARKS
from app.rules.names import MAX_NAME
from app.services.access import (
    DELETED,
    Access,
    Write,
    find_access,
    mark_version,
    new_game_id,
    require_pen,
)
from app.services.table_view import to_json
from app.store import clock, log, schema
from app.store.database import Connection, Database
from app.store.files import DatabaseUnavailable, DriverError
from app.store.log import ChangeKind

logger = logging.getLogger(__name__)

# So small a file is written anew while everybody waits: 50 ms.
SMALL_FILE = 8_000_000

# How many erasures the files are still to be cleared of.
_PENDING = "PRAGMA user_version"
# The table's own name may hold the name, and stays as short as any.
_RENAME = (
    "UPDATE people SET name = :new, swish = NULL WHERE table_id = :table AND name = :old",
    "UPDATE tables SET name = substr(replace(name, :old, :new), 1, :longest) WHERE id = :table",
    """UPDATE changes SET body = json_quote(substr(replace(body ->> '$', :old, :new), 1, :longest))
        WHERE table_id = :table AND game = 0 AND kind = 'rename'""",
    f"""UPDATE changes SET body = json_replace(body, '$.name',
            substr(replace(body ->> '$.name', :old, :new), 1, :longest))
        WHERE table_id = :table AND {schema.STARTS} AND body ->> '$.name' <> ''""",
)
_DELETE_GAME = (
    # The oldest game opens the table: the next one does now, under the table's name of then.
    f"""UPDATE changes SET kind = 'open', body = json_set(body, '$.name', COALESCE((SELECT
            IIF(kind = 'open', body ->> '$.name', body ->> '$') FROM changes AS earlier
            WHERE table_id = :table AND game IN (0, :number) AND kind IN ('open', 'rename')
                AND undone IS NULL AND seq < changes.seq ORDER BY seq DESC LIMIT 1), ''))
        WHERE table_id = :table AND {schema.STARTS} AND undone IS NULL AND game = :next""",
    "DELETE FROM changes WHERE table_id = :table AND game = :number",
    # Renamings hold for the games that are left as well.
    """UPDATE changes
        SET body = json_replace(body, '$.entries', json('[]'), '$.setup', json('{}'))
        WHERE table_id = :table AND game = 0 AND kind = 'edit' AND body ->> '$.game' = :number""",
    "DELETE FROM seats WHERE table_id = :table AND game = :number",
)
_OF_DELETED = f"table_id IN (SELECT id FROM tables WHERE erased_seq = {DELETED})"


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
    seq = _drop_remarks_by_game(db, write, name)
    with _erasing(db, write, "forget") as (connection, table):
        names = _require_name(connection, table.id, name)
        new = next(f"{label} {n}" for n in range(1, len(names) + 2) if f"{label} {n}" not in names)
        values = {"table": table.id, "old": name, "new": new, "longest": MAX_NAME}
        for sql in _RENAME:
            connection.execute(sql, values)
        # What came meanwhile.
        _drop_remarks(connection, table.id, name, "seq > ?", seq)
    return new


def _require_name(connection: Connection, table_id: int, name: str) -> list[str]:
    names = _find_names(connection, table_id)
    if name not in names:
        raise NotAllowed("no_such_person", player=name)
    return names


def _drop_remarks_by_game(db: Database, write: Write, name: str) -> int:
    """Drop the remarks that speak of a name game by game, others being served in between.

    Returns the version up to which that is done.
    """
    with db.snapshot() as connection:
        table = require_pen(connection, write)
        _require_name(connection, table.id, name)
        games = log.find_games_until(connection, table.id, table.seq)
    for number in (0, *games):
        with db.transaction() as connection:
            _drop_remarks(connection, table.id, name, "game = ?", number)
        clock.give_way()
    return table.seq


def _drop_remarks(connection: Connection, table_id: int, name: str, where: str, value: int) -> None:
    """Drop all remarks from each event of which one speaks of a name, and such a game's id."""
    quoted = to_json(name)[1:-1]
    sql = f"SELECT seq, body FROM changes WHERE table_id = ? AND {where} AND instr(body, ?)"
    cleared = [
        (to_json(_clear(msgspec.json.decode(body), quoted)), table_id, seq)
        for seq, body in connection.execute(sql, [table_id, value, quoted]).fetchall()
    ]
    change = "UPDATE changes SET body = ? WHERE table_id = ? AND seq = ?"
    connection.conn.executemany(change, cleared)


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


def check_game(db: Database, link: str, number: int) -> None:
    """Check that a game can be deleted. Raises NotAllowed, NotFound."""
    with db.snapshot() as connection:
        _require_earlier(connection, find_access(connection, link, None).id, number)


def _require_earlier(connection: Connection, table_id: int, number: int) -> list[int]:
    games = [game for game, *_ in log.find_starts(connection, table_id)]
    if number not in games:
        raise NotAllowed("no_such_game")
    if number == games[-1]:
        raise NotAllowed("newest_game_stays")
    return games


def delete_game(db: Database, write: Write, number: int) -> None:
    """Delete a game, with what was won and lost in it; never the newest, which can be undone.

    Undone changes can no longer be redone. Raises NoPen, NotFound, and NotAllowed for the newest.
    """
    with _erasing(db, write, "erase") as (connection, table):
        games = _require_earlier(connection, table.id, number)
        opens_next = games[1] if games[0] == number else 0
        values = {"table": table.id, "number": number, "next": opens_next}
        for sql in _DELETE_GAME:
            connection.execute(sql, values)


def delete_table(db: Database, write: Write) -> None:
    """Delete a table with everything that was ever recorded at it. Raises NoPen, NotFound.

    Its link opens no other table, ever: who had it would read there. Its names and pens go at once,
    its games with the file that is written anew.
    """
    with _erasing(db, write) as (connection, table):
        for name in ("people", "pens"):
            connection.table(name).delete_where("table_id = ?", [table.id])
        connection.table("tables").update(table.id, {"name": "", "erased_seq": DELETED})
        connection.versions[table.id] = 0


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
        # Those are of the moment, and may be about what goes.
        connection.table("notes").delete_where("table_id = ?", [table.id])
        yield connection, table
        if kind:
            mark_version(connection, table, kind)
            connection.table("tables").update(
                table.id, {"erased_seq": table.seq + 1, "ledger_seq": table.seq + 1}
            )
    db.connection.forget_changed()
    if db.path.stat().st_size <= SMALL_FILE:
        clear_files(db)
    else:
        _try(db.truncate_log)


def is_pending(db: Database) -> bool:
    """Whether erased content may still stand in the file."""
    return db.connection.find_number(_PENDING) > 0


def clear_files(db: Database) -> bool:
    """Write the file anew if erased content may stand in it; whether none does any more.

    Everybody waits for that, so a large file is for the start and the command. It is tried once:
    where it fails, as on a full disk, all is as it was, and due at the next start.
    """
    return not is_pending(db) or _try(lambda: _write_anew(db))


def _write_anew(db: Database) -> bool:
    pending = db.connection.find_number(_PENDING)
    with db.transaction() as connection:
        for name in ("changes", "seats"):
            connection.table(name).delete_where(_OF_DELETED)
    if not db.vacuum():
        return False
    with db.transaction() as connection:
        # Else somebody has erased while this waited for another process.
        if connection.find_number(_PENDING) == pending:
            connection.execute("PRAGMA user_version = 0")
    return True


def _try(act: Callable[[], bool]) -> bool:
    try:
        return act()
    except (DatabaseUnavailable, DriverError) as error:
        logger.warning("an erasure waits for the next start: %s", type(error).__name__)
        return False
