"""What the store's tests share: a database file of their own, and a table in it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.store.database import Pool
from tests.services.keeper import Keeper, sit_down

Seat = Callable[..., Keeper]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where this test's database file will be."""
    return tmp_path / "data" / "chicago.db"


@pytest.fixture
def pool(path: Path) -> Iterator[Pool]:
    """Return an empty database."""
    empty = Pool(path)
    yield empty
    empty.close()


@pytest.fixture
def seat(path: Path) -> Iterator[Seat]:
    """Return a way to open tables in this test's database."""
    keepers: list[Keeper] = []

    def sit(
        players: list[str] | None = None,
        rules: dict[str, object] | None = None,
        dealer: str | None = None,
    ) -> Keeper:
        keepers.append(sit_down(path, players, rules, dealer))
        return keepers[-1]

    yield sit
    for keeper in keepers:
        keeper.pool.close()


@pytest.fixture
def keeper(seat: Seat) -> Keeper:
    """Return the keeper of a table of four under the usual rules."""
    return seat()
