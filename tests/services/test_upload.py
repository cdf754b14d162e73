"""Uploads: the games in a file, however the world packed it, and in words what holds none."""

import gzip
import json
import random
import zipfile
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest

from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.codes import BadFile
from app.rules.gamefile import Game
from app.services import import_export
from app.services.import_export import Upload
from app.store import clock
from tests.told import told

GAME = b'{"format": "chicago-game/1", "players": ["Anna", "\xc3\x85sa"], "events": []}'


def pack(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, extra: int = 0) -> bytes:
    """Return an archive of these files, with so many extra bytes each."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.extra = bytes(extra)
            archive.writestr(entry, content, method)
    return buffer.getvalue()


def overlap() -> bytes:
    """Return an archive in which two names stand for the same bytes."""
    archive = pack({"0.json": GAME, "1.json": GAME})
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
    (game,), left_out = read(GAME.decode().encode(encoding), name)
    assert (game.setup.players, left_out) == (("Anna", "Åsa"), [])


MANY = {f"{number}.txt": b"" for number in range(import_export.MAX_PACKED - 1)}
# What the tables call so.
NAMED = {
    b"GAME": GAME,
    b"STRANGE": json.dumps({**json.loads(GAME), "plyers": []}).encode(),
    b"MEGABYTE": GAME.ljust(10**6),
    b"LINES": b"{}\n" * 3000,
    b"HUGE": bytes(import_export.MAX_UNPACKED + 1),
    b"MANY": pack({**MANY, "a.txt": GAME}),
    b"OVERLAP": overlap(),
}


def make(file: Any) -> bytes:  # noqa: ANN401 - JSON
    """Return a file as the tables tell of it; of `{}` in a name there are so many."""
    match file:
        case {"zip": files}:
            made = dict[str, bytes]()
            for name, inner in files.items():
                count, content = inner if isinstance(inner, list) else (1, inner)
                made |= dict.fromkeys(map(name.format, range(count)), make(content))
            return pack(made, file.get("way", zipfile.ZIP_DEFLATED), file.get("extra", 0))
        case {"gzip": inner}:
            return gzip.compress(make(inner))
        case {"cut": letters, "of": inner}:
            return make(inner)[:-letters]
        case {"instead of": old, "there is": new, "in": inner}:
            return make(inner).replace(old.encode("latin-1"), new.encode("latin-1"))
    content = bytes(file, "latin-1")
    for word, sample in NAMED.items():
        content = content.replace(word, sample)
    return content


@told
def test_games_are_found_however_they_were_packed(
    content: object, count: int, left_out: list[str] | int
) -> None:
    """What is none is left out and named, whatever it lies in; of many so many."""
    games, named = read(make(content))
    assert (len(games), len(named) if isinstance(left_out, int) else named) == (count, left_out)


@told
def test_what_cannot_be_read_is_refused_by_its_name(
    content: object, code: str, file: str | None
) -> None:
    """Damaged, no game of ours, or beyond a bound."""
    with pytest.raises(BadFile) as fault:
        read(make(content))
    assert (fault.value.code, fault.value.values.get("file")) == (code, file)


@told
def test_a_file_that_holds_no_game_is_told_what_it_seems_to_be(
    name: str, content: object, seems: str
) -> None:
    """In the words of people, whatever else it holds."""
    with pytest.raises(BadFile) as fault:
        read(make(content), name)
    said = error_text(fault.value, get_language("sv"))
    assert said.startswith(f"Det här är inget parti från Chicago utan ser ut att vara {seems}")


def test_a_broken_archive_is_a_bad_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever number in it is wrong, also one of the long ones that large archives have."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 0)
    monkeypatch.setattr(clock, "give_way", lambda: None)
    chance, archive = random.Random(1), pack({"0.json": GAME, "1.json": GAME})
    for _ in range(4000):
        at, width = chance.randrange(len(archive)), chance.choice([1, 4, 8])
        wrong = chance.choice([b"\0", b"\1", b"\x7f", b"\xff"]) * width
        with suppress(BadFile):
            read(archive[:at] + wrong + archive[at + width :])
