"""The drill of deploy/litestream.yml: a database that is followed, lost, and got back."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http import HTTPStatus
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3

from app.store.backup import put_back
from tests.api.network import new_table, send
from tests.browser.serving import ROOT, Server
from tests.services.conftest import LITESTREAM
from tests.services.keeper import Keeper

POINT = {"event": "correction", "player": "Anna", "points": 1}
PATIENCE = 30.0


@pytest.fixture
def environment(path: Path, tmp_path: Path) -> dict[str, str]:
    """Return what the configuration asks of the environment."""
    replica = (tmp_path / "replica").as_uri()
    return {**os.environ, "CHICAGO_DB": str(path), "CHICAGO_REPLICA": replica}


def litestream(*args: str | Path) -> list[str]:
    """Return a command line of Litestream with our configuration."""
    command, *rest = map(str, args)
    return [LITESTREAM or "litestream", command, "-config", "deploy/litestream.yml", *rest]


@pytest.fixture
def following(keeper: Keeper, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Let Litestream follow the database of a table."""
    keeper.record(POINT)
    process = subprocess.Popen(
        litestream("replicate"), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    yield process
    process.kill()
    process.wait(PATIENCE)


def wait_for(copy: Path, environment: dict[str, str], events: int) -> None:
    """Get the database back from where Litestream keeps it, until so many events are in it."""
    command = litestream("restore", "-o", copy, environment["CHICAGO_DB"])
    deadline = time.monotonic() + PATIENCE
    while not copy.exists() or count_events(copy) < events:
        assert time.monotonic() < deadline, "Litestream does not keep it"
        copy.unlink(missing_ok=True)
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)


def count_events(copy: Path) -> int:
    """Return how many events there are in a database."""
    with closing(sqlite3.connect(copy)) as reading:
        (number,) = reading.execute("SELECT COUNT(*) FROM events").fetchone()
    return int(number)


def test_a_lost_database_is_got_back(
    keeper: Keeper,
    path: Path,
    tmp_path: Path,
    environment: dict[str, str],
    following: subprocess.Popen[bytes],
) -> None:
    """What was recorded some seconds before the machine was lost is there on the next one.

    Meanwhile the log was moved into the database, as the server does by itself now and then.
    """
    copy = tmp_path / "restored.db"
    wait_for(copy, environment, events=1)
    keeper.record(*[POINT] * 10)
    keeper.pool.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    keeper.record(POINT)
    before = keeper.sheet
    wait_for(copy, environment, events=12)
    following.kill()
    keeper.pool.close()
    shutil.rmtree(path.parent)
    wait_for(copy, environment, events=12)
    put_back(path, copy)
    keeper.restart()
    assert keeper.sheet == before


class Followed(Server):
    """The server as the configuration's two lines start it: got back first, and followed then."""

    def __init__(self, folder: Path, **environ: str) -> None:
        super().__init__(folder, **environ)
        text = (ROOT / "deploy" / "litestream.yml").read_text()
        restore, serve = re.findall(r"^#   (litestream .*)$", text, re.MULTILINE)
        # What they find in .venv is here wherever these tests run.
        serve = serve.replace(".venv/bin/", "")
        self._command = ["sh", "-c", f"{restore} && exec {serve}"]


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    """Serve with a copy of every change elsewhere, from a disk that can be lost."""
    replica = (tmp_path / "replica").as_uri()
    server = Followed(tmp_path, CHICAGO_REPLICA=replica, SECRET_KEY="k" * 32)
    server.database = tmp_path / "disk" / "chicago.db"
    server.start()
    yield server
    server.stop()


def test_a_server_on_an_empty_disk_begins_where_the_last_one_ended(
    followed: Followed, tmp_path: Path
) -> None:
    """Told to end, it leaves nothing behind; started anew without its database, it gets that."""
    table, pen = new_table(followed.port)
    path = f"/api/tables/{table}"
    record = partial(send, followed.port, "POST", f"{path}/events", POINT, pen)
    assert record().status == HTTPStatus.CREATED
    wait_for(tmp_path / "restored.db", followed.environment(), events=1)
    assert record().status == HTTPStatus.CREATED
    before = send(followed.port, "GET", path).json
    followed.stop()
    shutil.rmtree(followed.database.parent)
    followed.start()
    assert send(followed.port, "GET", path).json == before
