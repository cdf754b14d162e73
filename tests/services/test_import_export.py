"""Export and import of games: the same files again, all or none, and no game twice."""

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from app.rules.codes import NotAllowed
from app.rules.events import BreakOff, Correction, NoBestHand
from app.rules.gamefile import MAX_EVENTS, Game
from app.rules.presets import PRESETS
from app.services import import_export, table_view
from app.services.access import NoPen, Write
from app.services.commit import commit
from app.services.edit import Edit
from app.services.import_export import Busy, Upload
from app.services.play import Record, Start
from app.store import clock
from app.store.clock import evening_of
from app.store.database import Database
from tests.rules.table import write_facts
from tests.services.keeper import game_from, golden_games
from tests.told import told


def make_games(count: int) -> list[Game]:
    """Return games that ended in different months."""
    ended = game_from("2026-01-01T20:00Z", "Anna Bo Cilla", "Anna 1, settled")
    return [
        replace(ended, remarks={"id": f"{n}", "at": f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}T20:00Z"})
        for n in range(count)
    ]


@pytest.fixture
def table(db: Database) -> Write:
    """Return write access to a table with one ended game."""
    first = replace(make_games(1)[0], remarks={"id": "first", "at": "2025-01-01T20:00Z"})
    return Write(import_export.open_with_games(db, [first], "", "pen"), "pen")


def read_files(name: str, content: bytes) -> Iterator[Game]:
    """Return the games of an upload."""
    return Upload(name, BytesIO(content)).games()


# Out and in.


def test_out_in_and_out_again_gives_the_same_file(db: Database, tmp_path: Path) -> None:
    """Games imported at another server are exported again byte for byte."""
    games = golden_games()
    link = import_export.open_with_games(db, games, "Torsdag", "pen")
    archive = import_export.export_all(db, link)
    elsewhere = Database(tmp_path / "other.db")
    files = read_files("all.zip", archive)
    copy = import_export.open_with_games(elsewhere, files, "", "pen")
    assert import_export.export_all(elsewhere, copy) == archive
    assert len(zipfile.ZipFile(BytesIO(archive)).namelist()) == len(games) > 30
    elsewhere.close()


def test_an_id_of_any_text_gives_a_plain_name(db: Database) -> None:
    """A file's name leads to no other folder, and all games come in again."""
    first = make_games(1)[0]
    games = [replace(first, remarks={"id": uid}) for uid in ("../a", "a\0b", "a\0c", "C:\\a")]
    archive = import_export.export_all(db, import_export.open_with_games(db, games, "", "pen"))
    names = zipfile.ZipFile(BytesIO(archive)).namelist()
    assert all(re.fullmatch(r"[0-9a-f-]+\.json", name) for name in names)
    assert len(list(read_files("all.zip", archive))) == len({*names}) == len(games)


def test_a_game_that_is_played_grows_no_longer_than_a_file_may_be(db: Database) -> None:
    """A current game has the limit of a file, so that it can be imported again."""
    longest = game_from("2026-01-01T20:00Z", "Anna Bo", *["Anna 1"] * MAX_EVENTS)
    link = import_export.open_with_games(db, [longest], "", "pen")
    many = [Correction(player="Anna", points=1)] * (MAX_EVENTS + 1)
    for change in (Record(*write_facts("Anna 1")), Edit(1, entries=many)):
        with pytest.raises(NotAllowed, match="too_many_events"):
            commit(db, Write(link, "pen"), change)


# Times of a game and of its two events in a file, and in the log; None is one of now.


@told
def test_times_of_a_file_are_stored_as_the_log_holds_times(
    db: Database, at: str | None, times: list[str | None], told: list[str | None]
) -> None:
    """A time without a zone is the table's, here Stockholm's in summer; a day is its evening.

    What has none came with the one before, a game with its first event that has one, or now. They
    come back the same from an export, to the byte.
    """
    happened = zip((NoBestHand(), BreakOff(settle=True)), times, strict=True)
    events = [replace(event, at=UNSET if each is None else each) for event, each in happened]
    game = Game(make_games(1)[0].setup, tuple(events), {"id": "1", **({"at": at} if at else {})})
    link = import_export.open_with_games(db, [game], "", "pen")
    rows = db.connection.execute("SELECT at FROM changes").fetchall()
    if told[0]:
        assert [each for (each,) in rows] == told
    assert all(each.startswith("20") for (each,) in rows)
    day = evening_of(told[0]) if told[0] else clock.this_evening()
    assert db.connection.execute("SELECT DISTINCT evening FROM seats").fetchall() == [(f"{day}",)]
    file = import_export.export_game(db, link, 1)
    again = import_export.open_with_games(db, read_files("1.json", file), "", "pen")
    assert import_export.export_game(db, again, 1) == file


# Order and permission.


def test_a_game_begun_meanwhile_is_played_first(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The import stops with a reason; the same files are imported after that game has ended."""
    monkeypatch.setattr(clock, "give_way", lambda: commit(db, table, Start()))
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(db, table, make_games(1))
    monkeypatch.undo()
    commit(db, table, Record(*write_facts("settled")))
    assert import_export.import_games(db, table, make_games(1)) == 1
    assert table_view.read_view(db, table.link).games == 3


def test_one_import_at_a_time(db: Database, table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second import at the same time is refused, and accepted afterwards."""
    monkeypatch.setattr(import_export, "TURN_SECONDS", 0)

    def second() -> None:
        with pytest.raises(Busy):
            import_export.open_with_games(db, make_games(1), "", "pen")

    with monkeypatch.context() as patch:
        patch.setattr(clock, "give_way", second)
        assert import_export.import_games(db, table, make_games(2)) == 2
    assert import_export.open_with_games(db, make_games(1), "", "pen")


def test_nothing_is_worked_out_for_who_may_not_write(db: Database, table: Write) -> None:
    """Without the pen, or while a game is being played, no file is even unpacked."""

    def files() -> Iterator[Game]:
        yield pytest.fail("A file was read.")

    with pytest.raises(NoPen):
        import_export.import_games(db, Write(table.link, "another"), files())
    commit(db, table, Start())
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(db, table, files())


def test_points_of_any_size_that_are_lost_again_are_no_error(db: Database) -> None:
    """A correction may be any number, and the score at the end is usual all the same."""
    lost = ["Anna zeroes", "Anna royal_flush", "Bo claims", "Bo exchanges", "Bo leaves"]
    read = Counter[str]()
    for how, preset, sign in product(lost, PRESETS, ("", "-")):
        rules = {"preset": preset, "illegal_exchange": "zeroed"}
        facts = f"Bo {sign}{10**30}, {how}, settled"
        with suppress(NotAllowed):
            game = game_from("2026-01-01T20:00Z", "Anna Bo Cilla", facts, rules=rules)
            read[how] += bool(import_export.open_with_games(db, [game], "", "pen"))
    assert [how for how in lost if not read[how]] == []
