"""The drill of deploy/litestream.yml: a database is replicated, lost and restored."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from app.store.backup import put_back
from tests.api.network import new_table, send
from tests.browser.serving import ROOT, Server
from tests.checkout import clone, set_up
from tests.services.conftest import LITESTREAM
from tests.services.keeper import Keeper


@pytest.fixture
def environment(path: Path, tmp_path: Path) -> dict[str, str]:
    """Return the environment variables of the configuration."""
    replica = (tmp_path / "replica").as_uri()
    return {**os.environ, "CHICAGO_DB": str(path), "CHICAGO_REPLICA": replica}


def litestream(environment: dict[str, str], command: str, *args: str | Path) -> None:
    """Run a Litestream command with our configuration, and wait for its end."""
    subprocess.run(
        [LITESTREAM or "litestream", command, "-config", "deploy/litestream.yml", *args],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=True,
    )


def test_a_lost_database_is_got_back(
    keeper: Keeper, path: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """Every change before the loss of the machine is in the restored database.

    A checkpoint falls in between, as the server makes one now and then.
    """
    keeper.record("nobody")
    litestream(environment, "replicate", "-once")
    keeper.record("nobody")
    keeper.db.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    keeper.undo()
    litestream(environment, "replicate", "-once")
    before = keeper.view
    keeper.db.close()
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    copy = tmp_path / "restored.db"
    litestream(environment, "restore", "-o", copy, str(path))
    put_back(path, copy)
    keeper.restart()
    assert keeper.view == before


def test_a_new_machine_has_the_tables_of_the_lost_one(tmp_path: Path) -> None:
    """The two commands that the file begins with serve, follow, and get the database back."""
    told = (ROOT / "deploy" / "litestream.yml").read_text("utf-8")
    first, second = re.findall(r"^#   (litestream .*)$", told, re.MULTILINE)
    disk = tmp_path / "disk"
    disk.mkdir()
    places = {"CHICAGO_DB": f"{disk}/chicago.db", "CHICAGO_REPLICA": (tmp_path / "copy").as_uri()}
    server = Server(tmp_path, **places)
    server.home = set_up(clone(tmp_path / "clone"))
    server.command = ["sh", "-c", f"{first} && exec {second}"]
    server.start()
    link, _ = new_table(server.port)
    server.stop()
    shutil.rmtree(disk)
    disk.mkdir()
    server.start()
    status = send(server.port, "GET", f"/api/tables/{link}").status
    server.stop()
    assert status == 200
