"""The log: a line for each request, with its id and route, where a fault is, and no secret ever.

That nothing else of an evening is in it, `tests/evenings` holds.
"""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app import create_app
from app.http.log import HEADER
from tests.api.network import REQUESTS, connect, log_since, new_table, raw, read, send
from tests.browser.serving import UNWANTED, Server
from tests.told import told

OURS = re.compile(r"[0-9a-f]{12}")
THEIRS = "8f14e45f-ceea-467f-a9d1-0242ac120002"
SECRETS = ("Quintilianus", "0701234567", "0Zx9_abcdefghijklmnopA")
# Whom the requests of the tests come from.
VISITOR = "127.0.0.1"


@told
def test_a_request_has_one_line_with_its_route_and_not_its_address(
    server: Server, method: str, path: str, logged: str
) -> None:
    """The line has the time, how long it took, and the answer's id, which the server makes.

    The page of an error shows the id: the words ask for it in a report.
    """
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


def find_leaks(log: str) -> list[str]:
    """Return the secrets in a part of the log."""
    return [secret for secret in (*SECRETS, VISITOR) if secret in log]


# Requests that no application ever sees, `%s` being any text, and odd ones that it does.
@pytest.mark.parametrize("text", [*REQUESTS["unreadable requests"], *REQUESTS["odd requests"]])
def test_requests_that_cannot_be_read_are_not_quoted(observed: Server, text: str) -> None:
    """The secret may stand anywhere in the request, and any layer may refuse it."""
    before = len(observed.log.read_text("utf-8"))
    for secret in SECRETS:
        answered = raw(observed.port, read(text.replace("%s", secret)), shut=True)
        assert re.match(rb"(HTTP/1\.[01] [2345]|$)", answered)
    assert find_leaks(log_since(observed, before)) == []


@told
def test_of_a_fault_the_log_has_the_kind_and_the_place_and_no_value(
    observed: Server, how: str, status: str, said: list[str]
) -> None:
    """The page of an error says so in words, and has the same id; so has JSON for a program.

    Of a text that has its values in it already nothing is known to be none.
    """
    for secret in SECRETS:
        for below, words in (("", "felkoden om du hör av dig: "), ("/api", '"code":"internal"')):
            before = len(observed.log.read_text("utf-8"))
            asked = f"GET {below}/broken/{how}/{secret} HTTP/1.0\r\n\r\n"
            answer = raw(observed.port, asked.encode()).decode()
            log = log_since(observed, before)
            assert (answer.split()[1], find_leaks(log)) == (status, [])
            assert [each for each in said if each not in log] == []
            assert secret not in answer
            if "places.py" in said:
                [made] = re.findall(r"X-Request-Id: (\w+)", answer)
                assert words in answer
                assert f"ERROR {made} failed\n" in log


def test_whoever_hangs_up_is_no_error(observed: Server) -> None:
    """A broken pipe is not logged."""
    before = len(observed.log.read_text("utf-8"))
    with connect(observed.port) as connection:
        path = f"/broken/written/{SECRETS[0]}"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        connection.recv(10)
    log = log_since(observed, before)
    assert (find_leaks(log), UNWANTED.search(log)) == ([], None)
