"""Games out and in: as game files, one by one or many in a zip, never twice at the same table."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from app.rules.errors import BadFile, NotAllowed
from app.rules.events import Event
from app.rules.gamefile import Game, read_game, write_game
from app.rules.json_input import decode
from app.services import statistics
from app.services.serialization import (
    deserialize_event,
    deserialize_setup,
    serialize_event,
    serialize_setup,
)
from app.services.tables import (
    Write,
    hash_secret,
    new_game_id,
    new_link,
    require_pen,
    sheet,
    table_id,
)
from app.store.database import GameRow, Pool

LONGEST_FILE = 2_000_000
MOST_FILES = 20_000
_EPOCH = (1980, 1, 1, 0, 0, 0)


def export_game(pool: Pool, link: str, number: int) -> bytes:
    """One game as a game file. Raises NotFound."""
    key = table_id(pool, link)
    game = pool.game(key, number)
    return _written(pool, game) if game else b""


def export_all(pool: Pool, link: str, numbers: Sequence[int] | None = None) -> bytes:
    """A table's games, all or some, as game files in one zip. Raises NotFound."""
    games = pool.games(table_id(pool, link))
    chosen = [game for game in games if numbers is None or game.number in numbers]
    chosen.sort(key=lambda game: (game.begun_at, game.uid))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for game in chosen:
            # A fixed time, so that the same games give the same bytes.
            entry = zipfile.ZipInfo(f"{game.begun_at[:10]}-{game.uid}.json", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, _written(pool, game))
    return packed.getvalue()


def _written(pool: Pool, game: GameRow) -> bytes:
    """A game as a file, with its id and times, so that it can be taken back in as it was."""
    setup = deserialize_setup(game.setup)
    counting = [row for row in pool.events(game.id) if row.taken_back is None]
    events = [_timed(deserialize_event(row.body, setup), row.recorded_at) for row in counting]
    file = Game(setup, tuple(events), {"id": game.uid, "at": game.begun_at})
    return msgspec.json.format(msgspec.json.encode(write_game(file)), indent=1)


def _timed(event: Event, at: str) -> Event:
    return event if event.at is not msgspec.UNSET else replace(event, at=at)


def read_files(name: str, content: bytes) -> list[Game]:
    """The games in an uploaded file: a game file, or a zip of them.

    Raises BadFile and NotAllowed, with the name of the first file at fault among the values.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return [_checked(name, content)]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [_checked(inside, text) for inside, text in _unpacked(archive)]


def _unpacked(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    entries = [entry for entry in archive.infolist() if entry.filename.endswith(".json")]
    if len(entries) > MOST_FILES:
        raise BadFile("too_many_files", count=len(entries))
    for entry in sorted(entries, key=lambda entry: entry.filename):
        if entry.file_size > LONGEST_FILE:
            raise BadFile("file_too_long", file=entry.filename)
        try:
            yield entry.filename, archive.read(entry)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError):
            raise BadFile("file_unreadable", file=entry.filename) from None


def _checked(name: str, content: bytes) -> Game:
    """A game that can be played as its file says."""
    try:
        game = read_game(decode(content))
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
    with pool.writing():
        table = pool.add_table(hash_secret(link), name)
        pool.give_pen(table, hash_secret(pen))
        _add(pool, table, _in_order(games))
    return link


def import_games(pool: Pool, write: Write, games: Sequence[Game]) -> int:
    """Add games to a table, oldest first, and tell how many were new to it.

    Raises NotAllowed while a game is being played there, and for files of games not over.
    """
    with pool.writing():
        table = require_pen(pool, write)
        if not sheet(pool, write.link).state.over:
            raise NotAllowed("still_playing")
        return _add(pool, table.id, _in_order(games))


def _in_order(games: Sequence[Game]) -> list[Game]:
    ordered = sorted(games, key=lambda game: str(game.remarks.get("at", "")))
    for game in ordered[:-1]:
        if not game.states()[-1].over:
            raise NotAllowed("import_still_playing")
    return ordered


def _add(pool: Pool, table: int, games: Sequence[Game]) -> int:
    """Add the games that the table does not know yet, as one change."""
    before = pool.games(table)
    known = {game.uid for game in before}
    new = [kept for game in games if (kept := _kept(game)).uid not in known]
    seq = pool.add_change(table, "import", "")
    for number, kept in enumerate(new, start=len(before) + 1):
        game_id = pool.add_game(table, number, kept.uid, kept.setup, kept.begun_at)
        for body, at in kept.events:
            pool.add_event(game_id, seq, body, at)
        statistics.update_game(pool, game_id)
    return len(new)


class Kept(msgspec.Struct, frozen=True):
    """A game ready to be kept: what the database holds of it."""

    uid: str
    setup: str
    begun_at: str | None
    events: tuple[tuple[str, str | None], ...]


def _kept(game: Game) -> Kept:
    uid = game.remarks.get("id")
    events = tuple(_kept_event(event, game) for event in game.events)
    known = isinstance(uid, str) and 0 < len(uid) <= 128
    setup = serialize_setup(game.setup)
    return Kept(str(uid) if known else _own_id(game), setup, _time(game.remarks.get("at")), events)


def _own_id(game: Game) -> str:
    """A game without an id is known by its content, so that it is not taken in twice."""
    return (
        hash_secret(msgspec.json.encode(write_game(game)).decode())
        if game.events
        else new_game_id()
    )


def _kept_event(event: Event, game: Game) -> tuple[str, str | None]:
    """An event's time goes where the database keeps times, if it is one."""
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
