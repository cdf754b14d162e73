import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils
from sqlite_utils import Migrations
from sqlite_utils.utils import sqlite3

from app import create_app
from app.http.environment import OLD_SQLITE, claim_database
from app.store import files
from app.store.database import Database
from tests.browser.serving import ROOT
from tests.services.keeper import Keeper
from tests.services.test_database import replace


@pytest.fixture(autouse=True)
def environment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the database of this test, and the language to English."""
    monkeypatch.setenv("CHICAGO_DB", str(path))
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


def execute(path: Path, *statements: str) -> None:
    """Execute SQL over another connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for sql in statements:
            other.execute(sql)


def make_newer(path: Path) -> None:
    """Make a database with an unknown, newer migration."""
    Database(path).close()
    execute(path, "INSERT INTO _sqlite_migrations VALUES (NULL, 'log', 'm999_the_future', '')")


def make_older(path: Path) -> None:
    """Make a database of a version before the log."""
    older = Migrations("chicago")
    older(name="m001_schema")(lambda db: db.execute("CREATE TABLE tables (id INTEGER) STRICT"))
    with closing(sqlite_utils.Database(path)) as db:
        older.apply(db)


def make_foreign(path: Path) -> None:
    """Make a database of another program."""
    execute(path, "CREATE TABLE recipes (name TEXT)")


def make_text(path: Path) -> None:
    """Make a file that is no database."""
    path.write_text("Anna, Bo, Cilla\n" * 1000)


def make_linked(path: Path) -> None:
    """Make a database with a second name, in another folder."""
    Database(path).close()
    path.parent.with_name("linked.db").hardlink_to(path)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (make_newer, "{} was made by a newer version of the score keeper: update this one,"),
        (
            make_older,
            "{} was made by an older version of the score keeper: export each table’s games",
        ),
        (make_foreign, "{} is not a database of the score keeper."),
        (make_text, "{} cannot be used: file is not a database."),
        (Path.mkdir, "{} is not a file."),
        (
            lambda path: path.parent.rmdir(),
            "There is no folder {0.parent}: create it, or mount its disk.",
        ),
        (make_linked, "{} has a second name, a hard link: remove one of the two first."),
    ],
)
def test_a_database_that_cannot_be_served_ends_the_server(
    path: Path,
    make: Callable[[Path], None],
    sentence: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The server ends with one sentence and status 1, and leaves the file unchanged."""
    make(path)
    folder = path.parent.exists()
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(SystemExit) as ended:
        claim_database()
    assert ended.value.code == 1
    told = capfd.readouterr().err
    assert told.startswith(sentence.format(path))
    assert told.count("\n") == 1
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert path.parent.exists() == folder


def test_only_the_program_s_own_folder_is_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name the database is in `instance`, which only its owner may read."""
    monkeypatch.delenv("CHICAGO_DB")
    monkeypatch.setattr(files, "INSTANCE", path.parent / "instance")
    claim_database().close()
    assert stat.S_IMODE(files.INSTANCE.stat().st_mode) == 0o700
    assert files.database_path().is_file()


def test_no_page_is_made_from_a_newer_database(path: Path) -> None:
    """A request is answered with 503, however the application is served."""
    make_newer(path)
    assert create_app({"DATABASE": str(path)}).test_client().get("/t/unknown").status_code == 503


def remove_lock(path: Path) -> None:
    """Remove the lock file."""
    path.with_name("chicago.db.lock").unlink()


@pytest.mark.parametrize("happen", [Path.exists, remove_lock, replace])
def test_a_second_server_is_refused_whatever_becomes_of_the_files(
    path: Path, capfd: pytest.CaptureFixture[str], happen: Callable[[Path], None]
) -> None:
    """The lock holds without its file, and for another database of the same name."""
    with closing(claim_database()):
        happen(path)
        with pytest.raises(SystemExit) as ended:
            claim_database()
        assert ended.value.code == 1
        told = f"{path} is being served by another score keeper: stop that one first.\n"
        assert capfd.readouterr().err == told
    claim_database().close()


@pytest.mark.parametrize("made", [True, False])
def test_a_symbolic_link_is_the_file_that_it_leads_to(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, made: bool
) -> None:
    """It is served, made where there is none, and nothing is left beside the link."""
    if made:
        Database(path).close()
    link = path.parent.with_name("link.db")
    link.symlink_to(path)
    monkeypatch.setenv("CHICAGO_DB", str(link))
    claim_database().close()
    assert create_app().test_client().get("/healthz").text == "ok"
    assert sorted(file.name for file in link.parent.iterdir()) == ["data", "link.db"]


def test_an_old_sqlite_is_warned_of_once(
    path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One line at the start names the version and the documentation; the server still starts."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.51.2")
    claim_database().close()
    told = capfd.readouterr().err
    assert told.startswith("SQLite 3.51.2 is older than 3.51.3 and may")
    assert told.count("\n") == 1
    assert "An older SQLite" in (ROOT / "docs/SERVER.md").read_text("utf-8")
    assert OLD_SQLITE.count("An older SQLite") == 1


def modes(folder: Path) -> dict[str, int]:
    """Return the modes of the files in a folder."""
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


FILES = ["chicago.db", "chicago.db-shm", "chicago.db-wal", "chicago.db.lock"]


def test_files_that_everybody_could_read_are_closed_to_others(path: Path, keeper: Keeper) -> None:
    """Every file is private to its owner; the folder keeps its mode."""
    keeper.record("nobody")
    claim_database().close()
    assert modes(path.parent) == dict.fromkeys(FILES, 0o600)
    path.parent.chmod(0o755)
    for file in path.parent.iterdir():
        file.chmod(0o644)
    with closing(claim_database()), closing(Database(path)):
        assert modes(path.parent) == dict.fromkeys(FILES, 0o600)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755
