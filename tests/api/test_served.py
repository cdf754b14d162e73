"""The API as it is really served: over the network, with a thread's little room."""

from tests.api.calling import PLAYERS
from tests.api.network import Answer, raw, send
from tests.browser.serving import Server

MEGABYTE = 1_000_000
LARGEST = 64 * 1024


def error(answer: Answer) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return answer.status, answer.json["error"]["code"]


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
