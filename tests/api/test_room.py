"""An address that has as many connections as it may: whoever waits comes when one of them ends."""

from __future__ import annotations

import select
import selectors
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from app.http import worker as server
from app.http.worker import DeadlineWorker
from tests.api.network import PATIENCE, connect

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

MOST = 2
ASK = b"GET / HTTP/1.0\r\n\r\n"


class Served:
    """A worker whose main loop goes on when it is told to; what it answers are streams."""

    def __init__(self, opened: ExitStack) -> None:
        self.ends: list[Callable[[], None]] = []
        self.stream = True
        # Of each request its method, and whether nobody else was to wait for it.
        self.asked: list[tuple[str, bool]] = []
        self._opened = opened
        self._listener = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        config = Config()
        self.worker = DeadlineWorker(1, 1, [], None, 0, config, Logger(config))
        self.worker.wsgi = self._answer
        self.worker.tpool = opened.enter_context(ThreadPoolExecutor(MOST))
        self.worker.poller = opened.enter_context(selectors.DefaultSelector())
        self.worker.method_queue.init()
        opened.callback(self.worker.method_queue.close)
        opened.callback(self.worker.tmp.close)
        fd, act = self.worker.method_queue.fileno(), self.worker.method_queue.run_callbacks
        self.worker.poller.register(fd, selectors.EVENT_READ, act)

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [])
        self.asked.append((environ["REQUEST_METHOD"], self.worker.recording.wait_for_none(0.0)))
        if self.stream:
            environ["gunicorn.socket"].hand_over(self.ends.append)
        return [b""]

    def open(self, sent: bytes = b"") -> socket.socket:
        """Open a connection."""
        phone = self._opened.enter_context(closing(connect(self._listener.getsockname()[1])))
        phone.sendall(sent)
        self.worker.accept(self._listener)
        return phone

    def until(self, done: Callable[[], bool]) -> None:
        """Let the main loop go on until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < deadline, "it is never so"
            self.worker.wait_for_and_dispatch_events(0.1)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Return a worker that leaves an address two connections, and closes at once what lingers."""
    monkeypatch.setattr(server, "MAX_PER_ADDRESS", MOST)
    monkeypatch.setattr(server, "LINGER_SECONDS", 0.0)
    with ExitStack() as opened:
        made = Served(opened)
        yield made
        for peer in list(made.worker.peers.values()):
            for connection in [*peer.open, *peer.waiting]:
                connection.close()


def test_a_stream_that_ends_makes_room_at_once(served: Served) -> None:
    """Its client need not have closed its end before."""
    for _ in range(MOST):
        served.open(ASK)
    served.until(lambda: len(served.ends) == MOST)
    for _ in range(MOST):
        served.open()
    assert len(served.worker.waiting) == MOST
    for end in served.ends:
        end()
    served.until(lambda: not served.worker.waiting)
    assert served.worker.nr_conns == MOST


def test_a_connection_that_made_room_is_closed_once(served: Served) -> None:
    """Though its time is over just then: it counts as one."""
    served.stream = False
    phones = [served.open(ASK) for _ in range(MOST)]
    served.until(lambda: len(served.worker.lingering) == MOST)
    [peer] = served.worker.peers.values()
    for phone in phones:
        phone.sendall(b"x")
    for connection in peer.open:
        assert select.select([connection.sock], [], [], PATIENCE)[0]
    for _ in range(MOST):
        served.open()
    assert len(served.worker.waiting) == MOST
    served.until(lambda: not any(connection.has_data() for connection in peer.open))
    served.worker.murder_keepalived()
    assert (served.worker.nr_conns, len(peer.open)) == (MOST, MOST)


def test_a_request_that_may_record_something_is_in_progress_until_it_is_answered(
    served: Served,
) -> None:
    """One that only reads is not: what readers are sent waits for those who record."""
    served.stream = False
    for asked, method in enumerate((b"GET", b"HEAD", b"POST", b"DELETE")):
        served.open(method + b" / HTTP/1.0\r\n\r\n")
        served.until(lambda: len(served.asked) > asked)  # noqa: B023  # it is called at once
        served.until(lambda: served.worker.recording.wait_for_none(0.0))
    assert served.asked == [("GET", True), ("HEAD", True), ("POST", False), ("DELETE", False)]
