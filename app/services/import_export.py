"""Games out and in: as game files, one by one or many in a zip, never twice at the same table.

What comes in is worked out first, others being served in between, and then written in one
transaction.
"""

from __future__ import annotations

import io
import threading
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.currency import USUAL, Currency
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.rules.events import Event
from app.rules.gamefile import Game, decode_game, write_game
from app.services import archives, prepared_games, quotas
from app.services.evening import evening_of
from app.services.game_states import deserialize_events, effective_events
from app.services.prepared_games import PreparedGame
from app.services.serialization import deserialize_setup
from app.services.sheets import Sheet, read_sheet
from app.services.tables import Write, add_table, authorize, begin_change, find_table, new_link
from app.store.clock import now
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import GameRow
from app.store.tables import TableRow

_EPOCH = (1980, 1, 1, 0, 0, 0)
# One import at a time in the whole server: its work and its memory are bounded, not nothing. A
# small one is over in this many seconds.
_turn = threading.Lock()
TURN_SECONDS = 2.0
# Between two games others are served. To gevent 0 would only mean those who could go on already,
# and nobody whose request has just come.
YIELD_SECONDS = 0.001


class Busy(ChicagoError):
    """Another import is under way."""


def export_game(db: Database, link: str, number: int) -> bytes:
    """One game as a game file. Raises NotFound."""
    with db.snapshot() as connection:
        game = store.games.find(connection, find_table(connection, link).id, number)
        return _write_file(connection, game) if game else b""


def export_all(db: Database, link: str, numbers: Sequence[int] | None = None) -> bytes:
    """A table's games, all or some, as game files in one zip. Raises NotFound."""
    with db.snapshot() as connection:
        games = store.games.find_all(connection, find_table(connection, link).id)
    selection = [game for game in games if numbers is None or game.number in numbers]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zip_:
        for game in sorted(selection, key=lambda game: (game.begun_at, game.uid)):
            # A fixed time, so that the same games give the same bytes.
            entry = zipfile.ZipInfo(f"{evening_of(game.begun_at)}-{game.uid}.json", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(entry, _write_file(db.connection, game))
            time.sleep(YIELD_SECONDS)
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


def open_table(
    db: Database,
    games: Iterable[Game],
    name: str,
    pen: str,
    currency: Currency = USUAL,
    instance: str = "",
) -> str:
    """Open a table with these games and return its link, which names the instance.

    Raises Busy, NotAllowed when a game that others followed is not over, BadFile when there are
    none; then there is no such table.
    """
    link = new_link(instance)
    with _one_at_a_time():
        prepared = _prepare(games)
        if not prepared:
            raise BadFile("no_games")
        with db.transaction() as connection:
            table = add_table(connection, link, name, pen, currency)
            _add_games(connection, table, prepared, 1)
    return link


def import_games(db: Database, write: Write, games: Iterable[Game]) -> int:
    """Add games to a table as one change, oldest first, and tell how many were new to it.

    What was before can no longer be undone. Raises Busy, NoPen, NotFound, NotAllowed while a game
    is being played there and for files of games not over; then nothing is added.
    """
    authorize(db, write.link, write.pen)
    _read_ended(db, write.link)
    with _one_at_a_time():
        prepared = _prepare(games)
        with db.transaction() as connection:
            newest = _read_ended(db, write.link).games
            new = _drop_known(connection, write.link, prepared)
            if new:
                table = begin_change(connection, replace(write, seq=None))
                store.undo_stack.settle(connection, table.id)
                _add_games(connection, table, new, newest + 1)
    return len(new)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Wait a moment for the import under way. Raises Busy when it takes longer."""
    if not _turn.acquire(timeout=TURN_SECONDS):
        raise Busy("import_busy")
    try:
        yield
    finally:
        _turn.release()


def _prepare(games: Iterable[Game]) -> list[PreparedGame]:
    """Make games ready to be written, oldest first, each once. Raises as the games do."""
    by_uid = {}
    for game in games:
        prepared = prepared_games.prepare_game(game)
        by_uid[prepared.uid] = prepared
        time.sleep(YIELD_SECONDS)
    ordered = sorted(by_uid.values(), key=lambda game: game.at)
    if not all(game.over for game in ordered[:-1]):
        raise NotAllowed("import_still_playing")
    return ordered


def _drop_known(
    connection: Connection, link: str, games: Sequence[PreparedGame]
) -> list[PreparedGame]:
    """The games that a table does not have yet. Raises NotFound."""
    before = store.games.find_all(connection, find_table(connection, link).id)
    uids = {game.uid for game in before}
    return [game for game in games if game.uid not in uids]


def _add_games(
    connection: Connection, table: TableRow, games: Sequence[PreparedGame], first: int
) -> None:
    """Add games, numbered from `first` on. Raises NotAllowed for more than a table holds."""
    quotas.check_games(first - 1 + len(games))
    quotas.check_names(connection, table.id, {name for game in games for name in game.names})
    for number, game in enumerate(games, start=first):
        _add_game(connection, table, game, number)
    quotas.add_entries(connection, table.id, sum(game.entries for game in games))


def _read_ended(db: Database, link: str) -> Sheet:
    """The table, at which no game is being played. Raises NotFound, NotAllowed."""
    sheet = read_sheet(db, link)
    if not sheet.state.over:
        raise NotAllowed("still_playing")
    return sheet


def _add_game(connection: Connection, table: TableRow, game: PreparedGame, number: int) -> None:
    begun_at = game.begun_at or now()
    sql = "INSERT INTO games (table_id, number, uid, setup, begun_at) VALUES (?, ?, ?, ?, ?)"
    row = [table.id, number, game.uid, game.setup, begun_at]
    game_id = int(connection.execute(sql, row).lastrowid or 0)
    events = msgspec.json.decode(game.events, type=list[tuple[str, str | None]])
    store.games.add_events(connection, game_id, table.seq, events)
    key = {"table_id": table.id, "evening": evening_of(begun_at).isoformat()}
    store.statistics.replace(connection, game_id, [key | seat for seat in game.statistics])
