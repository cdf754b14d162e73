"""One structured line for each request: what it tells, and what it does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.api.calling import NOBODY, Caller, Table, correction
from tests.api.leaks import find_leaks
from tests.api.logs import Log, capture_log
from tests.api.network import send
from tests.browser.serving import Server

FIELDS = ["level", "request", "method", "route", "status", "ms", "bytes", "changed"]


@pytest.fixture
def table(caller: Caller) -> Table:
    """Return a table that was opened before the log began."""
    return caller.open()


@pytest.fixture
def log(table: Table) -> Iterator[Log]:
    """Return the log of what comes after the opening of the table."""
    with capture_log() as log:
        yield log


def told(log: Log) -> list[tuple[object, ...]]:
    """Return method, route, status and change of every request."""
    assert all(list(line) == FIELDS for line in log.requests)
    return [
        tuple(line[k] for k in ("method", "route", "status", "changed")) for line in log.requests
    ]


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/t/LINK", "/t/<link>", 200),
        ("HEAD", "/t/LINK", "/t/<link>", 200),
        ("OPTIONS", "/t/LINK", "/t/<link>", 200),
        ("GET", "/t/LINK/nowhere", None, 404),
        ("DELETE", "/t/LINK", None, 405),
        ("GET", "/t/aaaaaaaaaaaaaaaaaaaaaA", "/t/<link>", 404),
        ("POST", "/t/LINK/events", "/t/<link>/events", 401),
        ("GET", "/api/tables/LINK", "/api/tables/<link>", 200),
        ("GET", "/api/tables/LINK/games/7", "/api/tables/<link>/games/<int:number>", 404),
        ("GET", "/static/app.css?LINK", "/static/<path:filename>", 200),
        ("GET", "/static/LINK", "/static/<path:filename>", 404),
        ("LINK", "/", None, 405),
    ],
)
def test_a_request_has_one_line_with_its_route_and_not_its_address(
    table: Table, app: Flask, log: Log, method: str, path: str, route: str | None, status: int
) -> None:
    """Whatever is asked for, and whatever comes of it; an unusual method is not quoted either."""
    method, path = (text.replace("LINK", table.link) for text in (method, path))
    answer = app.test_client().open(path, method=method, buffered=True)
    assert answer.status_code == status
    shown = "other" if method == table.link else method
    assert told(log) == [(shown, route, status, False)]
    assert log.requests[0]["bytes"] == len(answer.data)
    assert find_leaks(log.text, [table.link, "127.0.0.1"]) == []


def test_the_line_tells_whether_the_table_has_changed(table: Table, log: Log) -> None:
    """What is refused, or only read, has changed nothing."""
    table.record(correction(5), buffered=True)
    table.record({**NOBODY, "seq": 1}, buffered=True)
    table.read(buffered=True)
    assert [line[1:] for line in told(log)] == [
        ("/api/tables/<link>/events", 201, True),
        ("/api/tables/<link>/events", 409, False),
        ("/api/tables/<link>", 200, False),
    ]


def test_what_is_sent_stands_in_no_line(table: Table, log: Log, app: Flask) -> None:
    """Neither pens nor names nor notes, neither headers nor queries."""
    sent = ["Quintilianus", "0701234567", table.pen, table.link]
    note = {**correction(5), "note": "Quintilianus"}
    table.record(note, buffered=True, key="0701234567")
    table.record({"event": "Quintilianus"}, buffered=True)
    page = {"query_string": {"message": "Quintilianus"}, "headers": {"User-Agent": table.pen}}
    app.test_client().get(f"/t/{table.link}", buffered=True, **page)
    app.test_client().post("/", data={"player": ["Quintilianus"]}, buffered=True)
    assert [line["status"] for line in log.requests] == [201, 400, 200, 422]
    assert find_leaks(log.text, sent) == []


def test_the_lines_of_requests_can_be_switched_off(tmp_path: Path) -> None:
    """The server's own lines, and errors, are there all the same."""
    server = Server(tmp_path, "tests.api.broken:create_app()", CHICAGO_LOG="off")
    server.start()
    send(server.port, "GET", "/broken/view/x")
    server.stop(re.compile("Traceback"))
    log = server.log.read_text()
    assert '"RuntimeError"' in log
    assert '"route"' not in log
