"""Answers to people, programs and health checks while the database is unavailable."""

import logging
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from sqlite_utils.utils import sqlite3

from app.http.application import Application
from app.store import database
from tests.web.pages import Page

WORDS = "The score keeper cannot get at its records just now. Nothing has changed;"
ENGLISH = {"Accept-Language": "en"}
EVENT = {"event": '{"event": "no_best_hand"}', "seq": "1"}


@pytest.fixture
def app(alone: Application) -> Application:
    """Return an application with its own database, which may be broken."""
    return alone


@pytest.fixture
def path(app: Application) -> Path:
    """Return the path of its database."""
    return app.database.path


@pytest.fixture
def table(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the link of a table that this client has opened."""
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.05)
    location = client.post("/", data={"player": ["Anna", "Bo"]}).headers["Location"]
    return location.removeprefix("/t/")


@pytest.fixture
def locked(table: str, path: Path) -> Iterator[sqlite3.Connection]:
    """Lock the database by another program's open write; return that program's connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


@pytest.mark.usefixtures("locked")
@pytest.mark.parametrize("headers", [ENGLISH, {**ENGLISH, "HX-Request": "true"}])
def test_a_tap_is_answered_in_words(
    client: FlaskClient, table: str, headers: dict[str, str]
) -> None:
    """Status 503 with a time to wait, on a page or a part of one; reading works."""
    answer = client.post(f"/t/{table}/events", data=EVENT, headers=headers)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert WORDS in Page(answer.text).text
    assert client.get(f"/t/{table}", headers=headers).status_code == 200


@pytest.mark.usefixtures("locked")
def test_a_program_is_answered_as_json(client: FlaskClient) -> None:
    """Status 503 with a code and a sentence."""
    answer = client.post("/api/tables", json={"players": ["Anna", "Bo"]})
    assert (answer.status_code, answer.mimetype) == (503, "application/json")
    assert int(answer.headers["Retry-After"]) > 0
    error = answer.json["error"]  # type: ignore[index]  # JSON
    assert error["code"] == "too_many"
    assert error["message"].startswith("The database cannot be used just now.")


@pytest.mark.usefixtures("locked")
def test_the_log_has_one_line_and_no_traceback(
    client: FlaskClient, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The line gives the cause, and does not name the table."""
    with caplog.at_level(logging.WARNING):
        client.post(f"/t/{table}/events", data=EVENT)
    [record] = caplog.records
    assert record.getMessage() == "The database is unavailable: database is locked"
    assert record.exc_info is None
    assert table not in caplog.text


def test_an_error_of_the_driver_is_told_apart_by_its_code(app: Application) -> None:
    """A fault of the file is 503, wherever it is read; a programming error is not."""

    def read(path: str, sql: str) -> str:
        with closing(sqlite3.connect(path, uri=True)) as connection:
            return str(connection.execute(sql).fetchone())

    app.add_url_rule("/gone", "gone", partial(read, "file:/gone/a.db?mode=ro", "SELECT 1"))
    app.add_url_rule("/wrong", "wrong", partial(read, ":memory:", "SELECT 1 FROM nowhere"))
    assert app.test_client().get("/gone").status_code == 503
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        app.test_client().get("/wrong")


def test_a_damaged_database_is_said_to_be_out_of_reach(
    app: Application, path: Path, table: str
) -> None:
    """Status 503 for reading too: on pages, for programs, and for the health check."""
    app.close()
    path.write_bytes(b"\xa5" * path.stat().st_size)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    for address in (f"/t/{table}", f"/api/tables/{table}", f"/t/{table}/years", "/healthz"):
        assert app.test_client().get(address).status_code == 503


def test_a_database_that_comes_back_is_used_again(
    app: Application, client: FlaskClient, path: Path, table: str
) -> None:
    """The server need not be restarted."""
    app.close()
    elsewhere = path.rename(path.with_name("elsewhere"))
    path.mkdir()
    assert client.get(f"/t/{table}").status_code == 503
    path.rmdir()
    elsewhere.rename(path)
    assert client.get(f"/t/{table}").status_code == 200
    assert client.post(f"/t/{table}/events", data=EVENT).status_code == 303


def test_health_is_ok(client: FlaskClient, table: str) -> None:
    """The answer is short plain text, without a cookie, and is not cached."""
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok", "text/plain")
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert table not in str(answer.headers)


def test_health_is_bad_where_nothing_can_be_written(
    client: FlaskClient, locked: sqlite3.Connection
) -> None:
    """Status 503 without the cause; once the lock is gone, 200."""
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (503, "unavailable")
    locked.execute("ROLLBACK")
    assert client.get("/healthz").status_code == 200
