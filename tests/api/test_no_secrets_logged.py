"""The log of the program as it is really served, while everything goes wrong, holds no secret."""

from __future__ import annotations

import json
import re
import socket
import urllib.parse
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tests.api.broken import WAYS
from tests.api.calling import PLAYERS, correction
from tests.api.leaks import find_leaks
from tests.api.network import Watcher, send
from tests.browser.serving import Server

GIVES_PEN = re.compile(r"/t/[\w-]+/pen/[\w-]{20,}")
RECOVERS_PEN = re.compile(r"/t/[\w-]+/recovery/[\w-]{20,}")
TAKES_ALONG = re.compile(r"/(transfer|start)/[\w-]{43}")
NAME, NUMBER = "Quintilianus", "0701234567"
MADE_UP = "0Zx9_abcdefghijklmnopA"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
BROKEN = "/broken/<how>/<secret>"
ERRORS = {
    *("RuntimeError", "UndefinedError", "OperationalError", "LookupError"),
    *("InvalidResponseHeader", "OverflowError", "BufferError", "ArithmeticError"),
}
LOGGERS = {"some.library", "app.somewhere"}
NOTHING = re.compile(r"(?!)")
# What no application ever sees, %s being anything at all.
UNREADABLE = [
    "GET /t/%s HTTP/9.9\r\n\r\n",
    "GET /t/%s\r\n\r\n",
    "%s / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nX y: %s\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: %s\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: %s\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nExpect: %s\r\n\r\n",
    "POST /t/%s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n\r\n",
    "POST /t/%s HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n%s",
    "GET /t/" + "%s" * 500 + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nX: " + "%s" * 500 + "\r\n\r\n",
]
# What it sees, and what is odd.
ODD = [
    "GET http://%s/t/%s?%s#%s HTTP/1.1\r\nHost: %s\r\n\r\n",
    "PROPFIND /t/%s HTTP/1.1\r\nHost: x\r\nReferer: http://x/t/%s\r\nUser-Agent: %s\r\n\r\n",
    "GET /t/%s HTTP/1.1\r\nHost: x\r\nCookie: chicago=%s\r\nX-Request-Id: %s\r\n\r\n",
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper with addresses that fail; what it logs of that is no complaint."""
    server = Server(tmp_path_factory.mktemp("broken"), "tests.api.broken:create_app()")
    server.start()
    yield server
    server.stop(NOTHING)
    assert "Traceback" not in server.log.read_text()


def raw(server: Server, request: str) -> bytes:
    """Send this over a connection of its own, and return what comes back until it is closed."""
    answered = bytearray()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(request.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            while data := connection.recv(65536):
                answered += data
    return bytes(answered)


def read_lines(log: str) -> list[dict[str, Any]]:
    """Return the log's lines; what is said to people at the start is none."""
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]


def lines(server: Server) -> list[dict[str, Any]]:
    """Return the lines that are there by now."""
    return read_lines(server.log.read_text())


def lines_of(server: Server, before: int, requests: int, *routes: str) -> list[dict[str, Any]]:
    """Return what was logged since, with the lines of so many requests, of any route or of these.

    A line is written when the answer is over, which somebody else may notice before.
    """

    def find(log: str) -> list[dict[str, Any]] | None:
        told = read_lines(log)[before:]
        asked = [line["route"] for line in told if "route" in line]
        found = [each for each in asked if not routes or each in routes]
        return told if len(found) >= requests else None

    return server.until(find)


@pytest.mark.parametrize("secret", [NAME, NUMBER, MADE_UP])
def test_errors_of_every_kind_quote_nothing(broken: Server, secret: str) -> None:
    """In views, templates, streams, threads, the database and libraries; what they were is told."""
    before = len(lines(broken))
    for how in WAYS:
        assert raw(broken, f"GET /broken/{how}/{secret} HTTP/1.0\r\nHost: x\r\n\r\n")
    told = lines_of(broken, before, len(WAYS), BROKEN)
    assert find_leaks(broken.log.read_text(), [secret]) == []
    assert {line.get("error") for line in told} >= ERRORS
    assert {line.get("logger") for line in told} >= LOGGERS
    assert [line.get("route") for line in told].count(BROKEN) == len(WAYS)


def test_whoever_hangs_up_is_no_error(broken: Server) -> None:
    """A broken pipe has its line like every other request, and nothing else is told of it."""
    before = len(lines(broken))
    with socket.create_connection(("127.0.0.1", broken.port)) as connection:
        connection.sendall(f"GET /broken/written/{MADE_UP} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        connection.recv(10)
    told = lines_of(broken, before, 1, BROKEN)
    assert [(line["level"], line["route"]) for line in told] == [("info", BROKEN)]
    assert find_leaks(broken.log.read_text(), [MADE_UP]) == []


@pytest.mark.parametrize("request_text", [*UNREADABLE, *ODD])
def test_requests_that_cannot_be_read_are_not_quoted(broken: Server, request_text: str) -> None:
    """Wherever the secret stands, and whoever refuses them."""
    before = len(lines(broken))
    for secret in (NAME, NUMBER, MADE_UP):
        raw(broken, request_text.replace("%s", secret))
    if request_text in ODD:
        assert len(lines_of(broken, before, 3)) >= 3
    assert find_leaks(broken.log.read_text(), [NAME, NUMBER, MADE_UP]) == []


def test_an_evening_leaves_no_name_link_or_pen_in_the_log(broken: Server) -> None:
    """With a table, taps, people with telephones, a pen handed on, a stream, and refusals."""
    port = broken.port
    opened = send(port, "POST", "/api/tables", {"players": [NAME, *PLAYERS]}).json
    link, pen = opened["table"], opened["pen"]
    secrets = [link, pen, NAME, NUMBER]
    with Watcher(port, link) as watcher:
        send(port, "POST", f"/api/tables/{link}/events", correction(1, NAME), pen)
        send(port, "POST", f"/api/tables/{link}/events", correction(1, NUMBER), pen)
        watcher.next()
    form = urllib.parse.urlencode({"player": [NAME, *PLAYERS], "preset": "pagat"}, doseq=True)
    page = send(port, "POST", "/", form.encode(), **FORM)
    table, cookie = page.headers["Location"], page.cookies
    handed = send(port, "POST", f"{table}/pen", b"seq=1", Cookie=cookie, **FORM)
    match = GIVES_PEN.search(handed.data.decode())
    assert match
    secrets += [table.rpartition("/")[2], match[0].rpartition("/")[2]]
    secrets += [each.partition("=")[2] for each in cookie.split("; ")]
    kept = send(port, "POST", f"{table}/recovery", b"", Cookie=cookie, **FORM)
    recovery = RECOVERS_PEN.search(kept.data.decode())
    assert recovery
    secrets.append(recovery[0].rpartition("/")[2])
    paths = [match[0], recovery[0]]
    for page_of in ("/transfer", "/install"):
        taken = send(port, "POST", page_of, b"", Cookie=cookie, **FORM)
        brings = TAKES_ALONG.search(taken.headers.get("Location", "") + taken.data.decode())
        assert brings
        paths.append(brings[0])
        secrets.append(brings[0].rpartition("/")[2])
    paths += [f"{path}x" for path in paths]
    swish = urllib.parse.urlencode({"name": NAME, "swish": NUMBER}).encode()
    for path in (*paths, f"{paths[-1]}/app.webmanifest", f"{table}/people"):
        send(port, "GET", path)
        send(port, "POST", path, swish, Cookie=cookie, **FORM)
    assert len(lines_of(broken, 0, 10)) >= 10
    assert find_leaks(broken.log.read_text(), secrets) == []
