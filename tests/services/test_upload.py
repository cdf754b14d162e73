"""Uploads: the games in a file, however the world packed it, and in words what holds none."""

from __future__ import annotations

import gzip
import json
import random
import zipfile
from collections.abc import Mapping
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
APPLE = bytes.fromhex("0005160700020000") + bytes(74)


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


def pack_named(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files by their names."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def read(content: bytes, name: str = "all.zip") -> tuple[list[Game], list[str]]:
    """Return the games of an upload, and the names of what was left out."""
    sent = Upload(name, BytesIO(content))
    return list(sent.games()), sent.left_out


def refusal_of(content: bytes, name: str = "all.zip") -> tuple[str, object]:
    """Return the code of a refused file, and the file that the refusal names."""
    with pytest.raises(BadFile) as fault:
        read(content, name)
    return fault.value.code, fault.value.values.get("file")


# However it was packed.


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["notepad.json", "A.JSON", "game.txt", "game"])
def test_a_game_is_read_in_any_encoding_of_unicode(encoding: str, name: str) -> None:
    """With the mark that Notepad puts in front, or without; whatever the file is called."""
    (game,), left_out = read(EMPTY.decode().encode(encoding), name)
    assert game.setup.players == ("Anna", "Åsa")
    assert left_out == []


def test_an_archive_of_finder_gives_its_games() -> None:
    """Of what macOS adds nothing is read, and it is named; a folder is none of it."""
    beside = {"__MACOSX/kvall/._a.json": APPLE, "kvall/.DS_Store": b"\0\0\0\1Bud1"}
    games, left_out = read(pack_named({"kvall/": b"", "kvall/a.json": EMPTY, **beside}))
    assert (len(games), left_out) == (1, [*beside])


def test_another_programs_file_beside_is_left_out_and_named() -> None:
    """Whether it is JSON or a picture, and in the folders of Windows too."""
    files = {"a.json": EMPTY, "notes/settings.json": OTHERS, "b.jpg": b"\xff\xd8"}
    archive = pack_named(files).replace(b"notes/", b"notes\\")
    games, left_out = read(archive)
    assert (len(games), left_out) == (1, ["b.jpg", "notes/settings.json"])


@pytest.mark.parametrize(
    "name", ["a.JSON", "a.json.txt", "a.json (1)", "a.json.download", "kväll 1/a", ".a.json"]
)
def test_an_entry_may_be_called_as_programs_call_it(name: str) -> None:
    """A chat program or a second download puts something behind its name, or takes that away."""
    assert len(read(pack_named({"b.v2/b.dat": EMPTY, name: EMPTY}))[0]) == 1


@pytest.mark.parametrize(
    "content",
    [
        pack(pack(EMPTY), names="{}.zip"),
        pack(pack(pack(EMPTY), names="{}.zip"), names="{}.ZIP"),
        gzip.compress(EMPTY),
        gzip.compress(pack(EMPTY)),
        pack(gzip.compress(EMPTY), names="{}.json.gz"),
    ],
    ids=range(5),
)
def test_what_is_packed_twice_is_unpacked_twice(content: bytes) -> None:
    """An archive in an archive, and what gzip packed."""
    assert len(read(content, "game.json.gz")[0]) == 1


def test_no_archive_is_unpacked_without_end() -> None:
    """What lies deeper than three archives is left out; a gzip bomb is refused while it grows."""
    deep = pack(EMPTY)
    for _ in range(import_export.DEEPEST):
        deep = pack(deep, names="{}.zip")
    games, left_out = read(pack_named({"a.json": EMPTY, "deep.zip": deep}))
    assert (len(games), left_out) == (1, ["0.zip"])
    bomb = gzip.compress(bytes(import_export.MAX_UNPACKED + 1))
    assert refusal_of(bomb)[0] == "archive_too_long"
    assert refusal_of(pack(*[bomb] * 2, names="{}.gz"))[0] == "archive_too_long"
    half = pack(EMPTY.ljust(10**6))
    many = pack(*[half] * 21, names="{}.zip")
    assert refusal_of(many)[0] == "archive_too_long"


def test_a_game_on_each_line_is_a_game_each() -> None:
    """As programs write many (JSON Lines); a line that is none has its reason."""
    assert len(read(b"\r\n".join([EMPTY, EMPTY, b""]), "all.jsonl")[0]) == 2
    assert refusal_of(EMPTY + b"\n{}", "all.jsonl") == ("wrong_format", "all.jsonl")


# What holds no game.


@pytest.mark.parametrize(
    ("name", "content", "seems"),
    [
        ("IMG_1.PNG", b"\x89PNG\r\n", "en bild"),
        ("IMG_1.HEIC", b"\0\0\0\x18ftyp", "en bild"),
        ("rules.pdf", b"%PDF-1.7", "en PDF"),
        ("chicago.csv", b"\xef\xbb\xbfDatum;", "ett kalkylblad"),
        ("a.xlsx", pack(b"", names="xl/{}.xml"), "ett kalkylblad"),
        ("backup", b"SQLite format 3\0", "en hel databas"),
        ("chicago.html", b"<!doctype html>", "en webbsida"),
        ("a.zip", pack(OTHERS), "ett arkiv utan partier"),
        ("a.rar", b"Rar!\x1a", "ett arkiv av ett slag som inte går att läsa här"),
        ("a.zip", pack(), "ett arkiv utan partier"),
        ("a.json", OTHERS, "ett annat programs fil"),
        ("a.json", b"[]", "ett annat programs fil"),
        ("a.json", b"\xff\xfe\xff", "ett annat programs fil"),
        ("a.json", b" \n", "en tom fil"),
    ],
    ids=range(14),
)
def test_a_file_that_holds_no_game_is_told_what_it_seems_to_be(
    name: str, content: bytes, seems: str
) -> None:
    """In the words of people, whatever else it holds."""
    with pytest.raises(BadFile) as fault:
        read(content, name)
    said = error_text(fault.value, get_language("sv"))
    assert said.startswith(f"Det här är inget parti från Chicago utan ser ut att vara {seems}")


@pytest.mark.parametrize(
    "content",
    [EMPTY[:-3], gzip.compress(EMPTY)[:-9], pack(EMPTY)[:-5], b"PK\x03\x04 but no zip"],
    ids=range(4),
)
def test_a_damaged_file_is_refused_by_its_name(content: bytes) -> None:
    """A download that broke off is no other program's file."""
    assert refusal_of(content, "cut.json") == ("file_unreadable", "cut.json")


def test_a_game_that_cannot_be_played_is_named() -> None:
    """Also inside an archive: it is ours, and leaving it out would lose it."""
    wrong = {**json.loads(EMPTY), "plyers": []}
    content = json.dumps(wrong).encode()
    assert refusal_of(content, "strange.json") == ("unknown_key", "strange.json")
    assert refusal_of(pack(EMPTY, content)) == ("unknown_key", "1.json")


# Bounds.


def test_an_archive_holds_a_thousand_games_at_most() -> None:
    """More games are refused before any of them is played."""
    assert refusal_of(pack(*[EMPTY] * 1001)) == ("too_many_files", None)


def test_too_many_entries_are_refused_unread() -> None:
    """Those of archives within one are counted with it."""
    many = pack(*[b""] * (import_export.MAX_PACKED - 1), EMPTY, names="{}.txt")
    assert len(read(many)[0]) == 1
    assert refusal_of(many.replace(b"PK\x01\x02", b"PK\x01\x02" * 2, 1)) == ("too_many_files", None)
    assert refusal_of(pack(many, names="{}.zip")) == ("too_many_files", None)


def test_an_archive_that_takes_long_to_read_is_refused_unread() -> None:
    """Its extra fields are bounded together; those that archivers write are far shorter."""
    assert len(read(pack(*[EMPTY] * 1000, extra=80))[0]) == 1000
    assert refusal_of(pack(*[EMPTY] * 7, extra=65532)) == ("file_unreadable", "all.zip")


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


def test_what_an_archive_unpacks_to_is_counted_while_it_is_unpacked() -> None:
    """The size is counted during unpacking: blanks that pack to nothing are refused too."""
    megabyte = EMPTY.ljust(10**6)
    assert len(read(pack(*[megabyte] * 20))[0]) == 20
    assert refusal_of(pack(*[megabyte] * 21))[0] == "archive_too_long"
    assert refusal_of(pack(megabyte + b" "))[0] == "game_too_long"
    assert refusal_of((b"{}\n" * 3000) + EMPTY)[0] == "file_unreadable"


def test_entries_that_overlap_are_refused() -> None:
    """Two names for the same bytes would let a small archive unpack to a large one."""
    archive = pack(EMPTY, EMPTY)
    directory, first = archive.rindex(b"PK\x01\x02"), archive.index(b"PK\x01\x02")
    offset = archive[first + 42 : first + 46]
    overlapping = archive[: directory + 42] + offset + archive[directory + 46 :]
    assert refusal_of(overlapping)[0] == "file_unreadable"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_a_bound_are_refused(method: int) -> None:
    """A few bytes packed with bzip2 or LZMA become a gigabyte before they can be counted."""
    assert refusal_of(pack(EMPTY, method=method)) == ("file_unreadable", "0.json")


def test_names_in_the_old_encoding_are_read() -> None:
    """A Swedish file name in the one-byte encoding of Windows, without UTF-8 flag, is read."""
    content = pack(b"", EMPTY, names="{} p@ Ostgatan.txt").replace(b"p@ O", b"p\x86 \x99")
    assert read(content)[1] == ["0 på Östgatan.txt"]
