"""The log: a line for each request, with its id and route, where a fault is, and no secret ever."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, quote_plus, urlencode

import pytest
from flask import Flask

from app import create_app
from app.http.log import HEADER
from tests.api.calling import PLAYERS, correction
from tests.api.certificate import Files
from tests.api.network import REQUESTS, connect, new_table, raw, read, send
from tests.api.test_calls import read_rows
from tests.browser.serving import UNWANTED, Server

OURS = re.compile(r"[0-9a-f]{12}")
THEIRS = "8f14e45f-ceea-467f-a9d1-0242ac120002"
# The form of a link or a pen, also of an unknown one: base64url of 16 or 32 bytes, with a
# capital or a digit in it, which tells it from a word.
SECRET = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9])(?:[\w-]{22}|[\w-]{43})(?![\w-])")
# The address that all requests of the tests come from.
VISITOR = "127.0.0.1"
NAME, NUMBER, MADE_UP = SECRETS = ("Quintilianus", "0701234567", "0Zx9_abcdefghijklmnopA")
# The path of a link that gives a pen, or tables.
GIVEN = re.compile(r"/(?:t/[\w-]+/(?:pen|recovery)|transfer|start)/[\w-]{43}")
# Requests that no application ever sees, `%s` being any text, and odd ones that it does.
UNREADABLE, ODD = REQUESTS["unreadable requests"], REQUESTS["odd requests"]


def find_leaks(log: str, secrets: Iterable[str]) -> list[str]:
    """Return the texts that stand in the log, in any spelling, and all in the form of a secret."""
    spellings = (str, quote_plus, json.dumps, lambda text: repr(text.encode())[1:], quote)
    known = [
        secret
        for secret in secrets
        if any(spell(secret).strip("\"'") in log for spell in spellings)
    ]
    return [*known, *SECRET.findall(log)]


def find_logged(server: Server, secrets: Iterable[str], after: int = 0) -> tuple[str, list[str]]:
    """Return a served log once all earlier requests are in it, and the secrets it has.

    The log is that `after` some letters, and never has the first lines, which tell the server's
    own address.
    """
    last = send(server.port, "GET", "/rules").headers[HEADER]
    log = server.until(lambda log: log if last in log else None)
    log = log[max(after, log.index("Booting worker")) :]
    return log, find_leaks(log, [VISITOR, *secrets])


def test_secrets_are_found_however_they_are_written() -> None:
    """A link by its form alone, a name as in an address, in JSON or in Python."""
    line = "2026-11-23 19:33:36,484 INFO dabcdf0e0ef4 GET /t/<link> 200 80.9 ms"
    assert find_leaks(line, SECRETS) == []
    for name in ("Åsa & Bo", MADE_UP):
        for written in (quote(name), json.dumps(name), repr(name.encode())):
            assert name in find_leaks(f"{line} {written}", [name])
    assert find_leaks(f"/t/x/pen/{MADE_UP}", []) == [MADE_UP]


# A request, and the line of it; an unusual method is not quoted either.
LOGGED = """
GET /t/LINK | GET /t/<link> 200
HEAD /t/LINK | HEAD /t/<link> 200
GET /t/LINK/nowhere | GET - 404
DELETE /t/LINK | DELETE - 405
OPTIONS / | OPTIONS / 200
GET /t/aaaaaaaaaaaaaaaaaaaaaA | GET /t/<link> 404
POST /t/LINK/events | POST /t/<link>/events 401
GET /api/tables/LINK/games/7 | GET /api/tables/<link>/games/<int:number> 404
POST /t/LINK/pen/0Zx9_abcdefghijklmnopA | POST /t/<link>/pen/<token:secret> 303
GET /transfer/0Zx9_abcdefghijklmnopA | GET /transfer/<token:secret> 200
GET /static/app.css?LINK | GET /static/<path:filename> 200
PROPFIND / | other - 405
"""


@pytest.mark.parametrize(("request_line", "logged"), read_rows(LOGGED))
def test_a_request_has_one_line_with_its_route_and_not_its_address(
    server: Server, request_line: str, logged: str
) -> None:
    """The line has the time, how long it took, and the answer's id, which the server makes.

    The page of an error shows the id: the words ask for it in a report.
    """
    method, path = request_line.split(" ")
    link, _ = new_table(server.port)
    answer = send(server.port, method, path.replace("LINK", link), **{HEADER: THEIRS})
    made = answer.headers[HEADER]
    assert OURS.fullmatch(made)
    line = re.compile(rf"(?m)^[\d-]+ [\d:,]+ INFO {made} (.*) \d+\.\d ms$")
    assert server.until(line.findall) == [logged]
    shown = f"Nämn felkoden om du hör av dig: {made}".encode() in answer.data
    assert shown is (answer.status >= 400 and not path.startswith("/api"))


def test_a_proxy_may_give_the_id(app: Flask) -> None:
    """Only a configured proxy may, and only an id that can be neither a secret nor a name."""
    behind = create_app({"DATABASE": app.config["DATABASE"], "PROXIES": 1})
    for sent in (THEIRS, "0" * 64, *SECRETS, "Quintilianus-Augusta", "0" * 65, ""):
        given = behind.test_client().get("/", headers={HEADER: sent}).headers[HEADER]
        assert given == sent if sent in (THEIRS, "0" * 64) else OURS.fullmatch(given)
    behind.close()


@pytest.mark.parametrize("text", [*UNREADABLE, *ODD])
def test_requests_that_cannot_be_read_are_not_quoted(observed: Server, text: str) -> None:
    """The secret may stand anywhere in the request, and any layer may refuse it."""
    for secret in SECRETS:
        answered = raw(observed.port, read(text.replace("%s", secret)), shut=True)
        assert re.match(rb"(HTTP/1\.[01] [2345]|$)", answered)
    assert find_logged(observed, SECRETS)[1] == []


def test_no_https_and_bad_https_quote_nothing_either(tmp_path: Path) -> None:
    """Neither a failed handshake nor what is unreadable within HTTPS names its visitor.

    Without lines of requests, which can be switched off, errors are logged all the same.
    """
    files = Files(tmp_path)
    env = {"CHICAGO_LOG": "off", **files.environment}
    server = Server(tmp_path, "tests.api.places:observed()", **env)
    server.start()
    for text in ("GET /broken/view/%s HTTP/1.0\r\n\r\n", *UNREADABLE):
        asked = read(text.replace("%s", MADE_UP))
        raw(server.port, asked, shut=True)
        with (
            connect(server.port) as plain,
            files.trusting.wrap_socket(plain, server_hostname=VISITOR) as connection,
        ):
            connection.sendall(asked)
    server.stop(re.compile("Traceback"))
    told, _, log = server.log.read_text().partition("Booting worker")
    assert f"The score keeper is at https://{VISITOR}:{server.port}/" in told
    assert find_leaks(log, [VISITOR, MADE_UP]) == []
    assert "RuntimeError" in log
    assert " ms" not in log


def test_an_evening_leaves_no_name_link_or_pen_in_the_log(server: Server) -> None:
    """A table, taps, people with telephones, pens and tables handed on, a stream, and refusals."""
    port = server.port
    opened = send(port, "POST", "/api/tables", {"players": [NAME, *PLAYERS]}).json
    link, pen = opened["table"], opened["pen"]
    with connect(port) as watching:
        watching.sendall(f"GET /api/tables/{link}/live HTTP/1.0\r\n\r\n".encode())
        for name in (NAME, NUMBER):
            send(port, "POST", f"/api/tables/{link}/events", correction(1, name), pen)
        assert b" 200 OK" in watching.recv(65536)
    form = urlencode({"player": [NAME, *PLAYERS], "preset": "pagat"}, doseq=True)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    page = send(port, "POST", "/", form.encode(), **kind)
    table, mine = page.headers["Location"], {**kind, "Cookie": page.cookies}
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
    assert find_logged(server, [link, pen, NAME, NUMBER, *cookies, *told])[1] == []


# How it fails, the status, and what the log has: of a text that has its values in it already
# nothing is known to be none.
FAULTS = """
view | 500 | RuntimeError, KeyError, places.py
template | 500 | UndefinedError, places.py
database | 500 | OperationalError SQLITE_ERROR, places.py
stream | 200 | LookupError
header | 500 |
library | 200 | ArithmeticError, a person %s, a message of some.lib
greenlet | 200 | NotImplementedError
"""


@pytest.mark.parametrize(("how", "status", "told"), read_rows(FAULTS))
def test_of_a_fault_the_log_has_the_kind_and_the_place_and_no_value(
    observed: Server, how: str, status: str, told: str
) -> None:
    """The page of an error says so in words, and has the same id; so has JSON for a program."""
    for secret, below in ((NAME, ""), (NUMBER, ""), (MADE_UP, ""), (MADE_UP, "/api")):
        before = len(observed.log.read_text())
        path = f"{below}/broken/{how}/{secret}"
        answer = raw(observed.port, f"GET {path} HTTP/1.0\r\n\r\n".encode())
        log, leaks = find_logged(observed, [secret], before)
        assert (answer.split()[1].decode(), leaks) == (status, [])
        assert [each for each in told.split(", ") if each not in log] == []
        assert secret.encode() not in answer
        if "places.py" in told:
            [made] = re.findall(rb"X-Request-Id: (\w+)", answer)
            words = b'{"error":{"code":"internal","message":"'
            assert (words if below else b"felkoden om du h\xc3\xb6r av dig: " + made) in answer
            assert f"ERROR {made.decode()} failed\n" in log


def test_whoever_hangs_up_is_no_error(observed: Server) -> None:
    """A broken pipe is not logged."""
    before = len(observed.log.read_text())
    with connect(observed.port) as connection:
        connection.sendall(f"GET /broken/written/{MADE_UP} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        connection.recv(10)
    log, leaks = find_logged(observed, [MADE_UP], before)
    assert (leaks, UNWANTED.search(log)) == ([], None)
