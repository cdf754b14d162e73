"""Games out and in: what comes back is what went out, and nothing comes twice."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from app.rules.errors import BadFile, NotAllowed
from app.rules.gamefile import Game
from app.services import import_export, tables
from app.services.tables import Write
from app.store.database import Pool
from tests.services.keeper import golden_games


@pytest.fixture
def games() -> list[Game]:
    """Return every golden game that came to an end."""
    return golden_games()


def other(tmp_path: Path) -> Pool:
    """Return the database of another server."""
    return Pool(tmp_path / "other" / "chicago.db")


def test_out_in_and_out_again_gives_the_same_file(
    pool: Pool, tmp_path: Path, games: list[Game]
) -> None:
    """A table's games taken to another server are the same there, byte for byte."""
    link = import_export.open_table(pool, games, "Torsdag", "pen")
    archive = import_export.export_all(pool, link)
    elsewhere = other(tmp_path)
    copy = import_export.open_table(
        elsewhere, import_export.read_files("all.zip", archive), "", "pen"
    )
    assert import_export.export_all(elsewhere, copy) == archive
    assert len(zipfile.ZipFile(BytesIO(archive)).namelist()) == len(games) > 30
    elsewhere.close()


def test_games_that_are_there_are_not_added_again(pool: Pool, games: list[Game]) -> None:
    """The same file read in twice adds its games once."""
    link = import_export.open_table(pool, games[:3], "", "pen")
    archive = import_export.export_all(pool, link)
    count = import_export.import_games(
        pool, Write(link, "pen"), import_export.read_files("a.zip", archive)
    )
    assert (count, tables.read_sheet(pool, link).games) == (0, 3)


def test_a_game_without_an_id_is_known_by_its_content(pool: Pool, games: list[Game]) -> None:
    """A file from elsewhere is recognised when it comes again."""
    link = import_export.open_table(pool, games[:1], "", "pen")
    assert import_export.import_games(pool, Write(link, "pen"), games[:1]) == 0
    assert import_export.import_games(pool, Write(link, "pen"), games[1:3]) == 2


def test_one_game_comes_out_as_a_game_file(pool: Pool, games: list[Game]) -> None:
    """A single game's file reads as the game it was, with its times."""
    link = import_export.open_table(pool, games[:1], "", "pen")
    again = import_export.read_files("one.json", import_export.export_game(pool, link, 1))[0]
    assert again.setup == games[0].setup
    assert [state.seats for state in again.states()] == [s.seats for s in games[0].states()]
    assert isinstance(again.remarks["at"], str)


def test_nothing_comes_in_while_a_game_is_played(pool: Pool, games: list[Game]) -> None:
    """A table plays one game at a time, so files wait until it is over."""
    playing = Game(games[0].setup, ())
    link = import_export.open_table(pool, [playing], "", "pen")
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(pool, Write(link, "pen"), games[:1])
    with pytest.raises(NotAllowed, match="import_still_playing"):
        import_export.open_table(pool, [playing, games[0]], "", "pen")


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
        import_export.read_files("strange.json", content)
    assert refusal.value.values["file"] == "strange.json"


def test_a_file_at_fault_in_an_archive_is_named() -> None:
    """Among many games the one that cannot be played is named."""
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as entries:
        entries.writestr("bad.json", '{"format": "chicago-game/1", "players": ["A", "B"]}')
    with pytest.raises(BadFile, match="events_not_a_list") as refusal:
        import_export.read_files("all.zip", archive.getvalue())
    assert refusal.value.values["file"] == "bad.json"
