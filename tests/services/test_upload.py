"""Uploads: the games in a file, however the world packed it, and in words what holds none."""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from contextlib import suppress
from io import BytesIO

import pytest

from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.codes import BadFile
from app.rules.gamefile import Game
from app.services import import_export
from app.services.import_export import Upload
from app.store import clock

EMPTY = b'{"format": "chicago-game/1", "players": ["Anna", "\xc3\x85sa"], "events": []}'
OTHERS = b'{"theme": "dark"}'
STRANGE = json.dumps({**json.loads(EMPTY), "plyers": []}).encode()
MEGABYTE = EMPTY.ljust(10**6)


def pack(
    *files: bytes, names: str = "{}.json", method: int = zipfile.ZIP_DEFLATED, extra: int = 0
) -> bytes:
    """Return an archive of these files, named by their numbers, with so many extra bytes each."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number, content in enumerate(files):
            entry = zipfile.ZipInfo(names.format(number))
            entry.extra = bytes(extra)
            archive.writestr(entry, content, method)
    return buffer.getvalue()


def pack_named(**files: bytes) -> bytes:
    """Return an archive of files by their names, in which `|` is a slash."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("|", "/"), content)
    return buffer.getvalue()


def nest(content: bytes, depth: int) -> bytes:
    """Return an archive in so many archives."""
    for _ in range(depth):
        content = pack(content, names="{}.zip")
    return content


def overlap() -> bytes:
    """Return an archive in which two names stand for the same bytes."""
    archive = pack(EMPTY, EMPTY)
    directory, first = archive.rindex(b"PK\x01\x02"), archive.index(b"PK\x01\x02")
    return archive[: directory + 42] + archive[first + 42 : first + 46] + archive[directory + 46 :]


def read(content: bytes, name: str = "all.zip") -> tuple[list[Game], list[str]]:
    """Return the games of an upload, and the names of what was left out."""
    sent = Upload(name, BytesIO(content))
    return list(sent.games()), sent.left_out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["notepad.json", "A.JSON", "game.txt", "game"])
def test_a_game_is_read_in_any_encoding_of_unicode(encoding: str, name: str) -> None:
    """With the mark that Notepad puts in front, or without; whatever the file is called."""
    (game,), left_out = read(EMPTY.decode().encode(encoding), name)
    assert (game.setup.players, left_out) == (("Anna", "Åsa"), [])


FOLDER = {"kvall|": b"", "kvall|a.json": EMPTY}
BESIDE = {"__MACOSX|kvall|._a.json": bytes(82), "kvall|.DS_Store": b"\0\0\0\1Bud1"}
NOTES = {"a.json": EMPTY, "notes|settings.json": OTHERS, "b.jpg": b"\xff\xd8"}
# As programs call it: a chat program or a second download puts something behind a name.
CALLED = ("a.JSON", "a.json.txt", "a.json (1)", "a.json.download", "kväll 1|a", ".a.json")
OLD_NAMES = pack(b"", EMPTY, names="{} p@ Ostgatan.txt").replace(b"p@ O", b"p\x86 \x99")
MANY = pack(*[b""] * (import_export.MAX_PACKED - 1), EMPTY, names="{}.txt")
# What was sent, how many games it holds, and what is left out and named.
FOUND: list[tuple[bytes, int, list[str]]] = [
    (pack_named(**FOLDER, **BESIDE), 1, ["__MACOSX/kvall/._a.json", "kvall/.DS_Store"]),
    (pack_named(**NOTES).replace(b"notes/", b"notes\\"), 1, ["b.jpg", "notes/settings.json"]),
    *((pack_named(**{"b.v2|b.dat": EMPTY, name: EMPTY}), 1, ["b.v2/b.dat"]) for name in CALLED),
    (nest(pack(EMPTY), 1), 1, []),
    (pack(nest(pack(EMPTY), 1), names="{}.ZIP"), 1, []),
    (gzip.compress(EMPTY), 1, []),
    (gzip.compress(pack(EMPTY)), 1, []),
    (pack(gzip.compress(EMPTY), names="{}.json.gz"), 1, []),
    (pack_named(**{"a.json": EMPTY, "deep.zip": nest(pack(EMPTY), 3)}), 1, ["0.zip"]),
    (b"\r\n".join([EMPTY, EMPTY, b""]), 2, []),
    (MANY, 1, sorted(f"{n}.txt" for n in range(import_export.MAX_PACKED - 1))),
    (pack(*[EMPTY] * 1000, extra=80), 1000, []),
    (pack(*[MEGABYTE] * 20), 20, []),
    (OLD_NAMES, 1, ["0 på Östgatan.txt"]),
]


@pytest.mark.parametrize(("content", "count", "left_out"), FOUND, ids=range(len(FOUND)))
def test_games_are_found_however_they_were_packed(
    content: bytes, count: int, left_out: list[str]
) -> None:
    """What is none is left out and named, whatever it lies in."""
    games, named = read(content)
    assert (len(games), named) == (count, left_out)


BOMB = gzip.compress(bytes(import_export.MAX_UNPACKED + 1))
# What was sent as `all.zip`, the reason of its refusal, and the file at fault.
REFUSED: list[tuple[bytes, str, str | None]] = [
    # A download that broke off is no other program's file.
    (EMPTY[:-3], "file_unreadable", "all.zip"),
    (gzip.compress(EMPTY)[:-9], "file_unreadable", "all.zip"),
    (pack(EMPTY)[:-5], "file_unreadable", "all.zip"),
    (b"PK\x03\x04 but no zip", "file_unreadable", "all.zip"),
    # It is ours, and leaving it out would lose it.
    (STRANGE, "unknown_key", "all.zip"),
    (pack(EMPTY, STRANGE), "unknown_key", "1.json"),
    (EMPTY + b"\n{}", "wrong_format", "all.zip"),
    # Bounds, each of them counted while it is unpacked.
    (BOMB, "archive_too_long", None),
    (pack(*[BOMB] * 2, names="{}.gz"), "archive_too_long", None),
    (pack(*[pack(MEGABYTE)] * 21, names="{}.zip"), "archive_too_long", None),
    (pack(*[MEGABYTE] * 21), "archive_too_long", None),
    (pack(MEGABYTE + b" "), "game_too_long", "0.json"),
    ((b"{}\n" * 3000) + EMPTY, "file_unreadable", "all.zip"),
    (pack(*[EMPTY] * 1001), "too_many_files", None),
    (MANY.replace(b"PK\x01\x02", b"PK\x01\x02" * 2, 1), "too_many_files", None),
    (pack(MANY, names="{}.zip"), "too_many_files", None),
    # What takes long to read, or unpacks to more than an archive could hold.
    (pack(*[EMPTY] * 7, extra=65532), "file_unreadable", "all.zip"),
    (overlap(), "file_unreadable", "1.json"),
    (pack(EMPTY, method=zipfile.ZIP_BZIP2), "file_unreadable", "0.json"),
    (pack(EMPTY, method=zipfile.ZIP_LZMA), "file_unreadable", "0.json"),
]


@pytest.mark.parametrize(("content", "code", "file"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_read_is_refused_by_its_name(
    content: bytes, code: str, file: str | None
) -> None:
    """Damaged, no game of ours, or beyond a bound."""
    with pytest.raises(BadFile) as fault:
        read(content)
    assert (fault.value.code, fault.value.values.get("file")) == (code, file)


SEEMS = [
    ("IMG_1.PNG", b"\x89PNG\r\n", "en bild"),
    ("IMG_1.HEIC", b"\0\0\0\x18ftyp", "en bild"),
    ("rules.pdf", b"%PDF-1.7", "en PDF"),
    ("chicago.csv", b"\xef\xbb\xbfDatum;", "ett kalkylblad"),
    ("a.xlsx", pack(b"", names="xl/{}.xml"), "ett kalkylblad"),
    ("backup", b"SQLite format 3\0", "en hel databas"),
    ("chicago.html", b"<!doctype html>", "en webbsida"),
    ("a.zip", pack(OTHERS), "ett arkiv utan partier"),
    ("a.rar", b"Rar!\x1a", "ett arkiv av ett slag som inte går att läsa här"),
    ("a.json", OTHERS, "ett annat programs fil"),
    ("a.json", b"\xff\xfe\xff", "ett annat programs fil"),
    ("a.json", b" \n", "en tom fil"),
]


@pytest.mark.parametrize(("name", "content", "seems"), SEEMS, ids=range(len(SEEMS)))
def test_a_file_that_holds_no_game_is_told_what_it_seems_to_be(
    name: str, content: bytes, seems: str
) -> None:
    """In the words of people, whatever else it holds."""
    with pytest.raises(BadFile) as fault:
        read(content, name)
    said = error_text(fault.value, get_language("sv"))
    assert said.startswith(f"Det här är inget parti från Chicago utan ser ut att vara {seems}")


def test_a_broken_archive_is_a_bad_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever number in it is wrong, also one of the long ones that large archives have."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 0)
    monkeypatch.setattr(clock, "give_way", lambda: None)
    chance, archive = random.Random(1), pack(EMPTY, EMPTY)
    for _ in range(4000):
        at, width = chance.randrange(len(archive)), chance.choice([1, 4, 8])
        wrong = chance.choice([b"\0", b"\1", b"\x7f", b"\xff"]) * width
        with suppress(BadFile):
            read(archive[:at] + wrong + archive[at + width :])
