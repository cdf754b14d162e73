"""The log of the served program holds no secret, in any failure."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.api.calling import PLAYERS, correction
from tests.api.certificate import Files
from tests.api.leaks import MADE_UP, NAME, NUMBER, SECRETS, VISITOR, find_leaks, find_logged
from tests.api.network import REQUESTS, connect, raw, read, send
from tests.browser.serving import Server

# The path of a link that gives a pen, or tables.
GIVEN = re.compile(r"/(?:t/[\w-]+/(?:pen|recovery)|transfer|start)/[\w-]{43}")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
# Requests that no application ever sees, `%s` being any text, and odd ones that it does.
UNREADABLE, ODD = REQUESTS["unreadable requests"], REQUESTS["odd requests"]


def test_secrets_are_found_however_they_are_written() -> None:
    """A link by its form alone, a name as in an address, in JSON or in Python."""
    line = "2026-11-23 19:33:36,484 INFO dabcdf0e0ef4 GET /t/<link> 200 80.9 ms"
    assert find_leaks(line, SECRETS) == []
    for name in ("Åsa & Bo", MADE_UP):
        for written in (quote(name), json.dumps(name), repr(name.encode())):
            assert name in find_leaks(f"{line} {written}", [name])
    assert find_leaks(f"/t/x/pen/{MADE_UP}", []) == [MADE_UP]


@pytest.mark.parametrize("request_text", [*UNREADABLE, *ODD])
def test_requests_that_cannot_be_read_are_not_quoted(observed: Server, request_text: str) -> None:
    """The secret may stand anywhere in the request, and any layer may refuse it."""
    for secret in SECRETS:
        asked = read(request_text.replace("%s", secret))
        answered = raw(observed.port, asked, shut=True)
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
    for request_text in ("GET /broken/view/%s HTTP/1.0\r\n\r\n", *UNREADABLE):
        asked = read(request_text.replace("%s", MADE_UP))
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
    assert find_logged(server, [link, pen, NAME, NUMBER, *cookies, *told])[1] == []
