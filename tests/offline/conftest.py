"""Fixtures of the synchronisation tests: a server, and phones that go on without it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from app.offline import routes
from tests.offline.phones import Phone, pool_of, serve

NewPhone = Callable[[], Phone]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server take over all that it is sent at once, on a slow machine too."""
    monkeypatch.setattr(routes, "LONGEST_SECONDS", 60)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return a server, which all tests share: each has phones and tables of its own."""
    app = serve(tmp_path_factory.mktemp("sync"))
    yield app
    pool_of(app).close()


@pytest.fixture
def new_phone(server: Flask, tmp_path: Path) -> Iterator[NewPhone]:
    """Return a way to turn phones on."""
    phones: list[Phone] = []

    def turn_on() -> Phone:
        phones.append(Phone(server, tmp_path, f"phone-{len(phones)}"))
        return phones[-1]

    yield turn_on
    for phone in phones:
        pool_of(phone.app).close()


@pytest.fixture
def phone(new_phone: NewPhone) -> Phone:
    """Return a phone."""
    return new_phone()
