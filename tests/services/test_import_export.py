"""Games out and in: what comes back is what went out, and nothing comes twice."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from app.rules.errors import BadFile, NotAllowed
from app.rules.gamefile import MAX_EVENTS, Game, read_game
from app.services import import_export, play, table_view
from app.services.commit import commit
from app.services.tables import Write
from app.store.database import Database
from tests.services.keeper import golden_games


@pytest.fixture
def games() -> list[Game]:
    """Return every golden game that came to an end."""
    return golden_games()


def other(tmp_path: Path) -> Database:
    """Return the database of another server."""
    return Database(tmp_path / "other" / "chicago.db")


def test_out_in_and_out_again_gives_the_same_file(
    db: Database, tmp_path: Path, games: list[Game]
) -> None:
    """A table's games taken to another server are the same there, byte for byte."""
    link = import_export.open_table(db, games, "Torsdag", "pen")
    archive = import_export.export_all(db, link)
    elsewhere = other(tmp_path)
    copy = import_export.open_table(
        elsewhere, import_export.read_files("all.zip", archive), "", "pen"
    )
    assert import_export.export_all(elsewhere, copy) == archive
    assert len(zipfile.ZipFile(BytesIO(archive)).namelist()) == len(games) > 30
    elsewhere.close()


def test_the_newest_game_can_be_undone_event_by_event(db: Database, games: list[Game]) -> None:
    """It can be gone on with where its last entry was a slip; what was before stays."""
    link = import_export.open_table(db, games, "Torsdag", "pen")
    write = Write(link, "pen")
    events = table_view.read_view(db, link).game.events
    for count in reversed(range(len(events))):
        assert commit(db, write, play.Undo()).game.events == events[:count]
    with pytest.raises(NotAllowed, match="nothing_to_undo"):
        commit(db, write, play.Undo())
    assert commit(db, write, play.Redo()).game.events == events[:1]


def test_nothing_comes_in_while_a_game_is_played(db: Database, games: list[Game]) -> None:
    """A table plays one game at a time, so files wait until it is over."""
    playing = Game(games[0].setup, ())
    link = import_export.open_table(db, [playing], "", "pen")
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(db, Write(link, "pen"), games[:1])
    with pytest.raises(NotAllowed, match="import_still_playing"):
        import_export.open_table(db, [playing, games[0]], "", "pen")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not_json"),
        (b"\xff\xfe", "not_json"),
        (b"{}", "wrong_format"),
        (b"PK\x03\x04 but not a zip", "not_json"),
    ],
)
def test_a_file_that_is_no_game_is_refused(content: bytes, code: str) -> None:
    """What cannot be read is refused with the name of the file."""
    with pytest.raises(BadFile, match=code) as refusal:
        list(import_export.read_files("strange.json", content))
    assert refusal.value.values["file"] == "strange.json"


def test_a_file_at_fault_in_an_archive_is_named() -> None:
    """Among many games the one that cannot be played is named."""
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as entries:
        entries.writestr("bad.json", '{"format": "chicago-game/1", "players": ["A", "B"]}')
    with pytest.raises(BadFile, match="events_not_a_list") as refusal:
        list(import_export.read_files("all.zip", archive.getvalue()))
    assert refusal.value.values["file"] == "bad.json"


def pack(*files: bytes) -> bytes:
    """Return an archive of these files."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(files):
            archive.writestr(f"{number}.json", content)
    return buffer.getvalue()


def refusal_of(archive: bytes) -> str:
    """Return the code with which an archive is refused."""
    with pytest.raises(BadFile) as fault:
        list(import_export.read_files("all.zip", archive))
    return fault.value.code


def test_an_archive_holds_a_thousand_games_at_most() -> None:
    """More are refused before any of them is unpacked."""
    assert refusal_of(pack(*[b"{}"] * 1001)) == "too_many_files"


def test_what_an_archive_unpacks_to_is_counted_while_it_is_unpacked() -> None:
    """Twenty megabytes of blanks pack to nothing, and are refused all the same."""
    megabyte = b'{"format": "chicago-game/1", "players": ["Anna", "Bo"], "events": []}'.ljust(10**6)
    assert len(list(import_export.read_files("all.zip", pack(*[megabyte] * 20)))) == 20
    assert refusal_of(pack(*[megabyte] * 21)) == "archive_too_long"
    assert refusal_of(pack(megabyte + b" ")) == "file_too_long"


def test_entries_that_overlap_are_refused() -> None:
    """Two names for the same bytes are how a small archive unpacks to a large one."""
    archive = pack(b"{}".ljust(1000), b"{}".ljust(1000))
    directory = archive.rindex(b"PK\x01\x02")
    first = archive.index(b"PK\x01\x02")
    offset = slice(directory + 42, directory + 46)
    overlapping = (
        archive[: offset.start] + archive[first + 42 : first + 46] + archive[offset.stop :]
    )
    assert refusal_of(overlapping) == "file_unreadable"


def test_the_same_game_twice_is_one(db: Database, games: list[Game]) -> None:
    """In one archive or in two, without an id too: it is known by its content."""
    link = import_export.open_table(db, [games[0], games[0]], "", "pen")
    assert table_view.read_view(db, link).games == 1
    write = Write(link, "pen")
    assert import_export.import_games(db, write, games[:1]) == 0
    assert import_export.import_games(db, write, [games[1], games[1], games[2]]) == 2


def test_a_game_that_is_played_grows_no_longer_than_a_file_may_be(db: Database) -> None:
    """What could not be taken in again is not recorded, in the person's words."""
    event = {"event": "correction", "player": "Anna", "points": 1}
    setup = {"format": "chicago-game/1", "players": ["Anna", "Bo"]}
    full = read_game({**setup, "events": [event] * MAX_EVENTS})
    link = import_export.open_table(db, [full], "", "pen")
    with pytest.raises(NotAllowed) as refusal:
        commit(db, Write(link, "pen"), play.Record(event))
    assert refusal.value.code == "too_many_events"
