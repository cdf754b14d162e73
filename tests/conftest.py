"""What every test shares: how hypothesis searches, an application, and a server really served."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings

from app import create_app
from tests.browser.serving import Server
from tests.empty_database import copy_empty_database

# No deadlines: a busy machine is not a defect. Where a verdict is given, the same commit always
# gets the same one; everywhere else each run searches in new places.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("dev", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2_000)
# Tests ask faster than any table; those of the limits themselves switch them on.
os.environ.setdefault("CHICAGO_LIMITS", "off")

PROFILE = "ci" if "CI" in os.environ else "dev"
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", PROFILE))


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """Return an application on an empty database of its own."""
    path = copy_empty_database(tmp_path / "chicago.db")
    return create_app({"TESTING": True, "DATABASE": str(path)})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client of that application, with a cookie jar of its own."""
    return app.test_client()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper for the whole run, on an empty database of its own."""
    with_database = Server(tmp_path_factory.mktemp("server"))
    with_database.start()
    yield with_database
    with_database.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Serve the score keeper for one test, which may stop it, kill it and start it again."""
    alone = Server(tmp_path)
    alone.start()
    yield alone
    alone.stop()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that skipped something: a test that cannot run is a failure, not a footnote."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line("Skipped tests count as failures here.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
