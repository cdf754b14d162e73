"""Erasure removes exactly what was said from every file, at once or by the next start."""

import random
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app import create_app
from app.rules.events import Correction
from app.rules.gamefile import Game, read_setup
from app.rules.names import MAX_NAME
from app.services import access, erasure, import_export, opening, table_view
from app.services.access import NotFound, Write
from app.services.edit import Edit
from app.services.people import Rename
from app.store import schema
from app.store.database import Database
from app.store.files import DriverError, ServerLock
from tests.rules.table import Rules
from tests.services.keeper import Keeper, game_from
from tests.services.test_database import limited
from tests.test_documents import ENGLISH

NAMED = "Annabella"
Forget = Callable[[Database, Write], None]
# The name in every text of a row's body that is not one of a few.
HIDE = (
    """UPDATE changes SET body = replace(body, '{"event":', '{"id":"' || :name || '","name":{"' ||
        :name || '":1},"at":["' || :name || '"],"note":"' || :name || ' again","event":')""",
    f"""UPDATE changes SET body = json_set(body, '$.id', :name || '1', '$.name', :name || 's bord')
        WHERE {schema.STARTS}""",
    "UPDATE changes SET body = json_quote(:name) WHERE kind = 'rename'",
)


@pytest.fixture
def table(db: Database) -> Write:
    """Return a table with two games, years apart, of the person to forget."""
    return open_table(db, f"{NAMED}s bord", 2019, 2026)


def open_table(db: Database, name: str, *years: int, other: str = "Bo") -> Write:
    """Return a table with a game of the person to forget in each year."""
    games = [game_of(year, other) for year in years]
    return Write(import_export.open_with_games(db, games, name, "pen"), "pen")


def game_of(year: int, other: str = "Bo") -> Game:
    """Return a game with a remark that names the person to forget."""
    hand: Rules = {"event": "best_hand", "player": NAMED, "hand": "pair", "note": f"{NAMED} log"}
    return game_from(f"{year}-05-01T19:00Z", f"{NAMED} {other}", hand, "settled")


def erase(db: Database, table: Write) -> None:
    """Erase the name."""
    erasure.erase_name(db, table, NAMED, "Spelare")


def sizes(db: Database) -> dict[str, int]:
    """Return the sizes of the database's files."""
    return {path.name: path.stat().st_size for path in db.path.parent.glob("*.db*")}


def on_disk(path: Path, text: str = NAMED) -> int:
    """Count the occurrences of a text in the database's files."""
    return sum(p.read_bytes().count(text.encode()) for p in path.parent.glob("*.db*"))


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Hold a read snapshot of the database in another connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM changes").fetchone()
        yield


def test_a_name_is_forgotten_in_every_text_of_every_row(keeper: Keeper) -> None:
    """Also where it was undone, and where no row that is written now has a name."""
    keeper.commit(Rename("Stugan"))
    keeper.record("Bo 5", "settled")
    keeper.next_game(players=[NAMED, "Bo"])
    keeper.commit(Edit(2, entries=[Correction(player="Bo", points=1)]))
    keeper.commit(Edit(entries=[0, Correction(player="Bo", points=2)]))
    keeper.record("settled")
    games = [game_of(2027), game_of(2028)]
    import_export.import_games(keeper.db, keeper.write(), games)
    keeper.undo()
    with keeper.db.transaction() as connection:
        for sql in HIDE:
            connection.execute(sql, {"name": NAMED})
    keeper.db.connection.newest.clear()
    assert on_disk(keeper.db.path) > 20
    erase(keeper.db, keeper.write())
    assert on_disk(keeper.db.path) == 0


def test_a_deleted_game_is_in_no_file(keeper: Keeper) -> None:
    """Nor is an edit of it, of which only a new name is left."""
    for note in ("first night", "second night"):
        keeper.record({"event": "no_best_hand", "note": note}, "settled")
        keeper.next_game()
    between = Correction(player="Robert", points=1, note="between us")
    keeper.record("settled")
    keeper.commit(Edit(names={"Bo": "Robert"}, entries=[between, 0]))
    keeper.next_game()
    for number in (2, 3):
        erasure.delete_game(keeper.db, keeper.write(), number)
    left = [on_disk(keeper.db.path, each) for each in ("first night", "second night", "between us")]
    assert (left[0] > 0, left[1:]) == (True, [0, 0])
    assert keeper.view.game.setup.players[1] == "Robert"


def test_the_tables_own_name_stays_short(keeper: Keeper) -> None:
    """However often a name in the name of the table is forgotten, that grows to no page."""
    keeper.record("void")
    for _ in range(3):
        keeper.commit(Rename(("a" * MAX_NAME)[:MAX_NAME]))
        keeper.next_game(players=["a", "Bo"])
        keeper.record("void")
        erasure.erase_name(keeper.db, keeper.write(), "a", "a")
    keeper.undo()
    assert len(keeper.view.name) <= MAX_NAME
    sql = "SELECT MAX(length(body)) FROM changes WHERE kind = 'rename'"
    assert keeper.db.connection.find_number(sql) <= MAX_NAME + 2


def test_a_failure_forgets_nothing(db: Database, table: Write) -> None:
    """All is as before, and nothing is due."""
    before = table_view.read_view(db, table.link)
    db.connection.execute(
        "CREATE TRIGGER broken BEFORE UPDATE ON changes BEGIN SELECT RAISE(ABORT, 'no room'); END"
    )
    with pytest.raises(DriverError):
        erase(db, table)
    assert table_view.read_view(db, table.link) == before
    assert not erasure.is_pending(db)


def test_a_deleted_table_opens_for_nobody_ever_again(db: Database, table: Write) -> None:
    """Neither its link nor its key is another's, also while a file still holds the rows."""
    before = access.find_access(db.connection, table.link, None).id
    with reading(db.path):
        erasure.delete_table(db, table)
        with pytest.raises(NotFound):
            access.find_access(db.connection, table.link, table.pen)
    setup = read_setup({"players": ["Eva", "Fia"]})
    with pytest.raises(DriverError, match="link_hash"):
        opening.open_table(db, setup, "", "pen", table.link)
    link = opening.open_table(db, setup, "", "pen")
    assert access.find_access(db.connection, link, None).id > before


# Clear files.


@pytest.mark.parametrize("forget", [erase, erasure.delete_table])
def test_what_a_reader_kept_from_being_over_is_due_at_the_next_start(
    db: Database, table: Write, forget: Forget
) -> None:
    """While a reader holds a snapshot, the erasure is pending and the log does not grow."""
    with reading(db.path):
        forget(db, table)
        size = sizes(db)
        assert (erasure.is_pending(db), erasure.clear_files(db)) == (True, False)
        assert sizes(db) == size
        assert on_disk(db.path) > 0
        db.close()
    with closing(Database(db.path)) as again:
        assert erasure.clear_files(again)
        assert not erasure.is_pending(again)
    assert on_disk(db.path) == 0


@pytest.mark.parametrize("forget", [erase, erasure.delete_table])
def test_a_large_file_is_cleared_at_the_next_start(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch, forget: Forget
) -> None:
    """The request writes no file anew and leaves an empty log; the start does, and only then.

    Where the disk is full meanwhile all is as before, tried once, and due again.
    """
    monkeypatch.setattr(erasure, "SMALL_FILE", 0)
    with monkeypatch.context() as patch:
        patch.setattr(db, "vacuum", lambda: pytest.fail("a large file is written anew"))
        forget(db, table)
    before = sizes(db)
    assert (before["chicago.db-wal"], erasure.is_pending(db)) == (0, True)
    if forget is erase:
        # The log of a file that is written anew is larger than that.
        with limited(resource.RLIMIT_FSIZE, before["chicago.db"] // 2):
            assert not erasure.clear_files(db)
        assert sizes(db) == before
    assert erasure.clear_files(db)
    assert erasure.clear_files(db)  # nothing is due any more
    assert on_disk(db.path) == 0
    assert bool(db.connection.find_number("SELECT COUNT(*) FROM changes")) == (forget is erase)


def test_the_command_clears_the_file_where_no_server_runs(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`flask vacuum` says that nothing is left, or that the database is in use."""
    monkeypatch.setattr(erasure, "SMALL_FILE", 0)
    erase(db, table)
    runner = create_app({"DATABASE": str(db.path)}).test_cli_runner()
    with closing(ServerLock(db.path)):
        refused = runner.invoke(args=["vacuum"], env=ENGLISH)
    assert (refused.exit_code, "stop that one first" in refused.output) == (1, True)
    done = runner.invoke(args=["vacuum"], env=ENGLISH)
    assert done.output == "Nothing that was forgotten is left in the files.\n"
    assert (erasure.is_pending(db), on_disk(db.path)) == (False, 0)


@pytest.mark.parametrize("clears", [0, 1], ids=["before VACUUM", "after VACUUM"])
def test_a_crash_before_the_files_are_clear_is_made_up_for(
    db: Database, table: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, clears: int
) -> None:
    """The database itself records that the erasure is pending."""
    real = db.vacuum
    monkeypatch.setattr(db, "vacuum", lambda: bool(clears) and real() and False)
    erase(db, table)
    crashed = shutil.copytree(db.path.parent, tmp_path / "crashed")
    with closing(Database(crashed / "chicago.db")) as again:
        assert erasure.clear_files(again)
        assert on_disk(again.path) == 0
        assert table_view.read_view(again, table.link).state.players[0] == "Spelare 1"


def test_who_erases_while_another_waits_is_cleared_as_well(
    db: Database, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasure is complete only after the files are clear of both names."""
    real = db.vacuum

    def vacuum() -> bool:
        monkeypatch.setattr(db, "vacuum", lambda: False)
        erasure.erase_name(db, table, "Bo", "Spelare")
        return real()

    monkeypatch.setattr(db, "vacuum", vacuum)
    erase(db, table)
    assert erasure.is_pending(db)
    monkeypatch.undo()
    assert erasure.clear_files(db)


def test_no_copy_is_left_where_rows_were_moved(db: Database) -> None:
    """The names are gone from many games, short and long, deleted and erased in random order."""
    dice = random.Random(1)
    others = ["B" * dice.randrange(1, 30) for _ in range(8)]
    tables = [open_table(db, NAMED, *range(2000, 2030), other=other) for other in others]
    dice.shuffle(tables)
    for table in tables:
        dice.choice([erase, erasure.delete_table])(db, table)
    assert not erasure.is_pending(db)
    assert on_disk(db.path) == 0
    assert db.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
