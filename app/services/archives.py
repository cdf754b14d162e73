"""The files in an upload: one game file, or an archive of them, unpacked within bounds."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator

from app.rules.errors import BadFile
from app.rules.gamefile import MAX_BYTES

MAX_GAMES, MAX_UNPACKED = 1000, 20_000_000
# An archive may hold other files beside its games; its directory is read whole before they are
# counted, so what it holds in all is counted first, by the mark that each entry there begins with.
MAX_ENTRIES = 10 * MAX_GAMES
_ENTRY_MARK = b"PK\x01\x02"
# The other methods unpack a piece of an archive whole, however much comes of it.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# The part of an entry's header in a zip that is always there, in bytes.
_LOCAL_HEADER = 30
# What Python says of an archive that is broken, locked, or packed in a way it does not know.
_UNREADABLE = (
    zipfile.BadZipFile,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    zlib.error,
)


def unpack(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The name and the bytes of each game file in an upload, one unpacked after another.

    Raises BadFile, with the name of the file at fault, where the upload exceeds a bound or cannot
    be unpacked.
    """
    if not zipfile.is_zipfile(io.BytesIO(content)):
        yield name, content
        return
    if (count := content.count(_ENTRY_MARK)) > MAX_ENTRIES:
        raise BadFile("too_many_files", count=count)
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except _UNREADABLE:
        raise BadFile("file_unreadable", file=name) from None
    with archive:
        yield from _unpack_games(archive)


def _unpack_games(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
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
        # A name is at least so many bytes long.
        name = len(entry.orig_filename)
        end = entry.header_offset + _LOCAL_HEADER + name + entry.compress_size


def _unpack_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """One entry, of which no more is unpacked than a game may have. Raises BadFile."""
    if entry.compress_type not in _METHODS:
        raise BadFile("file_unreadable", file=entry.filename)
    try:
        with archive.open(entry) as file:
            content = file.read(MAX_BYTES + 1)
    except _UNREADABLE:
        raise BadFile("file_unreadable", file=entry.filename) from None
    if len(content) > MAX_BYTES:
        raise BadFile("file_too_long", file=entry.filename)
    return content
