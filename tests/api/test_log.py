"""The log has one line for each request, with its id and its route, and without secrets."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app import create_app
from app.http.log import HEADER
from tests.api.network import new_table, send
from tests.browser.serving import Server

OURS = re.compile(r"[0-9a-f]{12}")
THEIRS = "8f14e45f-ceea-467f-a9d1-0242ac120002"


@pytest.mark.parametrize(
    ("request_line", "logged"),
    [
        ("GET /t/LINK", "GET /t/<link> 200"),
        ("HEAD /t/LINK", "HEAD /t/<link> 200"),
        ("GET /t/LINK/nowhere", "GET - 404"),
        ("DELETE /t/LINK", "DELETE - 405"),
        ("OPTIONS /", "OPTIONS / 200"),
        ("GET /t/aaaaaaaaaaaaaaaaaaaaaA", "GET /t/<link> 404"),
        ("POST /t/LINK/events", "POST /t/<link>/events 401"),
        ("GET /api/tables/LINK/games/7", "GET /api/tables/<link>/games/<int:number> 404"),
        ("GET /static/app.css?LINK", "GET /static/<path:filename> 200"),
        # An unusual method is not quoted either.
        ("PROPFIND /", "other - 405"),
    ],
)
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
    for sent in (THEIRS, "0" * 64):
        assert behind.test_client().get("/", headers={HEADER: sent}).headers[HEADER] == sent
    for sent in ("0Zx9_abcdefghijklmnopA", "0701234567", "Quintilianus-Augusta", "0" * 65, ""):
        answer = behind.test_client().get("/", headers={HEADER: sent})
        assert OURS.fullmatch(answer.headers[HEADER])
    behind.close()
