"""The drill of deploy/litestream.yml: a database is replicated, lost and restored."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from app.store.backup import put_back
from tests.browser.serving import ROOT
from tests.services.conftest import LITESTREAM
from tests.services.keeper import NOBODY, Keeper


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
    keeper.record(NOBODY)
    litestream(environment, "replicate", "-once")
    keeper.record(NOBODY)
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
