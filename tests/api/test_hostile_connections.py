"""Connections that are half open, slow, idle or too many: whoever else plays notices nothing."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from types import SimpleNamespace

import pytest
from app.http.deadlines import DeadlineSocket, TooSlow

from app.http import connections, deadlines
from tests.api.network import connect, read
from tests.browser.serving import Server

HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve with limits as at home."""
    factory = "tests.api.places:in_no_hurry()"
    server = Server(tmp_path_factory.mktemp("limited"), factory, CHICAGO_LIMITS="")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """Return what closes a test's connections when it is over."""
    with ExitStack() as stack:
        yield stack


def open_from(server: Server, opened: ExitStack, source: str, sent: bytes = b"") -> socket.socket:
    """Open a connection from an address, and begin to send."""
    connection = opened.enter_context(closing(connect(server.port, source)))
    connection.sendall(sent)
    return connection


def status(answer: bytes) -> int:
    """Return the status of an answer."""
    return int(answer.split()[1])


def test_an_address_holds_a_bounded_number_of_connections(
    limited: Server, opened: ExitStack
) -> None:
    """One more is refused at once, in a way a program understands; those before are answered."""
    most = connections.MAX_PER_ADDRESS + connections.MAX_WAITING_PER_ADDRESS
    held = [open_from(limited, opened, "127.0.0.10", HALF_A_HEAD) for _ in range(most)]
    answer = read(open_from(limited, opened, "127.0.0.10"))
    assert status(answer) == 503
    assert b"Retry-After: " in answer
    assert b"\r\nConnection: close" in answer
    held[0].sendall(b"\r\n\r\n")
    assert status(held[0].recv(65536)) == 200


def test_a_large_body_has_time_as_long_as_it_keeps_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every byte moves the deadline a little, and then it passes all the same."""
    monkeypatch.setattr(deadlines, "SECONDS", 10)
    monkeypatch.setattr(deadlines, "SLOWEST_BYTES_PER_SECOND", 1)
    now = [0.0]
    monkeypatch.setattr(deadlines, "time", SimpleNamespace(monotonic=lambda: now[0]))
    ours, theirs = socket.socketpair()
    with DeadlineSocket(fileno=ours.detach()) as reading, theirs:
        reading.start_deadline()
        theirs.sendall(b"xxx")
        reading.recv(3)
        now[0] = 12.0
        theirs.sendall(b"x")
        assert reading.recv(1) == b"x"
        now[0] = 14.0
        theirs.sendall(b"x")
        with pytest.raises(TooSlow):
            reading.recv(1)
