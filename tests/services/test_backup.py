import resource
import shlex
import shutil
import signal
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from flask import Flask
from sqlite_utils.utils import sqlite3

from app import create_app
from app.store import backup
from app.store.database import Database
from app.store.files import ServerLock
from tests.services.keeper import Keeper
from tests.services.test_database import limited
from tests.services.test_startup import execute, make_foreign, make_newer, make_text
from tests.told import told

POINT = "Anna 1"
# What ends a command, and what does so by itself; tests begun in the background may ignore it.
ENDS: dict[signal.Signals, Any] = {
    signal.SIGHUP: signal.SIG_DFL,
    signal.SIGTERM: signal.SIG_DFL,
    signal.SIGINT: signal.default_int_handler,
}
NOT_NULL = """UPDATE sqlite_master
    SET sql = replace(sql, '"undone" INTEGER', '"undone" INTEGER NOT NULL')"""


@pytest.fixture
def app(path: Path) -> Flask:
    """Return an application on the database of this test."""
    return create_app({"DATABASE": str(path)})


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return the path of a backup, in a folder of its own."""
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "chicago.db"


def run(app: Flask, command: str) -> Result:
    """Run a command line as it stands in the README."""
    args, runner = shlex.split(command), app.test_cli_runner()
    return runner.invoke(args=args, env={"LC_ALL": "en_US.UTF-8"}, catch_exceptions=False)


def refusal(result: Result) -> str:
    """Return the one-sentence error of a command that failed."""
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    return result.stderr.rstrip("\n")


def points(path: Path) -> int:
    """Return the number of recorded facts in a sound database file, opened read-only."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reading:
        assert reading.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (number,) = reading.execute("SELECT COUNT(*) FROM changes WHERE kind = 'record'").fetchone()
    return int(number)


def test_a_copy_is_whole_and_stands_by_itself(app: Flask, keeper: Keeper, copy: Path) -> None:
    """A copy is one file, private to its owner, with the newest change, still in the log."""
    keeper.record(POINT)
    copy.touch(0o644)
    run(app, f"backup {copy}")
    result = run(app, f"backup {copy}")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{copy} is a sound copy of the database.\n"
    assert points(copy) == 1
    assert [file.name for file in copy.parent.iterdir()] == ["chicago.db"]


def test_a_copy_that_fails_leaves_what_was_there(app: Flask, keeper: Keeper, copy: Path) -> None:
    """The old file stays; a full disk and a damaged database are told in one sentence."""
    keeper.record(POINT, POINT, POINT)
    copy.write_text("last evening's")
    with limited(resource.RLIMIT_FSIZE, 50_000):
        sentence = refusal(run(app, f"backup {copy}"))
    assert sentence.endswith("chicago.db could not be copied: disk I/O error.")
    keeper.db.close()
    execute(keeper.db.path, "PRAGMA writable_schema=ON", NOT_NULL)
    sentence = refusal(run(app, f"backup {copy}"))
    assert sentence == f"{keeper.db.path} is damaged: NULL value in changes.undone."
    assert copy.read_text("utf-8") == "last evening's"
    assert [file.name for file in copy.parent.iterdir()] == ["chicago.db"]


@told
def test_a_copy_overwrites_nothing_of_the_database(
    app: Flask, keeper: Keeper, tmp_path: Path, file: str, sentence: str
) -> None:
    """An unsuitable target is refused in one sentence, and the database is unchanged."""
    keeper.record(POINT)
    (tmp_path / "busy.db-wal").touch()
    assert refusal(run(app, f"backup {tmp_path / file}")).startswith(
        sentence.format(tmp_path / file)
    )
    assert len(keeper.recorded) == 1


def make_restored(path: Path) -> None:
    """Make a database that was put back, and not yet served."""
    Database(path).close()
    execute(path, "PRAGMA journal_mode=DELETE")
    ServerLock(path).close()


@pytest.mark.parametrize(
    "make",
    [make_text, make_foreign, make_newer, lambda path: Database(path).close(), make_restored],
)
def test_nothing_but_a_copy_is_replaced(
    app: Flask, keeper: Keeper, copy: Path, make: Callable[[Path], None]
) -> None:
    """Notes, other programs' databases and those of servers are refused as targets."""
    make(copy)
    before = copy.read_bytes()
    sentence = f"{copy} is not a copy of a database: name another file."
    assert refusal(run(app, f"backup {copy}")) == sentence
    assert copy.read_bytes() == before


@pytest.mark.parametrize("command", ["backup {}", "years", "vacuum"])
def test_a_database_that_is_not_there_is_not_made(
    app: Flask, path: Path, copy: Path, command: str
) -> None:
    """No command succeeds with an empty one, as where CHICAGO_DB is mistyped."""
    assert refusal(run(app, command.format(copy))) == f"There is no database {path}."
    assert [*path.parent.iterdir(), *copy.parent.iterdir()] == []


@pytest.mark.parametrize("command", ["backup {}", "restore {}", "years", "vacuum"])
@pytest.mark.parametrize("name", ["x" * 252, "x" * 300, "loop/x.db", "/proc/x.db", "away/x.db"])
def test_a_path_that_cannot_be_used_is_refused_in_words(
    app: Flask, keeper: Keeper, tmp_path: Path, copy: Path, name: str, command: str
) -> None:
    """Each is refused as the file of a command and as the database, and nothing is left.

    Neither is the folder of a disk that is not mounted.
    """
    (tmp_path / "loop").symlink_to("loop")
    run(app, f"backup {copy}")
    keeper.db.close()
    odd, before = tmp_path / name, sorted(tmp_path.rglob("*"))
    refusal(run(create_app({"DATABASE": str(odd)}), command.format(copy)))
    if "{}" in command:
        refusal(run(app, command.format(odd)))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_copy_that_is_cut_short_leaves_nothing(
    app: Flask,
    keeper: Keeper,
    copy: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    number: signal.Signals,
) -> None:
    """A signal clears away what was begun; what was killed is cleared away by the next command."""
    run(app, f"backup {copy}")
    keeper.db.close()
    folder = (copy if command == "backup" else keeper.db.path).parent
    left = folder / ".chicago.db.ab_12345"
    left.mkdir()
    (left / "chicago.db").touch()
    before = sorted({*folder.iterdir()} - {left})
    signal.signal(number, ENDS[number])
    monkeypatch.setattr(backup, "synchronize", lambda _: signal.raise_signal(number))
    assert run(app, f"{command} {copy}").exit_code == 1
    assert sorted(folder.iterdir()) == before


def test_a_backup_is_put_back(app: Flask, keeper: Keeper, copy: Path, path: Path) -> None:
    """Later changes are gone, earlier ones are there, and no log is left beside the file."""
    keeper.record(POINT)
    run(app, f"backup {copy}")
    keeper.record(POINT)
    keeper.db.close()
    result = run(app, f"restore {copy}")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"The database has been restored from {copy}.\n"
    assert sorted(file.name for file in path.parent.iterdir()) == ["chicago.db", "chicago.db.lock"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    keeper.restart()
    assert len(keeper.recorded) == 1
    assert points(copy) == 1


def test_a_log_left_by_a_crash_does_not_get_into_what_is_put_back(
    app: Flask, keeper: Keeper, copy: Path, path: Path, tmp_path: Path
) -> None:
    """The log of the old database is never replayed into the restored one."""
    keeper.record(POINT)
    run(app, f"backup {copy}")
    keeper.record(*[POINT] * 5)
    crashed = shutil.copytree(path.parent, tmp_path / "crashed")
    assert (crashed / "chicago.db-wal").stat().st_size
    after = create_app({"DATABASE": str(crashed / "chicago.db")})
    assert run(after, f"restore {copy}").exit_code == 0
    assert points(crashed / "chicago.db") == 1


def test_nothing_is_put_back_while_the_database_is_used(
    app: Flask, keeper: Keeper, copy: Path, path: Path
) -> None:
    """A restore is refused while a server or another program, like Litestream, uses the file."""
    keeper.record(POINT)
    run(app, f"backup {copy}")
    keeper.record(POINT)
    assert refusal(run(app, f"restore {copy}")).endswith("cannot be used: database is locked.")
    with closing(ServerLock(path)):
        sentence = refusal(run(app, f"restore {copy}"))
    assert sentence == f"{path} is being served by another score keeper: stop that one first."
    assert len(keeper.recorded) == 2


def make_damaged(path: Path) -> None:
    """Make a database file and truncate it."""
    Database(path).close()
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 20_000)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda _: None, "There is no database {}."),
        (Path.touch, "{} is not a database of the score keeper."),
        (make_text, "{} is not a database of the score keeper."),
        (make_foreign, "{} is not a database of the score keeper."),
        (make_newer, "{} was made by a newer version of the score keeper: "),
        (make_damaged, "{} could not be copied: database disk image is malformed."),
    ],
)
def test_what_is_no_backup_is_not_put_back(
    app: Flask, keeper: Keeper, tmp_path: Path, make: Callable[[Path], None], sentence: str
) -> None:
    """A bad backup is refused in one sentence, and the database is unchanged."""
    keeper.record(POINT)
    keeper.db.close()
    (tmp_path / "wrong").mkdir()
    wrong = tmp_path / "wrong" / "copy.db"
    make(wrong)
    assert refusal(run(app, f"restore {wrong}")).startswith(sentence.format(wrong))
    keeper.restart()
    assert len(keeper.recorded) == 1
