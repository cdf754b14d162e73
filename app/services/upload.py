"""An upload: the games in a file, however it was packed, and what was found beside them.

What it takes to read is bounded while it is unpacked: bytes, entries, games, and how deep archives
lie in each other.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from json import detect_encoding
from typing import IO

from app.rules.codes import BadFile, NotAllowed
from app.rules.gamefile import Game, decode_game
from app.store import clock

MAX_GAMES, MAX_UNPACKED, DEEPEST = 1000, 20_000_000, 3
# An archive's directory is read whole before its entries are counted, so they are counted first,
# by the mark that each entry there begins with.
MAX_ENTRIES = 10 * MAX_GAMES
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
        if self.count > MAX_GAMES:
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
        elif games := _find_games(content):
            self._found += ((name, game) for game in games)
        else:
            self.left_out.append(name)

    def _open(self, name: str, content: bytes, depth: int) -> None:
        """Look at each file of an archive. Raises BadFile."""
        self._entries += content.count(_ENTRY_MARK)
        if self._entries > MAX_ENTRIES:
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


def _find_games(content: bytes) -> list[bytes]:
    """The game in a text, or one in each of its lines, in any encoding of Unicode."""
    try:
        encoding = detect_encoding(content)
        text = content if encoding == "utf-8" else content.decode(encoding).encode()
    except UnicodeError:
        return []
    if _OURS not in text:
        return []
    if text.count(b"\n") > 2 * MAX_GAMES:
        return [text]
    lines = [line for line in map(bytes.strip, text.split(b"\n")) if line]
    is_each = all(line.startswith(b"{") and line.endswith(b"}") for line in lines)
    return lines if is_each and len(lines) > 1 else [text]
