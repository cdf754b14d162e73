"""Games out and in: as game files, one by one or many in a zip, never twice at the same table.

An import is worked out first, others being served in between, and then written in one
transaction. What it takes to read an upload is bounded while it is unpacked: bytes, entries, games,
and how deep archives lie in each other.
"""

import io
import re
import threading
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import MAXYEAR, MINYEAR, datetime
from json import detect_encoding
from operator import itemgetter
from typing import IO

import msgspec
from msgspec.structs import replace

from app.rules.codes import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.gamefile import Game, decode_game, write_game
from app.rules.settlement import USUAL, Currency
from app.rules.state import GameState
from app.services import access, bounds, commit, figures, people, table_view
from app.services.access import (
    Access,
    Write,
    add_pen,
    find_access,
    hash_secret,
    new_game_id,
    new_link,
    require_pen,
)
from app.services.figures import Figures
from app.services.opening import add_table
from app.services.table_view import GameBody, JsonObject, to_json, write_numbers, write_setup
from app.store import clock, log
from app.store.clock import evening_of, now
from app.store.database import Connection, Database
from app.store.log import ChangeKind, ChangeRow

_EPOCH = (1980, 1, 1, 0, 0, 0)
# Files of one table are read or packed at a time in the whole server: the work and the memory are
# bounded, not nothing. For small ones this many seconds are long.
_turn = threading.Lock()
TURN_SECONDS = 2.0


class Busy(ChicagoError):
    """Files of another table are being read or packed."""


@contextmanager
def _take_turn() -> Iterator[None]:
    """Read or pack files while nobody else does. Raises Busy."""
    if not _turn.acquire(timeout=TURN_SECONDS):
        raise Busy("files_busy")
    try:
        yield
    finally:
        _turn.release()


class _Prepared(msgspec.Struct, frozen=True):
    """A game with all that takes long to work out, and how it stands."""

    uid: str
    begun_at: str
    game: Game
    state: GameState
    figures: Figures


def export_game(db: Database, link: str, number: int) -> bytes:
    """One game as a game file, with its id and times. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        game, names = table_view.load_game(connection, table, number)
    played = table_view.play(game, names)
    # So that it can be imported as it was.
    events = tuple(
        event if event.at is not msgspec.UNSET else replace(event, at=entry.at)
        for event, entry in zip(played.events, game.entries, strict=True)
    )
    file = Game(played.setup, events, {"id": game.body.id, "at": game.begun_at})
    return msgspec.json.format(msgspec.json.encode(write_game(file)), indent=1)


def export_all(db: Database, link: str, evening: str = "") -> bytes:
    """A table's games, of an evening alone (`2026-10-17`) or all, as game files in one zip.

    Raises NotFound, Busy.
    """
    table = find_access(db.connection, link, None)
    buffer = io.BytesIO()
    with _take_turn(), zipfile.ZipFile(buffer, "w") as zip_:
        games = sorted(log.find_starts(db.connection, table.id), key=itemgetter(1, 2))
        for number, begun_at, uid in games:
            day = evening_of(begun_at).isoformat()
            if evening in ("", day):
                # A fixed time, so that the same games give the same bytes; an id may be any text.
                name = f"{day}-{hash_secret(uid)[:32]}.json"
                entry = zipfile.ZipInfo(name, _EPOCH)
                zip_.writestr(entry, export_game(db, link, number), zipfile.ZIP_DEFLATED)
                clock.give_way()
    return buffer.getvalue()


def open_with_games(
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
    opened = Access(0, name, 0, 0, 0, currency, None, False, False, now(), 0, False, link)
    with _take_turn():
        prepared = _prepare(games)
        if not prepared:
            raise BadFile("no_games")
        _require_order(prepared)
        rows = _write_games(opened, {}, prepared, 1)
        with db.transaction() as connection:
            key = add_table(connection, link, name, currency)
            table = replace(opened, id=key, pen_id=add_pen(connection, key, pen))
            _add_games(connection, table, rows)
    return link


def import_games(db: Database, write: Write, games: Iterable[Game]) -> int:
    """Add games to a table, oldest first, and tell how many were new to it.

    Changes of before can no longer be undone. Raises Busy, NoPen, NotFound, NotAllowed while a game
    is being played there and for files of games not over, and Stale where the table has changed
    meanwhile; then nothing is added.
    """
    _require_ended(db, write)
    with _take_turn():
        prepared = _prepare(games)
        with db.snapshot() as connection:
            table, newest = _require_ended(db, write)
            known = {uid for _, _, uid in log.find_starts(connection, table.id)}
            names, _ = people.resolve(connection, table.id)
        new = [game for game in prepared if game.uid not in known]
        _require_order(new)
        rows = _write_games(table, names, new, newest + 1)
        with db.transaction() as connection:
            there, _ = _require_ended(db, write)
            if there.seq != table.seq:
                raise Stale("stale")
            _add_games(connection, table, rows)
    return len(new)


def _require_ended(db: Database, write: Write) -> tuple[Access, int]:
    """A table at which no game is being played, and how many were."""
    with db.snapshot() as connection:
        table = require_pen(connection, write)
        view = table_view.load_view(connection, table)
    if not view.state.over:
        raise NotAllowed("still_playing")
    return table, view.games


def _prepare(games: Iterable[Game]) -> list[_Prepared]:
    """Make games ready to be written, oldest first, each once, as far as it was played.

    Raises as the games do.
    """
    by_uid: dict[str, tuple[str, _Prepared]] = {}
    for game in games:
        uid, states = game.remarks.get("id"), game.states()
        if not (isinstance(uid, str) and uid):
            # One of its content, so that it is not imported twice.
            uid = hash_secret(to_json(write_game(game))) if game.events else new_game_id()
        # When it began: by its own time, else its first event's that tells one.
        times = map(_read_time, (game.remarks.get("at"), *(event.at for event in game.events)))
        told = next(filter(None, times), None)
        begun_at = told or now()
        bounds.check_points(states[-1])
        seats = figures.count_figures(begun_at, game, states)
        if uid not in by_uid or len(game.events) >= len(by_uid[uid][1].game.events):
            by_uid[uid] = told or "", _Prepared(uid, begun_at, game, states[-1], seats)
        clock.give_way()
    return [game for _, game in sorted(by_uid.values(), key=itemgetter(0))]


def _require_order(games: Sequence[_Prepared]) -> None:
    """Raise NotAllowed where a game is not over, and others have followed it."""
    if not all(game.state.over for game in games[:-1]):
        raise NotAllowed("import_still_playing")


def _read_time(at: object) -> str | None:
    """A time of a file, however that writes it, as the log holds times.

    One without a zone is the table's; a day alone is its evening.
    """
    if not isinstance(at, str):
        return None
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    # Every clock in the world can tell the evening of a moment in these years.
    if not MINYEAR < moment.year < MAXYEAR:
        return None
    if len(at) <= len("2026-10-17"):
        moment = clock.beginning_of(moment.date())
    elif moment.tzinfo is None:
        moment = moment.replace(tzinfo=clock.zone())
    return clock.write_time(moment)


class _ImportRows(msgspec.Struct):
    """Games as rows of the log and of figures, and the new names by number."""

    names: Mapping[int, str]
    changes: list[ChangeRow] = []
    seats: list[dict[str, object]] = []


def _write_games(
    table: Access, names: Mapping[int, str], games: Sequence[_Prepared], first: int
) -> _ImportRows:
    """Write games, numbered from `first` on. Raises NotAllowed for more than a table holds."""
    bounds.check("too_many_games", first - 1 + len(games), bounds.MAX_GAMES)
    # Who joined comes behind who began.
    players = [name for game in games for name in (*game.game.setup.players, *game.state.players)]
    everybody = commit.number_names(names, players)
    numbers = table_view.numbers_of(everybody)
    rows = _ImportRows({number: everybody[number] for number in everybody if number not in names})
    seq, entry_count = table.seq, table.entry_count
    for number, game in enumerate(games, start=first):
        for kind, body, at in _write_rows(game, table, number, numbers, game is games[-1]):
            seq, entry_count = seq + 1, entry_count + bounds.weigh(body)
            bounds.check("table_full", entry_count, bounds.MAX_ENTRIES)
            rows.changes.append(ChangeRow(seq, kind, number, body, at, None, entry_count))
        rows.seats += figures.write_figures(number, game.figures, numbers)
        clock.give_way()
    return rows


def _add_games(connection: Connection, table: Access, rows: _ImportRows) -> None:
    commit.insert_names(connection, table.id, rows.names)
    for row in rows.changes:
        log.append(connection, table.id, row, table.pen_id)
    figures.add_figures(connection, table.id, rows.seats)
    if rows.changes:
        access.mark_ledger(connection, table.id, rows.changes[-1].seq)


def _write_rows(
    game: _Prepared, table: Access, number: int, numbers: Mapping[str, int], one_by_one: bool
) -> Iterator[tuple[ChangeKind, str, str]]:
    """The changes by which a game comes in, perhaps one by one, so that they can be undone so."""
    name = table.name if number == 1 else ""
    setup = write_setup(game.game.setup, numbers)
    events: list[tuple[JsonObject, str]] = []
    last = game.begun_at
    for event in game.game.events:
        # Its time goes where the log holds times, if it is one; else it came with the one before.
        at = _read_time(event.at)
        body = write_numbers(replace(event, at=msgspec.UNSET) if at else event, numbers)
        events.append((body, last := at or last))
    within = () if one_by_one else tuple(events)
    begun = to_json(GameBody(game.uid, setup, table.currency, name, within))
    yield "open" if number == 1 else "import", begun, game.begun_at
    if one_by_one:
        yield from (("record", to_json(event), at) for event, at in events)


MAX_FILES, MAX_UNPACKED, DEEPEST = 1000, 20_000_000, 3
# An archive's directory is read whole before its entries are counted, so they are counted first,
# by the mark that each entry there begins with.
MAX_PACKED = 10 * MAX_FILES
_ARCHIVE, _ENTRY_MARK = (b"PK\x03\x04", b"PK\x05\x06"), b"PK\x01\x02"
# A long extra field takes the square of its length to read. All entries have so much together.
_EXTRA_LENGTHS, MAX_EXTRA = re.compile(_ENTRY_MARK + b"(?=.{26}(..))", re.DOTALL), 400_000
# The other methods unpack a piece of an archive whole, however much comes of it.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# The part of an entry's header in a zip that is always there, in bytes.
_LOCAL_HEADER = 30
_GZIP, _GZIP_BITS = b"\x1f\x8b", zlib.MAX_WBITS | 16
# Python's errors for an archive that is broken, locked, or packed in a way it does not know.
_UNREADABLE = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    zlib.error,
)
# Entries of an archive that may be games, or hold some; of others nothing is unpacked.
_LOOKED_AT = re.compile(r"\.(json|txt|zip|gz)|(?:^|/)[^./]+\Z", re.IGNORECASE)
# A game file says so of itself.
_OURS = b'"chicago-game'
# After so many entries others are served.
_A_STEP = 100
# What a file seems to be, by the end of its name or how it begins.
_SEEMS: Mapping[str, tuple[tuple[str, ...], tuple[bytes, ...]]] = {
    "picture": ((".jpg", ".jpeg", ".heic", ".webp"), (b"\x89PNG", b"\xff\xd8", b"GIF8", b"<svg")),
    "pdf": ((".pdf",), (b"%PDF",)),
    "spreadsheet": ((".csv", ".tsv", ".xls", ".xlsx", ".ods", ".numbers"), ()),
    "document": ((".doc", ".docx", ".odt", ".rtf", ".pages"), ()),
    "database": ((), (b"SQLite format 3",)),
    "web_page": ((".htm", ".html"), (b"<!", b"<html")),
    "archive": ((), (*_ARCHIVE, _GZIP)),
    "packed": ((".tar", ".rar", ".7z"), (b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ")),
}


def _guess(name: str, content: bytes) -> str:
    """What a file that holds no game seems to be."""
    if not content.strip():
        return "nothing"
    name = name.lower()
    for kind, (ends, begins) in _SEEMS.items():
        if name.endswith(ends) or content.startswith(begins):
            return kind
    return "other"


class Upload:
    """A file as it was sent; once its games are read, their `count` and the names `left_out`."""

    def __init__(self, name: str, file: IO[bytes]) -> None:
        self._name, self._file = name, file
        self._found: list[tuple[str, bytes]] = []
        self._entries = self._unpacked = 0
        self.left_out: list[str] = []

    @property
    def count(self) -> int:
        """The number of its games, each counted as often as it is there."""
        return len(self._found)

    def games(self) -> Iterator[Game]:
        """Its games, one after another.

        Raises BadFile and NotAllowed, with the name of the file at fault among the values; also
        where the upload exceeds a bound, or holds no game.
        """
        if not self._name:
            raise BadFile("no_games")
        content = self._file.read()
        self._look(self._name, content, 0)
        if not self._found:
            raise BadFile("not_ours", file=self._name, what=_guess(self._name, content))
        if self.count > MAX_FILES:
            raise BadFile("too_many_files", count=self.count)
        for file, text in self._found:
            try:
                game = decode_game(text)
                # So that the file is named at which it cannot be played.
                game.states()
                yield game
            except (BadFile, NotAllowed) as fault:
                if fault.code == "not_json":
                    raise BadFile("file_unreadable", file=file) from None
                fault.values["file"] = file
                raise

    def _look(self, name: str, content: bytes, depth: int) -> None:
        """Find the games in a file, or in those that are packed in it. Raises BadFile."""
        if content.startswith(_ARCHIVE) and depth < DEEPEST:
            self._open(name, content, depth)
        elif content.startswith(_GZIP) and depth < DEEPEST:
            self._look(name, self._unpack_gzip(name, content), depth + 1)
        elif games := _split_games(content):
            self._found += ((name, game) for game in games)
        else:
            self.left_out.append(name)

    def _open(self, name: str, content: bytes, depth: int) -> None:
        """Look at each file of an archive. Raises BadFile."""
        self._entries += content.count(_ENTRY_MARK)
        if self._entries > MAX_PACKED:
            raise BadFile("too_many_files", count=self._entries)
        lengths = (int.from_bytes(each, "little") for each in _EXTRA_LENGTHS.findall(content))
        if sum(lengths) > MAX_EXTRA:
            raise BadFile("file_unreadable", file=name)
        try:
            archive = zipfile.ZipFile(io.BytesIO(content))
        except _UNREADABLE:
            raise BadFile("file_unreadable", file=name) from None
        with archive:
            _refuse_overlaps(archive.infolist())
            entries = sorted(archive.infolist(), key=lambda entry: entry.filename)
            for number, entry in enumerate(entries):
                self._look_at_entry(archive, entry, depth)
                if number % _A_STEP == 0:
                    clock.give_way()

    def _look_at_entry(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, depth: int) -> None:
        # Some programs of Windows write their own slashes.
        name = entry.filename.replace("\\", "/")
        if _LOOKED_AT.search(name):
            self._look(name, self._unpack(archive, entry), depth + 1)
        elif not name.endswith("/"):
            self.left_out.append(name)

    def _unpack(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
        """One entry, of which no more is unpacked than the upload may hold. Raises BadFile."""
        if entry.compress_type not in _METHODS:
            raise BadFile("file_unreadable", file=entry.filename)
        try:
            with archive.open(entry) as file:
                return self._count(file.read(MAX_UNPACKED - self._unpacked + 1))
        except _UNREADABLE:
            raise BadFile("file_unreadable", file=entry.filename) from None

    def _unpack_gzip(self, name: str, content: bytes) -> bytes:
        """As much as the upload may hold of what gzip packed. Raises BadFile."""
        unpacker = zlib.decompressobj(wbits=_GZIP_BITS)
        with suppress(zlib.error):
            text = self._count(unpacker.decompress(content, MAX_UNPACKED - self._unpacked + 1))
            if unpacker.eof and not unpacker.unused_data:
                return text
        raise BadFile("file_unreadable", file=name)

    def _count(self, content: bytes) -> bytes:
        """Count bytes that were unpacked. Raises BadFile where they are too many together."""
        self._unpacked += len(content)
        if self._unpacked > MAX_UNPACKED:
            raise BadFile("archive_too_long", limit=MAX_UNPACKED)
        return content


def _refuse_overlaps(entries: Iterable[zipfile.ZipInfo]) -> None:
    """Entries that share bytes unpack to far more than an archive could hold. Raises BadFile."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise BadFile("file_unreadable", file=entry.filename)
        # A name is at least so many bytes long.
        name = len(entry.orig_filename)
        end = entry.header_offset + _LOCAL_HEADER + name + entry.compress_size


def _split_games(content: bytes) -> list[bytes]:
    """The game in a text, or one in each of its lines, in any encoding of Unicode."""
    try:
        encoding = detect_encoding(content)
        text = content if encoding == "utf-8" else content.decode(encoding).encode()
    except UnicodeError:
        return []
    if _OURS not in text:
        return []
    if text.count(b"\n") > 2 * MAX_FILES:
        return [text]
    lines = [line for line in map(bytes.strip, text.split(b"\n")) if line]
    is_each = all(line.startswith(b"{") and line.endswith(b"}") for line in lines)
    return lines if is_each and len(lines) > 1 else [text]
