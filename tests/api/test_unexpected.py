"""Unexpected exceptions: an answer in words, a log that locates the fault, and no secrets."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.api import broken
from tests.api.leaks import find_leaks
from tests.api.logs import Log, capture_log

SECRET = "Quintilianus"


@pytest.fixture
def app(alone: Flask) -> Flask:
    """Return an application with failing addresses."""
    broken.register(alone)
    return alone


@pytest.fixture
def log() -> Iterator[Log]:
    """Return the log."""
    with capture_log() as log:
        yield log


def ask(app: Flask, path: str) -> TestResponse:
    """Request an address that holds a secret."""
    answer = app.test_client().get(f"{path}/{SECRET}", buffered=True)
    assert SECRET not in answer.text
    return answer


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("view", "RuntimeError"),
        ("view", "KeyError"),
        ("database", "OperationalError SQLITE_ERROR"),
        ("template", "UndefinedError"),
    ],
)
def test_a_page_says_so_in_words_and_the_log_where_it_was(
    app: Flask, log: Log, how: str, error: str
) -> None:
    """Both have the same id; the log has the exception's type and frames, and no value."""
    answer = ask(app, f"/broken/{how}")
    assert answer.status_code == 500
    [[request, *_]] = log.requests
    assert request == answer.headers["X-Request-Id"]
    assert f"Nämn felkoden om du hör av dig: {request}" in answer.text
    assert f"ERROR {request} failed\n" in log.text
    assert f"{Path(broken.__file__).name}" in log.text
    assert f"\n{error}\n" in log.text
    assert find_leaks(log.text, [SECRET]) == []


def test_a_program_gets_json_of_the_same_form_as_ever(app: Flask, log: Log) -> None:
    """The id is in the header only."""
    answer = ask(app, "/api/broken/view")
    assert (answer.status_code, set(answer.get_json()["error"])) == (500, {"code", "message"})
    assert f"ERROR {answer.headers['X-Request-Id']} failed\n" in log.text


def test_a_library_s_warning_keeps_its_words_and_loses_its_values(log: Log) -> None:
    """Of a text that has its values in it already nothing is known to be none."""
    library = logging.getLogger("gunicorn.error")
    library.warning("Invalid request: %s", SECRET)
    library.warning(f"Invalid request from ip={SECRET}")
    assert log.text == "WARNING Invalid request: %s\nWARNING a message of gunicorn.error\n"


def test_tests_and_programmers_get_the_exception_itself(app: Flask) -> None:
    """No error page hides it from them."""
    app.config["PROPAGATE_EXCEPTIONS"] = True
    with pytest.raises(RuntimeError):
        ask(app, "/broken/view")
