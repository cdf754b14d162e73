"""Games out and in: as game files, one by one or many in a zip, never twice at the same table."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from lzma import LZMAError

import msgspec
from msgspec.structs import replace

from app import store
from app.rules.errors import BadFile, NotAllowed
from app.rules.events import Event
from app.rules.gamefile import MAX_BYTES, Game, decode_game, write_game
from app.services import quotas, statistics
from app.services.serialization import deserialize_setup, serialize_event, serialize_setup
from app.services.tables import (
    Write,
    add_table,
    begin_change,
    deserialize_events,
    effective_events,
    find_table,
    hash_secret,
    new_game_id,
    new_link,
    read_sheet,
)
from app.store.database import Connection, Pool
from app.store.games import GameRow
from app.store.tables import TableRow

MAX_GAMES, MAX_UNPACKED = 1000, 20_000_000
# The part of an entry's header in a zip that is always there, in bytes.
_LOCAL_HEADER = 30
# What Python says of an archive that is broken, locked, or packed in a way it does not know.
_UNREADABLE = (
    zipfile.BadZipFile,
    EOFError,
    LZMAError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    zlib.error,
)
_EPOCH = (1980, 1, 1, 0, 0, 0)


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
            entry = zipfile.ZipInfo(f"{game.begun_at[:10]}-{game.uid}.json", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            zip_.writestr(entry, _write_file(connection, game))
    return buffer.getvalue()


def _write_file(connection: Connection, game: GameRow) -> bytes:
    """A game as a file, with its id and times, so that it can be imported as it was."""
    setup = deserialize_setup(game.setup)
    rows = effective_events(store.games.find_events(connection, game.id))
    times = [row.recorded_at for row in rows]
    events = map(_with_time, deserialize_events(setup, rows), times)
    file = Game(setup, tuple(events), {"id": game.uid, "at": game.begun_at})
    return msgspec.json.format(msgspec.json.encode(write_game(file)), indent=1)


def _with_time(event: Event, at: str) -> Event:
    return event if event.at is not msgspec.UNSET else replace(event, at=at)


def read_files(name: str, content: bytes) -> list[Game]:
    """The games in an uploaded file: a game file, or a zip of them.

    Raises BadFile and NotAllowed, with the name of the first file at fault among the values.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return [_read_file(name, content)]
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except _UNREADABLE:
        raise BadFile("file_unreadable", file=name) from None
    with archive:
        return [_read_file(inside, text) for inside, text in _unpack(archive)]


def _unpack(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The games in an archive, their bytes counted while they are unpacked. Raises BadFile."""
    entries = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
    if len(entries) > MAX_GAMES:
        raise BadFile("too_many_files", count=len(entries))
    _refuse_overlaps(archive.infolist())
    unpacked = 0
    for entry in sorted(entries, key=lambda entry: entry.filename):
        content = _unpack_entry(archive, entry)
        unpacked += len(content)
        if unpacked > MAX_UNPACKED:
            raise BadFile("archive_too_long", limit=MAX_UNPACKED)
        yield entry.filename, content


def _refuse_overlaps(entries: Iterable[zipfile.ZipInfo]) -> None:
    """Entries that share bytes unpack to far more than an archive could hold. Raises BadFile."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise BadFile("file_unreadable", file=entry.filename)
        name = len(entry.orig_filename.encode())
        end = entry.header_offset + _LOCAL_HEADER + name + entry.compress_size


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """One entry, of which no more is unpacked than a game may have. Raises BadFile."""
    try:
        with archive.open(entry) as file:
            content = file.read(MAX_BYTES + 1)
    except _UNREADABLE:
        raise BadFile("file_unreadable", file=entry.filename) from None
    if len(content) > MAX_BYTES:
        raise BadFile("file_too_long", file=entry.filename)
    return content


def _read_file(name: str, content: bytes) -> Game:
    """A game that can be played as its file says."""
    try:
        game = decode_game(content)
        game.states()
    except (BadFile, NotAllowed) as fault:
        fault.values["file"] = name
        raise
    return game


def open_table(pool: Pool, games: Sequence[Game], name: str, pen: str) -> str:
    """Open a table with these games and return its link.

    Raises NotAllowed when one that others followed is not over, BadFile when there are none.
    """
    if not games:
        raise BadFile("no_games")
    link = new_link()
    with pool.transaction() as connection:
        _add(connection, add_table(connection, link, name, pen), _in_order(games))
    return link


def import_games(pool: Pool, write: Write, games: Sequence[Game]) -> int:
    """Add games to a table, oldest first, and tell how many were new to it.

    Raises NotAllowed while a game is being played there, and for files of games not over.
    """
    with pool.transaction() as connection:
        table = begin_change(connection, replace(write, seq=None))
        if not read_sheet(pool, write.link).state.over:
            raise NotAllowed("still_playing")
        return _add(connection, table, _in_order(games))


def _in_order(games: Sequence[Game]) -> list[Game]:
    ordered = sorted(games, key=lambda game: str(game.remarks.get("at", "")))
    for game in ordered[:-1]:
        if not game.states()[-1].over:
            raise NotAllowed("import_still_playing")
    return ordered


def _add(connection: Connection, table: TableRow, games: Sequence[Game]) -> int:
    """Add the games that the table does not know yet, as one change."""
    before = store.games.find_all(connection, table.id)
    uids = {game.uid for game in before}
    # The same game twice among those sent is one.
    games_by_uid = {_uid(game): game for game in games}
    new = [(uid, game) for uid, game in games_by_uid.items() if uid not in uids]
    next_number = before[-1].number + 1 if before else 1
    _check_quotas(connection, table, next_number, [game for _, game in new])
    for number, (uid, game) in enumerate(new, start=next_number):
        setup, at = serialize_setup(game.setup), _time(game.remarks.get("at"))
        row = store.games.add(connection, table.id, number, uid, setup, at)
        events = [_event_row(event, game) for event in game.events]
        store.games.add_events(connection, row.id, table.seq, events)
        statistics.count_game(connection, row, game.events, game.states())
    store.statistics.sum_months(connection, table.id)
    return len(new)


def _check_quotas(
    connection: Connection, table: TableRow, number: int, games: Sequence[Game]
) -> None:
    """Raise NotAllowed when these games, from this number on, are more than a table holds."""
    quotas.check_games(number - 1 + len(games))
    names = {name for game in games for name in game.setup.players}
    quotas.check_names(connection, table.id, names)
    bodies = (serialize_event(event, game.setup) for game in games for event in game.events)
    quotas.add_entries(connection, table.id, quotas.weigh(bodies))


def _uid(game: Game) -> str:
    """The id of a game's file, else one of its own."""
    uid = game.remarks.get("id")
    return uid if isinstance(uid, str) and uid else _own_id(game)


def _own_id(game: Game) -> str:
    """A game without an id is known by its content, so that it is not imported twice."""
    return (
        hash_secret(msgspec.json.encode(write_game(game)).decode())
        if game.events
        else new_game_id()
    )


def _event_row(event: Event, game: Game) -> tuple[str, str | None]:
    """An event's time goes where the database holds times, if it is one."""
    at = _time(event.at)
    plain = replace(event, at=msgspec.UNSET) if at else event
    return serialize_event(plain, game.setup), at


def _time(at: object) -> str | None:
    if not isinstance(at, str):
        return None
    try:
        return at if datetime.fromisoformat(at).tzinfo else None
    except ValueError:
        return None
