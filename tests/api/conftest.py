"""Fixtures of the API tests: programs that call, and a server under observation."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from tests.api.calling import Caller, Table
from tests.browser.serving import Server


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return the application that all tests share; each test has its own tables."""
    app = create_app({"DATABASE": str(tmp_path_factory.mktemp("api") / "chicago.db")})
    yield app
    app.close()


@pytest.fixture
def caller(app: Flask) -> Caller:
    """Return a program that holds no pen."""
    return Caller(app.test_client(use_cookies=False))


@pytest.fixture
def table(caller: Caller) -> Table:
    """Return a new table of four under the default rules."""
    return caller.open()


@pytest.fixture(scope="session")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper under observation; its logged errors fail no test."""
    server = Server(tmp_path_factory.mktemp("observed"), "tests.api.places:observed()")
    server.start()
    yield server
    server.stop(re.compile(r"(?!)"))
