"""Erasures in steps: out of the rows in portions, then out of what is left of them on the disk.

Each step is a transaction of its own, so short that nobody at another table notices. What is left
to do stands in the database, so that an erasure goes on after a crash.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial

import msgspec

from app import store
from app.services.evening import beginning_of, evening_of
from app.services.serialization import beginners_in, names_in, to_json
from app.services.tables import new_game_id
from app.store import clock, unallocated
from app.store.availability import DatabaseUnavailable, DriverError
from app.store.connection import Connection
from app.store.database import Pool
from app.store.erasure import ErasureRow
from app.store.games import GameRow

log = logging.getLogger(__name__)

# Seconds of writing, after which others get their turn for as long.
PORTION_SECONDS = 0.01
# Whoever asked waits so long for an erasure to be over; the rest is done in the background.
PATIENCE_SECONDS = 2.0
# Between two looks whether somebody still reads what was before.
_READERS_SECONDS = 0.1
# How often a trace is overwritten by itself, before all of the file is written anew.
_ROUNDS = 3
# Two letters are found everywhere, and nobody by them.
_MIN_WORD = 3
_GAMES_AT_ONCE = 20
_ABOVE_ALL = 2**62


class EraseName(msgspec.Struct, frozen=True, tag="name"):
    """Put `new` in place of a name in every game below `below`."""

    name: str
    new: str
    below: int = _ABOVE_ALL


class EraseOlder(msgspec.Struct, frozen=True, tag="older"):
    """Delete the games below `below` of evenings before a day's, and payments made before it."""

    day: str
    below: int


class EraseTable(msgspec.Struct, frozen=True, tag="table"):
    """Delete a table whose link opens nothing any more."""

    below: int = _ABOVE_ALL


Task = EraseName | EraseOlder | EraseTable


def add(connection: Connection, table_id: int, task: Task, words: Iterable[str]) -> None:
    """Begin an erasure, within the transaction that asks for it; `words` are to be in no file."""
    found = sorted({word for word in words if len(word.encode()) >= _MIN_WORD})
    row = store.erasure.add(connection, table_id, to_json(task), to_json(found))
    _erase_portion(connection, row)


def is_pending(pool: Pool, table_id: int) -> bool:
    """Whether anything of what was erased at a table may still be on the disk."""
    return store.erasure.is_pending(pool.connection, table_id)


def finish(pool: Pool) -> None:
    """Carry on until all is erased; when that takes long, the rest is done in the background."""
    if not _run(pool, PATIENCE_SECONDS):
        pool.background.start(partial(_run_in_background, pool))


def resume(pool: Pool) -> None:
    """Carry on, in the background, with what was not erased when the server ended."""
    if store.erasure.find_first(pool.connection) is not None:
        pool.background.start(partial(_run_in_background, pool))


def _run_in_background(pool: Pool) -> bool:
    try:
        return _run(pool, PATIENCE_SECONDS)
    finally:
        pool.release()


def _run(pool: Pool, seconds: float) -> bool:
    """Do one step after another, for so long; whether nothing is left to be done."""
    deadline = time.monotonic() + seconds
    if not pool.erasing.acquire(timeout=seconds):
        return False
    try:
        while row := store.erasure.find_first(pool.connection):
            time.sleep(_step(pool, row))
            if time.monotonic() > deadline:
                return False
    except (DatabaseUnavailable, DriverError) as error:
        # Locked, full or out of order: it is tried again, and until then said not to be over.
        log.warning("an erasure has to wait: %s", type(error).__name__)
        return False
    finally:
        pool.erasing.release()
    return True


def _step(pool: Pool, row: ErasureRow) -> float:
    """Do one step of an erasure; how many seconds to wait before the next."""
    if row.stage == "rows":
        with pool.transaction() as connection:
            _erase_portion(connection, row)
        # Else one of those who write would have to.
        pool.checkpoint()
        return PORTION_SECONDS
    if not pool.truncate_log():
        return _READERS_SECONDS
    if row.stage == "file":
        return _clear_file(pool, row)
    with pool.transaction() as connection:
        store.erasure.remove(connection, row)
    pool.on_erased()
    return 0


def _clear_file(pool: Pool, row: ErasureRow) -> float:
    """Overwrite the traces in the file; the next step looks whether there are any left."""
    words = msgspec.json.decode(row.words, type=list[str])
    traces = unallocated.find_traces(pool.open_file(), words)
    rounds = int(row.task)
    if traces and rounds >= _ROUNDS:
        pool.rewrite()
    for page in traces if rounds < _ROUNDS else ():
        with pool.transaction() as connection, store.erasure.suspend_guards(connection):
            unallocated.overwrite(connection, page)
        time.sleep(0)
    with pool.transaction() as connection:
        if traces:
            store.erasure.save_task(connection, row, str(rounds + 1))
        else:
            store.erasure.leave_file(connection, row)
    return 0


def _erase_portion(connection: Connection, row: ErasureRow) -> None:
    """Take it out of as many games as there is time for, the newest first; then of the rest."""
    task = msgspec.json.decode(row.task, type=Task)
    games = store.games.find_below(connection, row.table_id, task.below, _GAMES_AT_ONCE)
    with store.erasure.suspend_guards(connection):
        done = _erase_games(connection, task, games)
    if len(done) < len(games) or len(games) == _GAMES_AT_ONCE:
        rest = msgspec.structs.replace(task, below=done[-1].number)
        store.erasure.save_task(connection, row, to_json(rest))
    else:
        _erase_rest(connection, row.table_id, task)
        store.erasure.leave_rows(connection, row)


def _erase_games(connection: Connection, task: Task, games: Sequence[GameRow]) -> list[GameRow]:
    """Take it out of games, one at least; which of them there was time for."""
    deadline = time.perf_counter() + PORTION_SECONDS
    done: list[GameRow] = []
    for game in games:
        _erase_in_game(connection, task, game)
        done.append(game)
        if time.perf_counter() > deadline:
            break
    return done


def _erase_in_game(connection: Connection, task: Task, game: GameRow) -> None:
    """Take it out of one game."""
    match task:
        case EraseName(name, new):
            _rename_in_game(connection, game, name, new)
        case EraseOlder(day):
            if evening_of(game.begun_at).isoformat() < day:
                store.erasure.delete_game(connection, game.id)
        case EraseTable():
            store.erasure.delete_game(connection, game.id)


def _rename_in_game(connection: Connection, game: GameRow, name: str, new: str) -> None:
    if name in game.uid:
        store.erasure.replace_uid(connection, game.id, new_game_id())
    store.erasure.drop_remarks(connection, game.id, name)
    if name not in names_in(game.setup):
        return
    setup = msgspec.json.decode(game.setup, type=dict[str, object])
    names = [new if each == name else each for each in names_in(game.setup)]
    count = len(beginners_in(game.setup))
    joined = {"joined": names[count:]} if names[count:] else {}
    dealer = {"dealer": new} if setup.get("dealer") == name else {}
    text = to_json({**setup, "players": names[:count], **joined, **dealer})
    store.erasure.rename_in_game(connection, game.id, text, name, new)


def _erase_rest(connection: Connection, table_id: int, task: Task) -> None:
    """Take it out of what a table holds besides games."""
    match task:
        case EraseName():
            store.tables.finish_erasure(connection, table_id)
        case EraseOlder(day):
            bound = clock.write_time(beginning_of(date.fromisoformat(day)))
            store.erasure.delete_payments(connection, table_id, bound)
            games = store.games.find_all_ever(connection, table_id)
            names = {name for game in games for name in names_in(game.setup)}
            store.erasure.delete_people(connection, table_id, sorted(names))
            store.tables.finish_erasure(connection, table_id)
        case EraseTable():
            store.erasure.delete_table(connection, table_id)
