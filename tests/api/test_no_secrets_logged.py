"""The log of the served program holds no secret, in any failure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.api.broken import WAYS
from tests.api.calling import PLAYERS, correction
from tests.api.certificate import Files
from tests.api.leaks import find_leaks
from tests.api.network import Watcher, connect, raw, send
from tests.browser.serving import Server

# The path of a link that gives a pen, or tables.
GIVEN = re.compile(r"/(?:t/[\w-]+/(?:pen|recovery)|transfer|start)/[\w-]{43}")
NAME, NUMBER, MADE_UP = "Quintilianus", "0701234567", "0Zx9_abcdefghijklmnopA"
# The address that all these requests come from.
VISITOR = "127.0.0.1"
SECRETS = (NAME, NUMBER, MADE_UP)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ERRORS = (
    *("RuntimeError", "UndefinedError", "OperationalError", "LookupError", "ArithmeticError"),
    *("NotImplementedError", "a person %s"),
)
NOTHING = re.compile(r"(?!)")
# Requests that no application ever sees; %s stands for any text.
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
    "GET / HTTP/1.1\r\nHost: x\r\nX: " + "%s" * 2000 + "\r\n\r\n",
    "\x16\x03\x01\x02%s\r\n\r\n",
]
# Odd requests that the application sees.
ODD = [
    "GET http://%s/t/%s?%s#%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
    "PROPFIND /t/%s HTTP/1.0\r\nReferer: http://x/t/%s\r\nUser-Agent: %s\r\n\r\n",
    "GET /t/%s HTTP/1.0\r\nCookie: chicago=%s\r\nX-Request-Id: %s\r\n\r\n",
]


def test_secrets_are_found_however_they_are_written() -> None:
    """A link by its form alone, a name as in an address, in JSON or in Python."""
    line = "2026-11-23 19:33:36,484 INFO dabcdf0e0ef4 GET /t/<link> 200 80.9 ms"
    assert find_leaks(line, SECRETS) == []
    for name in ("Åsa & Bo", MADE_UP):
        for written in (quote(name), json.dumps(name), repr(name.encode())):
            assert name in find_leaks(f"{line} {written}", [name])
    assert find_leaks(f"/t/x/pen/{MADE_UP}", []) == [MADE_UP]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper with addresses that fail; its logged errors fail no test."""
    server = Server(tmp_path_factory.mktemp("broken"), "tests.api.broken:create_app()")
    server.start()
    yield server
    server.stop(NOTHING)


def find_logged(server: Server, secrets: tuple[str, ...] | list[str]) -> list[str]:
    """Return the secrets and addresses in the log, once all earlier requests are in it."""
    last = send(server.port, "GET", "/rules").headers["X-Request-Id"]
    log = server.until(lambda log: log if last in log else None)
    return find_leaks(since_start(log), [VISITOR, *secrets])


def since_start(log: str) -> str:
    """Return a log without its first lines, which have the server's own address."""
    return log.partition("Booting worker")[2]


@pytest.mark.parametrize("secret", SECRETS)
def test_errors_of_every_kind_quote_nothing(broken: Server, secret: str) -> None:
    """Views, templates, streams, the database and libraries fail; only their errors are named."""
    for how in WAYS:
        assert raw(broken.port, f"GET /broken/{how}/{secret} HTTP/1.0\r\n\r\n".encode())
    assert find_logged(broken, [secret]) == []
    assert [error for error in ERRORS if error not in broken.log.read_text()] == []


def test_whoever_hangs_up_is_no_error(broken: Server) -> None:
    """A broken pipe is not logged."""
    before = len(broken.log.read_text())
    with connect(broken.port) as connection:
        connection.sendall(f"GET /broken/written/{MADE_UP} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        connection.recv(10)
    assert find_logged(broken, [MADE_UP]) == []
    assert "Traceback" not in broken.log.read_text()[before:]
    assert " ERROR " not in broken.log.read_text()[before:]


@pytest.mark.parametrize("request_text", [*UNREADABLE, *ODD])
def test_requests_that_cannot_be_read_are_not_quoted(broken: Server, request_text: str) -> None:
    """The secret may stand anywhere in the request, and any layer may refuse it."""
    for secret in SECRETS:
        asked = request_text.replace("%s", secret).encode("latin-1")
        answered = raw(broken.port, asked, shut=True)
        assert re.match(rb"(HTTP/1\.[01] [2345]|$)", answered)
    assert find_logged(broken, SECRETS) == []


def test_no_https_and_bad_https_quote_nothing_either(tmp_path: Path) -> None:
    """Neither a failed handshake nor what is unreadable within HTTPS names its visitor."""
    files = Files(tmp_path)
    server = Server(tmp_path, **files.environment)
    server.start()
    for request_text in UNREADABLE:
        asked = request_text.replace("%s", MADE_UP).encode("latin-1")
        raw(server.port, asked, shut=True)
        with (
            connect(server.port) as plain,
            files.trusting.wrap_socket(plain, server_hostname=VISITOR) as connection,
        ):
            connection.sendall(asked)
    server.stop(NOTHING)
    assert f"The score keeper is at https://{VISITOR}:{server.port}/" in server.log.read_text()
    log = since_start(server.log.read_text())
    assert find_leaks(log, [VISITOR, MADE_UP]) == []
    assert "Traceback" not in log


def test_an_evening_leaves_no_name_link_or_pen_in_the_log(broken: Server) -> None:
    """A table, taps, people with telephones, pens and tables handed on, a stream, and refusals."""
    port = broken.port
    opened = send(port, "POST", "/api/tables", {"players": [NAME, *PLAYERS]}).json
    link, pen = opened["table"], opened["pen"]
    with Watcher(port, link) as watcher:
        for name in (NAME, NUMBER):
            send(port, "POST", f"/api/tables/{link}/events", correction(1, name), pen)
        watcher.next()
    form = urlencode({"player": [NAME, *PLAYERS], "preset": "pagat"}, doseq=True)
    page = send(port, "POST", "/", form.encode(), **FORM)
    table, mine = page.headers["Location"], {**FORM, "Cookie": page.cookies}
    paths = [f"{table}/people"]
    for giver in (f"{table}/pen", f"{table}/recovery", "/transfer", "/install"):
        given = send(port, "POST", giver, b"seq=1", **mine)
        [path] = {*GIVEN.findall(given.headers.get("Location", "") + given.data.decode())}
        paths += [path, f"{path}x", f"{path}/app.webmanifest"]
    swish = urlencode({"name": NAME, "swish": NUMBER}).encode()
    for path in paths:
        send(port, "GET", path)
        send(port, "POST", path, swish, **mine)
    cookies = [each.partition("=")[2] for each in page.cookies.split("; ")]
    told = [path.split("/")[-1] for path in (table, *paths[1::3])]
    assert find_logged(broken, [link, pen, NAME, NUMBER, *cookies, *told]) == []
