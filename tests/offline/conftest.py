"""Fixtures of the synchronisation tests: a server, and phones with replicas of its tables."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from flask import Flask

from app.offline import server as servers
from app.store import clock
from tests.offline.phones import Phone, pool_of, serve

NewPhone = Callable[[], Phone]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the server time to apply a whole batch at once, also on a slow machine."""
    monkeypatch.setattr(servers, "LONGEST_SECONDS", 60)


@pytest.fixture(autouse=True)
def _forget_times() -> Iterator[None]:
    """Let the clock of the next test be told nothing by this one."""
    yield
    clock.set_floor("")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return the server that all tests share; each test has its own phones and tables."""
    app = serve(tmp_path_factory.mktemp("sync"))
    yield app
    pool_of(app).close()


@pytest.fixture
def new_phone(server: Flask, tmp_path: Path) -> NewPhone:
    """Return a function that makes phones."""
    numbers = count()
    return lambda: Phone(server, tmp_path, next(numbers))


@pytest.fixture
def phone(new_phone: NewPhone) -> Phone:
    """Return a phone."""
    return new_phone()
