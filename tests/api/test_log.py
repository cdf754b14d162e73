"""The log has one line for each request, with its id and its route, and without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from app.http.log import HEADER
from tests.api.calling import Caller, Table, shut_down
from tests.api.leaks import find_leaks
from tests.api.logs import Log, capture_log
from tests.api.network import send
from tests.browser.serving import Server

LINE = re.compile(r"^[\d-]+ [\d:,]+ INFO ([0-9a-f]{12}) GET /rules 200 \d+\.\d ms$", re.MULTILINE)
OURS = re.compile(r"[0-9a-f]{12}")
THEIRS = "8f14e45f-ceea-467f-a9d1-0242ac120002"


@pytest.fixture
def table(caller: Caller) -> Table:
    """Return a table opened before the log begins."""
    return caller.open()


@pytest.fixture
def log(table: Table) -> Iterator[Log]:
    """Return the log after the opening of the table."""
    with capture_log() as log:
        yield log


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/t/LINK", "/t/<link>", 200),
        ("HEAD", "/t/LINK", "/t/<link>", 200),
        ("GET", "/t/LINK/nowhere", "-", 404),
        ("DELETE", "/t/LINK", "-", 405),
        ("GET", "/t/aaaaaaaaaaaaaaaaaaaaaA", "/t/<link>", 404),
        ("POST", "/t/LINK/events", "/t/<link>/events", 401),
        ("GET", "/api/tables/LINK/games/7", "/api/tables/<link>/games/<int:number>", 404),
        ("GET", "/static/app.css?LINK", "/static/<path:filename>", 200),
        ("LINK", "/", "-", 405),
    ],
)
def test_a_request_has_one_line_with_its_route_and_not_its_address(
    table: Table, app: Flask, log: Log, method: str, path: str, route: str, status: int
) -> None:
    """The line is there for any request and any answer; an unusual method is not quoted either."""
    method, path = (text.replace("LINK", table.link) for text in (method, path))
    answer = app.test_client().open(path, method=method, buffered=True)
    shown = "other" if method == table.link else method
    assert log.requests == [[answer.headers[HEADER], shown, route, str(status)]]
    assert find_leaks(log.text, [table.link, "127.0.0.1"]) == []


@pytest.mark.parametrize("path", ["/", "/nothing", "/static/app.css", "/api/tables/x"])
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "POST"])
def test_every_answer_has_an_id_of_its_own(app: Flask, method: str, path: str) -> None:
    """The server makes the id, and ignores the client's."""
    answers = [
        app.test_client().open(path, method=method, headers={HEADER: THEIRS}, buffered=True)
        for _ in range(2)
    ]
    ids = {answer.headers[HEADER] for answer in answers}
    assert len(ids) == 2
    assert all(map(OURS.fullmatch, ids))


@pytest.mark.parametrize("path", ["/nothing", "/t/nothing", "/?page=1"])
def test_the_page_of_an_error_shows_the_id(app: Flask, path: str) -> None:
    """The words ask for it in a report; a page without an error does not show it."""
    answer = app.test_client().get(path, headers={"Accept-Language": "sv"})
    shown = f"Nämn felkoden om du hör av dig: {answer.headers[HEADER]}" in answer.text
    assert shown == (answer.status_code >= 400)


def test_a_proxy_may_give_the_id(tmp_path: Path) -> None:
    """Only a configured proxy may, and only an id that can be neither a secret nor a name."""
    app = create_app({"DATABASE": str(tmp_path / "chicago.db"), "PROXIES": 1})
    for sent in (THEIRS, "0" * 64):
        assert app.test_client().get("/", headers={HEADER: sent}).headers[HEADER] == sent
    for sent in ("0Zx9_abcdefghijklmnopA", "0701234567", "Quintilianus-Augusta", "0" * 65, ""):
        answer = app.test_client().get("/", headers={HEADER: sent})
        assert OURS.fullmatch(answer.headers[HEADER])
    shut_down(app)


def test_a_served_line_tells_when_what_and_how_long(server: Server) -> None:
    """The line has the id of the answer, the method, the route, the status and the time."""
    made = send(server.port, "GET", "/rules").headers[HEADER]
    server.until(lambda log: made in LINE.findall(log))


def test_the_lines_of_requests_can_be_switched_off(tmp_path: Path) -> None:
    """Errors are logged all the same."""
    server = Server(tmp_path, "tests.api.broken:create_app()", CHICAGO_LOG="off")
    server.start()
    send(server.port, "GET", "/broken/view/x")
    server.stop(re.compile("Traceback"))
    log = server.log.read_text()
    assert "RuntimeError" in log
    assert " ms" not in log
