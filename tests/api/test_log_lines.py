"""What a record of a logger becomes in the log: its message only where that can quote nothing."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from app.http.log_lines import LineFormatter

from tests.api.leaks import find_leaks

LINK, NAME, NUMBER = "0Zx9_abcdefghijklmnopA", "Quintilianus", "070-123 45 67"
WORKER = LineFormatter(terminal=False, master=0)
MASTER = LineFormatter(terminal=False, master=os.getpid())


def record(message: object, *values: object, logger: str = "gunicorn.error") -> logging.LogRecord:
    """Return a warning of a logger."""
    return logging.LogRecord(logger, logging.WARNING, __file__, 7, message, values, None)


def line(formatter: LineFormatter, told: logging.LogRecord) -> dict[str, Any]:
    """Return the line of a record, without the time."""
    fields: dict[str, Any] = json.loads(formatter.format(told))
    del fields["time"]
    return fields


@pytest.mark.parametrize(
    "told",
    [
        record(f"Invalid request from ip=127.0.0.1: Invalid HTTP request line: 'GET /t/{LINK}'"),
        record("Error handling request %s %s", "GET", f"/t/{LINK}"),
        record(KeyError(LINK, NAME)),
        record("%(who)s was here", {"who": NAME}),
        record("a %s", NAME, logger="sqlite_utils"),
        record(NAME, logger="py.warnings"),
        record("%d", NAME),
    ],
)
def test_of_other_programs_no_value_is_told(told: logging.LogRecord) -> None:
    """But that they said something, and at least where."""
    shown = WORKER.format(told)
    assert find_leaks(shown, [LINK, NAME, "127.0.0.1"]) == []
    assert json.loads(shown).keys() & {"message", "at"}


def test_what_the_server_says_of_itself_is_told() -> None:
    """With numbers in it; and everything by the process that never sees a request."""
    assert line(WORKER, record("Booting worker with pid: %s", 17))["message"].endswith("pid: 17")
    assert line(MASTER, record("Connection in use: %s", "('0.0.0.0', 8000)")) == {
        "level": "warning",
        "logger": "gunicorn.error",
        "message": "Connection in use: ('0.0.0.0', 8000)",
    }


def test_our_own_messages_are_told_without_what_looks_secret() -> None:
    """Links, pens and numbers; of an exception its type."""
    for value in (LINK, f"/t/{LINK}/pen/{LINK}", NUMBER, "0701234567", ValueError(NAME)):
        shown = line(WORKER, record("%d lines at %s: %s", 3, Path("/srv"), value, logger="app.x"))
        assert shown["message"].startswith("3 lines at /srv: ")
        assert find_leaks(json.dumps(shown), [LINK, NAME, NUMBER, "0701234567"]) == []


def test_a_message_that_does_not_fit_its_values_is_told_without_them() -> None:
    """Nothing that is worth a line is lost."""
    assert line(WORKER, record("%d lines", NAME, logger="app.x"))["message"] == "%d lines"


def test_an_exception_at_hand_is_told_by_its_type_and_place() -> None:
    """Also where a library put it into words instead of handing it on."""
    try:
        int(NAME)
    except ValueError as error:
        shown = line(WORKER, record(f"refused: {error}"))
    assert shown["error"] == "ValueError"
    assert Path(__file__).name in shown["at"][0]
    assert NAME not in json.dumps(shown)
