"""Exceptions that nobody expected: an answer in words, a line that finds the fault, no secrets."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, Response, render_template_string
from jinja2 import Environment
from werkzeug.test import TestResponse

from app import create_app
from tests.api.calling import shut_down
from tests.api.leaks import find_leaks
from tests.api.logs import Log, capture_log

LINK, NAME = "0Zx9_abcdefghijklmnopA", "Quintilianus"
SECRETS = [LINK, NAME, "0701234567"]
MESSAGE = f"{NAME} 0701234567 at /t/{LINK}"
HERE = Path(__file__).name


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """Return an application of which some addresses are broken."""
    app = create_app({"DATABASE": str(tmp_path / "chicago.db")})
    app.add_url_rule("/t/<who>/view", "view", in_view)
    app.add_url_rule("/api/<who>/view", "call", in_view)
    app.add_url_rule("/t/<who>/database", "database", in_database)
    app.add_url_rule("/t/<who>/template", "template", in_template)
    app.add_url_rule("/t/<who>/stream", "stream", in_stream)
    yield app
    shut_down(app)


@pytest.fixture
def log() -> Iterator[Log]:
    """Return the log."""
    with capture_log() as log:
        yield log


def in_view(who: str) -> str:
    """Fail over what was sent, and again over that."""
    try:
        int(who)
    except ValueError as error:
        raise RuntimeError(MESSAGE) from error
    return ""


def in_database(who: str) -> str:
    """Fail in SQLite, which quotes values."""
    sqlite3.connect(":memory:").execute(f"SELECT '{who}' FROM {NAME}")
    return ""


def in_template(who: str) -> str:
    """Fail while a page is made."""
    return render_template_string("{{ who.nothing.nothing }}", who=who)


def in_stream(who: str) -> Response:
    """Fail when the answer has begun."""

    def parts() -> Iterator[str]:
        yield "begun"
        raise LookupError(MESSAGE)

    return Response(parts())


def ask(app: Flask, path: str) -> TestResponse:
    """Ask for an address of ours that holds a link."""
    answer = app.test_client().get(path.replace("LINK", LINK), buffered=True)
    assert NAME not in answer.text
    return answer


@pytest.mark.parametrize(
    ("where", "error"),
    [("view", "RuntimeError"), ("database", "OperationalError"), ("template", "UndefinedError")],
)
def test_a_page_says_so_in_words_and_the_log_where_it_was(
    app: Flask, log: Log, where: str, error: str
) -> None:
    """Both with the same id; of the exception only what can be no secret."""
    answer = ask(app, f"/t/LINK/{where}")
    assert answer.status_code == 500
    told, request = log.lines
    assert told["request"] == request["request"] == answer.headers["X-Request-Id"]
    assert f"Nämn felkoden om du hör av dig: {told['request']}" in answer.text
    assert (told["level"], told["error"]) == ("error", error)
    assert told["at"]
    assert find_leaks(log.text, SECRETS) == []


def test_the_line_holds_where_it_was_raised_why_and_sqlites_code(app: Flask, log: Log) -> None:
    """Enough to find the fault by."""
    ask(app, "/t/LINK/view")
    ask(app, "/t/LINK/database")
    view, database = log.errors
    assert f"{HERE}:" in view["at"][-1]
    assert view["cause"]["error"] == "ValueError"
    assert database["code"] == "SQLITE_ERROR"


def test_a_program_gets_json_of_the_same_form_as_ever(app: Flask, log: Log) -> None:
    """The id is in the header only."""
    answer = ask(app, "/api/LINK/view")
    assert (answer.status_code, set(answer.get_json()["error"])) == (500, {"code", "message"})
    assert log.errors[0]["request"] == answer.headers["X-Request-Id"]
    assert find_leaks(log.text, SECRETS) == []


def test_a_stream_that_breaks_is_logged_with_its_id(app: Flask, log: Log) -> None:
    """It has begun with 200, so it can only end."""
    answer = app.test_client().get(f"/t/{LINK}/stream")
    with pytest.raises(LookupError):
        answer.get_data()
    answer.close()
    told, request = log.lines
    assert told["error"] == "LookupError"
    assert told["request"] == request["request"] == answer.headers["X-Request-Id"]
    assert find_leaks(log.text, SECRETS) == []


def test_an_error_in_the_page_of_errors_is_answered_in_plain_words(
    app: Flask, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing can be rendered any more."""

    def fail(*_: object) -> None:
        raise LookupError(MESSAGE)

    monkeypatch.setattr(Environment, "get_template", fail)
    answer = ask(app, "/t/LINK")
    assert (answer.status_code, answer.mimetype) == (500, "text/plain")
    assert f"Nämn felkoden om du hör av dig: {answer.headers['X-Request-Id']}" in answer.text
    assert {line["request"] for line in log.lines} == {answer.headers["X-Request-Id"]}
    assert {line["error"] for line in log.errors} == {"LookupError"}
    assert find_leaks(log.text, SECRETS) == []


def test_tests_and_programmers_get_the_exception_itself(app: Flask) -> None:
    """Nothing is hidden behind a page from them."""
    app.config["PROPAGATE_EXCEPTIONS"] = True
    with pytest.raises(RuntimeError):
        ask(app, "/t/LINK/view")
