"""Fixtures of all tests: Hypothesis settings, an application, and a real server."""

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType

import pytest
from flask import Flask
from flask.templating import Environment
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from app import create_app
from app.http import address
from app.http.application import Application
from app.store import clock, database
from tests.api.places import HOME
from tests.browser.serving import Server
from tests.empty_database import copy_empty_database

# No deadlines: a busy machine is not a defect. In CI the same commit always gets the same
# verdict; every other run searches in new places.
settings.register_profile(
    "dev", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
DEV = settings.get_profile("dev")
settings.register_profile("ci", DEV, derandomize=True, print_blob=True)
settings.register_profile("thorough", DEV, max_examples=2_000)
# Tests send requests faster than any table; those of the limits themselves switch them on.
os.environ.setdefault("CHICAGO_LIMITS", "off")

# A parsed page is thousands of objects, and nearly all of them go by themselves.
gc.set_threshold(20_000, 10, 10)

# The longest wait in seconds for an event that must come, however busy the machine is.
PATIENCE = 60.0
PROFILE = "ci" if "CI" in os.environ else "dev"
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", PROFILE))


class Compiled(BytecodeCache):
    """Templates compiled once in a run, where each application would do it anew."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was compiled of the same source."""
        bucket.code = self._kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        assert bucket.code
        self._kept[bucket.key, bucket.checksum] = bucket.code


COMPILED = Compiled()
BUILDERS: dict[tuple[object, ...], object] = {}
compile_builder = vars(Rule)["_compile_builder"]


def compile_rule(rule: Rule, append_unknown: bool = True) -> object:
    """Compile what writes the addresses of a route once in a run."""
    key = rule.rule, rule.host, rule.subdomain, str(rule.defaults), append_unknown
    if key not in BUILDERS:
        BUILDERS[key] = compile_builder(rule, append_unknown)
    return BUILDERS[key]


@pytest.fixture(autouse=True)
def compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all applications share their compiled templates and routes."""
    make = Flask.create_jinja_environment

    def create_jinja_environment(app: Flask) -> Environment:
        environment = make(app)
        environment.bytecode_cache = COMPILED
        return environment

    monkeypatch.setattr(Flask, "create_jinja_environment", create_jinja_environment)
    monkeypatch.setattr(Rule, "_compile_builder", compile_rule)


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> str:
    """Give this machine a fixed address in a home network, outside of any container."""
    monkeypatch.setattr(address, "lan_address", lambda _="": HOME)
    monkeypatch.setattr(address, "is_container", lambda: False)
    return HOME


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long enough for a busy machine; tests of timeouts set their own."""
    monkeypatch.setattr(database, "WAIT_SECONDS", PATIENCE)


@pytest.fixture
def alone(tmp_path: Path) -> Application:
    """Return an application of one test, on an empty database of its own."""
    path = copy_empty_database(tmp_path / "chicago.db")
    return create_app({"TESTING": True, "DATABASE": str(path)})


@pytest.fixture
def app(alone: Application) -> Application:
    """Return that application; the tests of some folders share one instead."""
    return alone


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """Return a client of that application, with a cookie jar of its own."""
    return app.test_client()


@pytest.fixture
def set_zone() -> Iterator[Callable[[str], None]]:
    """Return a function that sets the time zone for the rest of the test."""
    yield lambda name: clock.set_zone(clock.find_zone(name))
    clock.set_zone(clock.find_zone(clock.DEFAULT_ZONE))


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


def pytest_collection_finish() -> None:
    """Look through what is there for good no more, whenever garbage is collected."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that skipped something: a test that cannot run is a failure, not a footnote."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        reporter.write_line("Skipped tests count as failures here.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
