"""Games out and in: as game files, one by one or many in a zip, never twice at the same table.

What comes in is worked out first and then written in portions, each a short transaction of whole
games, so that no other table waits long for the write lock.
"""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.currency import USUAL, Currency
from app.rules.errors import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.events import Event
from app.rules.gamefile import Game, decode_game, write_game
from app.services import archives, prepared_games, quotas
from app.services.evening import evening_of
from app.services.game_states import deserialize_events, effective_events
from app.services.prepared_games import PreparedGame
from app.services.serialization import deserialize_setup
from app.services.sheets import Sheet, read_sheet
from app.services.tables import (
    Write,
    authorize,
    begin_change,
    find_table,
    hash_secret,
    new_link,
    read_table_id,
)
from app.services.throttle import Throttle, without_rest
from app.store.clock import now
from app.store.connection import Connection
from app.store.database import Pool
from app.store.games import GameRow
from app.store.imports import ImportedGame
from app.store.tables import TableRow

_EPOCH = (1980, 1, 1, 0, 0, 0)
# One import at a time in the whole server: its work and its memory are bounded, not nothing. A
# small one is over in this many seconds.
_turn = threading.Lock()
TURN_SECONDS = 2.0

Rest = Callable[[], None]


class Busy(ChicagoError):
    """Another import is under way."""


class NewTable(msgspec.Struct, frozen=True):
    """A table that is opened: its link, its name, and the pen that writes there."""

    link: str
    name: str
    pen: str
    currency: Currency


def export_game(pool: Pool, link: str, number: int) -> bytes:
    """One game as a game file. Raises NotFound."""
    with pool.snapshot() as connection:
        game = store.games.find(connection, find_table(connection, link).id, number)
        return _write_file(connection, game) if game else b""


def export_all(pool: Pool, link: str, numbers: Sequence[int] | None = None) -> bytes:
    """A table's games, all or some, as game files in one zip. Raises NotFound."""
    buffer = io.BytesIO()
    with pool.snapshot() as connection, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zip_:
        games = store.games.find_all(connection, find_table(connection, link).id)
        selection = [game for game in games if numbers is None or game.number in numbers]
        for game in sorted(selection, key=lambda game: (game.begun_at, game.uid)):
            # A fixed time, so that the same games give the same bytes.
            entry = zipfile.ZipInfo(f"{evening_of(game.begun_at)}-{game.uid}.json", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(entry, _write_file(connection, game))
    return buffer.getvalue()


def _write_file(connection: Connection, game: GameRow) -> bytes:
    """A game as a file, with its id and times, so that it can be imported as it was."""
    setup = deserialize_setup(game.setup)
    rows = effective_events(store.games.find_events(connection, game.id))
    times = [row.recorded_at for row in rows]
    events = map(_with_time, deserialize_events(game.setup, rows), times)
    file = Game(setup, tuple(events), {"id": game.uid, "at": game.begun_at})
    return msgspec.json.format(msgspec.json.encode(write_game(file)), indent=1)


def _with_time(event: Event, at: str) -> Event:
    return event if event.at is not msgspec.UNSET else replace(event, at=at)


def read_files(name: str, content: bytes) -> Iterator[Game]:
    """The games in an uploaded file, a game file or a zip of them, one after another.

    Raises BadFile and NotAllowed, with the name of the first file at fault among the values.
    """
    for file, text in archives.unpack(name, content):
        try:
            yield prepared_games.play_game(decode_game(text))
        except (BadFile, NotAllowed) as fault:
            fault.values["file"] = file
            raise


def open_table(  # noqa: PLR0913  # all that a new table has
    pool: Pool,
    games: Iterable[Game],
    name: str,
    pen: str,
    rest: Rest = without_rest,
    currency: Currency = USUAL,
    instance: str = "",
) -> str:
    """Open a table with these games and return its link, which names the instance.

    `rest` is called after each slice of the work, and may end it by raising. Raises Busy,
    NotAllowed when a game that others followed is not over, BadFile when there are none; then, and
    when the server ends meanwhile, there is no such table.
    """
    with one_at_a_time():
        prepared = _prepare(games, rest)
        if not prepared:
            raise BadFile("no_games")
        discard_unfinished(pool, rest)
        try:
            table = NewTable(new_link(instance), name, pen, currency)
            return _write_table(pool, prepared, table, rest)
        except BaseException:
            discard_unfinished(pool, Throttle().rest)
            raise


def import_games(pool: Pool, write: Write, games: Iterable[Game], rest: Rest = without_rest) -> int:
    """Add games to a table, oldest first, and tell how many were new to it.

    `rest` as in `open_table`. Raises Busy, NoPen, NotFound, NotAllowed while a game is being
    played there and for files of games not over. When it ends before all is written, those games
    are there that have been written, and the same files complete them.
    """
    authorize(pool, write.link, write.pen)
    _read_ended(pool, write.link)
    with one_at_a_time():
        new = _drop_known(pool, write.link, _prepare(games, rest))
        for portion in prepared_games.split(new):
            _write_portion(pool, write, portion)
            rest()
    return len(new)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait a moment for the import under way. Raises Busy when it takes longer."""
    if not _turn.acquire(timeout=TURN_SECONDS):
        raise Busy("import_busy")
    try:
        yield
    finally:
        _turn.release()


def _prepare(games: Iterable[Game], rest: Rest) -> list[PreparedGame]:
    """Make games ready to be written, oldest first, each once. Raises as the games do."""
    by_uid = {}
    for game in games:
        rest()
        prepared = prepared_games.prepare_game(game)
        by_uid[prepared.uid] = prepared
        rest()
    ordered = sorted(by_uid.values(), key=lambda game: game.at)
    if not all(game.over for game in ordered[:-1]):
        raise NotAllowed("import_still_playing")
    return ordered


def _write_table(pool: Pool, games: Sequence[PreparedGame], table: NewTable, rest: Rest) -> str:
    """Write a new table, which its link opens only when all of its games are there."""
    number = 1
    with pool.transaction() as connection:
        row = store.imports.add_unfinished_table(connection, new_link(), table.name, table.currency)
        _check_quotas(connection, row, 1, games)
        store.pens.add(connection, row.id, hash_secret(table.pen))
    for portion in prepared_games.split(games):
        rows = _new_games(portion, number)
        with pool.transaction() as connection:
            store.imports.add_games(connection, row.id, 1, rows)
            quotas.add_entries(connection, row.id, sum(game.entries for game in portion))
        number += len(portion)
        rest()
    with pool.transaction() as connection:
        store.imports.finish_table(connection, row.id, hash_secret(table.link))
    return table.link


def discard_unfinished(pool: Pool, rest: Rest = without_rest) -> None:
    """Delete the tables whose import came to no end, for which nobody has a link.

    Only while no import is under way: with the server's start, or before the next.
    """
    for table_id in store.imports.find_unfinished_tables(pool.connection):
        deleted = True
        while deleted:
            with pool.transaction() as connection:
                deleted = store.imports.delete_newest_game(connection, table_id)
            rest()
        with pool.transaction() as connection:
            store.erasure.delete_table(connection, table_id)


def _drop_known(pool: Pool, link: str, games: Sequence[PreparedGame]) -> list[PreparedGame]:
    """The games that a table does not have yet. Raises NotFound, NotAllowed for too many."""
    with pool.snapshot() as connection:
        table = find_table(connection, link)
        before = store.games.find_all(connection, table.id)
        uids = {game.uid for game in before}
        new = [game for game in games if game.uid not in uids]
        _check_quotas(connection, table, before[-1].number + 1, new)
    return new


def _check_quotas(
    connection: Connection, table: TableRow, number: int, games: Sequence[PreparedGame]
) -> None:
    """Raise NotAllowed when these games, from this number on, are more than a table holds."""
    quotas.check_games(number - 1 + len(games))
    quotas.check_names(connection, table.id, {name for game in games for name in game.names})
    quotas.check_entries(table.entries + sum(game.entries for game in games))


def _write_portion(pool: Pool, write: Write, games: Sequence[PreparedGame]) -> None:
    """Add games that are new to a table as one change of it, and let what was before be settled.

    What the table must be like for that is looked up before; that nothing has changed since is
    all that is left to ask while others wait. Raises NoPen, NotFound, NotAllowed.
    """
    while True:
        sheet = _read_ended(pool, write.link)
        rows = _new_games(games, sheet.games + 1)
        settled = store.undo_stack.is_settled(pool.connection, read_table_id(pool, write.link))
        with suppress(Stale), pool.transaction() as connection:
            table = begin_change(connection, replace(write, seq=sheet.seq))
            if not settled:
                store.undo_stack.settle(connection, table.id)
            store.imports.add_games(connection, table.id, table.seq, rows)
            quotas.add_entries(connection, table.id, sum(game.entries for game in games))
            return


def _read_ended(pool: Pool, link: str) -> Sheet:
    """The table, at which no game is being played. Raises NotFound, NotAllowed."""
    sheet = read_sheet(pool, link)
    if not sheet.state.over:
        raise NotAllowed("still_playing")
    return sheet


def _new_games(games: Sequence[PreparedGame], first: int) -> list[ImportedGame]:
    """The rows of games numbered from `first` on."""
    return [_new_game(game, number) for number, game in enumerate(games, start=first)]


def _new_game(game: PreparedGame, number: int) -> ImportedGame:
    begun_at = game.begun_at or now()
    key = {"number": number, "evening": evening_of(begun_at).isoformat()}
    seats = [key | row for row in game.statistics]
    return ImportedGame(number, game.uid, game.setup, begun_at, game.events, seats)
