"""A stream whose connection was handed over: it holds no thread, and holds up nobody."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from app.http.deadlines import DeadlineSocket
from flask import Flask

from app.http import streams
from app.services import tables
from tests.api.calling import NOBODY, Table


class Handed:
    """A phone's end of a stream, of which the server has sent what comes first."""

    def __init__(self, table: Table, **environ: object) -> None:
        ours, self.phone = socket.socketpair()
        self.ended = threading.Event()
        self.connection = DeadlineSocket(fileno=ours.detach())
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        environ = {"SERVER_PROTOCOL": "HTTP/1.1", "gunicorn.socket": self.connection, **environ}
        with table.read("/live", environ_overrides=environ) as answer:
            self.first = b"".join(answer.iter_encoded())
        self.connection.setblocking(False)
        assert self.connection.successor
        self.connection.successor(self.ended.set)

    def until(self, mark: bytes) -> bytes:
        """Read until something stands there."""
        text = b""
        while mark not in text:
            data = self.phone.recv(65536)
            assert data, text
            text += data
        return text

    def close(self) -> None:
        """Close both ends."""
        self.phone.close()
        self.ended.wait()
        self.connection.close()


@pytest.fixture
def app(alone: Flask) -> Flask:
    """Return an application at which nobody else listens."""
    return alone


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables not rest."""
    monkeypatch.setattr(streams, "REST_SECONDS", 0.0)


@contextmanager
def handed_over(table: Table, **environ: object) -> Iterator[Handed]:
    """Watch a table as a server's worker lets somebody, and hang up."""
    handed = Handed(table, **environ)
    try:
        yield handed
    finally:
        handed.close()


def watchers(app: Flask) -> int:
    """Return how many listen."""
    return int(app.extensions["pool"].changes.subscribers)


def test_a_thread_sends_what_comes_first_and_is_free(app: Flask, table: Table) -> None:
    """The present state; the changes follow on the same connection, in chunks."""
    with handed_over(table) as handed:
        assert handed.first.startswith(b"retry: ")
        assert b"event: table\nid: 1\n" in handed.first
        assert watchers(app) == 1
        table.record(NOBODY)
        size, _, text = handed.until(b"}\n\n\r\n").partition(b"\r\n")
        assert text.startswith(b"event: table\nid: 2\n")
        assert int(size, 16) == len(text) - len(b"\r\n")


@pytest.fixture
def keeper() -> Iterator[DeadlineSocket]:
    """Return the connection on which a change comes in."""
    ours, theirs = socket.socketpair()
    with DeadlineSocket(fileno=ours.detach()) as connection, theirs:
        yield connection


def record(table: Table, keeper: DeadlineSocket) -> None:
    """Make a change on a connection; it is not answered yet."""
    environ = {"gunicorn.socket": keeper}
    assert table.record(NOBODY, environ_overrides=environ).status_code == 201


@pytest.fixture
def told(app: Flask, table: Table) -> list[int]:
    """Return the versions that somebody who watches has been told of."""
    pool, told = app.extensions["pool"], list[int]()
    with app.app_context():
        watch = pool.changes.subscribe(tables.read_table_id(pool, table.link))
    watch.wake = lambda: told.append(watch.newest)
    return told


def test_who_made_a_change_is_answered_first(
    table: Table, keeper: DeadlineSocket, told: list[int]
) -> None:
    """Then those who watch are told."""
    record(table, keeper)
    assert told == []
    keeper.end_answer()
    assert told == [2]
