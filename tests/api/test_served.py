"""The API as it is really served: over the network, with a thread's little room."""

import pytest

from tests.api.calling import NOBODY, PLAYERS
from tests.api.network import Answer, new_table, raw, send
from tests.browser.serving import Server

MEGABYTE = 1_000_000
LARGEST = 64 * 1024


@pytest.fixture
def path(server: Server) -> str:
    """Return the address of a new table."""
    link, _ = new_table(server.port)
    return f"/api/tables/{link}"


def error(answer: Answer) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return answer.status, answer.json["error"]["code"]


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 65_000,
        b"[" * 30_000 + b"]" * 30_000,
        b'{"players":' * 5_900,
        b'{"players": ["Anna", "Bo"], "rules": ' + b'{"hand_points":' * 4_000,
        b"[" * 99 + b"]" * 99,
        b"-" + b"9" * 65_000,
        b'"' + b"\\" * 65_000,
    ],
)
def test_no_body_brings_the_server_down(server: Server, body: bytes) -> None:
    """However deep it is nested and however long its numbers are."""
    assert error(send(server.port, "POST", "/api/tables", body)) == (400, "bad_request")


def test_a_body_of_a_megabyte_is_refused_and_the_next_call_served(server: Server) -> None:
    """413 as JSON."""
    assert error(send(server.port, "POST", "/api/tables", b"x" * MEGABYTE)) == (413, "too_large")
    assert send(server.port, "POST", "/api/tables", {"players": PLAYERS}).status == 201


def in_chunks(server: Server, body: bytes) -> bytes:
    """Open a table with a body whose length is not told, and return the whole answer."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    chunk = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    return raw(server.port, head + b"Transfer-Encoding: chunked\r\n\r\n", chunk)


def test_a_body_in_chunks_is_read_up_to_the_same_size(server: Server) -> None:
    """A program need not know beforehand how much it will send; 413 for more than 64 KiB."""
    small = b'{"players": ["Anna", "Bo"]}'
    for body in (small, small.ljust(LARGEST)):
        assert in_chunks(server, body).startswith(b"HTTP/1.1 201 ")
    too_large = in_chunks(server, small.ljust(LARGEST + 1))
    assert too_large.startswith(b"HTTP/1.1 413 ")
    assert b'"too_large"' in too_large


@pytest.mark.parametrize("index", ["9" * 3000, "%30", "0%00", "%F0%9F%83%8F"])
def test_no_address_brings_the_server_down(server: Server, path: str, index: str) -> None:
    """Whatever stands where a number belongs, the answer is JSON."""
    for address in (f"{path}/games/{index}", f"/api/tables/{index}"):
        line = f"GET {address} HTTP/1.0\r\n\r\n".encode()
        head, _, body = raw(server.port, line).partition(b"\r\n\r\n")
        assert head.split()[1] in (b"200", b"404")
        assert body.startswith(b"{")


def test_nothing_was_logged(server: Server, path: str) -> None:
    """Neither links nor pens nor stack traces are in the server's log."""
    link, pen = new_table(server.port)
    send(server.port, "POST", f"/api/tables/{link}/events", NOBODY, pen)
    send(server.port, "POST", f"/api/tables/{link}/events", b"\xff", pen)
    log = server.log.read_text()
    assert link not in log
    assert pen not in log
    assert path.rpartition("/")[2] not in log
    assert "Traceback" not in log
