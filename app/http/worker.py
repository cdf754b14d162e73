"""gunicorn's worker of threads, with deadlines and with a bound on each address's connections.

A thread answers a request; its head is read by the main loop, so that a client who sends half of
it holds no thread. Why it is this server: docs/decisions/0006-gthread-with-deadlines.md.
"""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import Any

from gunicorn.http import errors as framing
from gunicorn.workers.gthread import ThreadWorker

from app.http import context, deadlines, tls
from app.http.address import network
from app.http.connections import (
    MAX_BUSY_PER_ADDRESS,
    MAX_PER_ADDRESS,
    MAX_WAITING,
    MAX_WAITING_PER_ADDRESS,
    ClientConnection,
    Peer,
    Stage,
)
from app.http.deadlines import DeadlineSocket
from app.http.in_progress import RequestsInProgress
from app.http.short_answers import short_answer, status_of
from app.store.availability import DatabaseUnavailable

# A line feed alone ends no head, but where one stands the parser has its reason to refuse it.
_HEAD_END = re.compile(rb"\r\n\r\n|(?<!\r)\n")
MAX_HEAD = 32 * 1024
CHUNK = 16 * 1024
# How long a connection waits for one of the same address to end, and a client that was answered
# may take to close its end; what it sends meanwhile is thrown away.
WAIT_SECONDS = 5.0
LINGER_SECONDS = 2.0
MAX_DISCARDED = 1024 * 1024


class DeadlineWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn publishes no types
    """Reads heads without a thread, and bounds what one client may hold and for how long."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - handed on
        super().__init__(*args, **kwargs)
        self.bounded = True
        self.peers: dict[str, Peer] = {}
        self.waiting = Stage(WAIT_SECONDS)
        self.reading = Stage(deadlines.SECONDS)
        self.idle = Stage(self.cfg.keepalive)
        self.lingering = Stage(LINGER_SECONDS)
        files = (self.cfg.certfile, self.cfg.keyfile)
        self.tls = tls.make_context(*files) if self.cfg.is_ssl else None
        self.recording = RequestsInProgress()

    def run(self) -> None:
        """Serve, with a bound on each address unless all connections come from one's own proxy."""
        config = self.wsgi.config
        self.bounded = config["LIMITS"] and not config["PROXIES"]
        self.recording = self.wsgi.extensions["recording"]
        with suppress(DatabaseUnavailable), self.wsgi.app_context():
            context.pool()  # What was being erased when the last server ended goes on at once.
        super().run()

    # What a connection goes through, all on the main loop.

    def accept(self, listener: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
        """Take a new connection: read from it, let it wait, or refuse it."""
        try:
            accepted, client = listener.accept()
            sock = self._bound_in_time(accepted)
        except OSError:  # It is gone already.
            return
        name = network(client[0] if client else "")
        peer = self.peers.setdefault(name, Peer(name))
        connection = ClientConnection(peer, self.cfg, sock, client, listener.getsockname())
        self.nr_conns += 1
        if self._has_room(peer):
            self._open(connection)
        elif len(peer.waiting) < MAX_WAITING_PER_ADDRESS and len(self.waiting) < MAX_WAITING:
            peer.waiting.append(connection)
            self.waiting.enter(connection)
        else:
            self._refuse(connection, HTTPStatus.SERVICE_UNAVAILABLE)

    def _bound_in_time(self, accepted: socket.socket) -> DeadlineSocket:
        """A connection with deadlines, by TLS where that is spoken. Raises OSError."""
        sock = DeadlineSocket(fileno=accepted.detach())
        return tls.secure(self.tls, sock) if self.tls else sock

    def _has_room(self, peer: Peer) -> bool:
        """Whether an address may open a connection, if need be for a quiet one that is closed."""
        if not self.bounded or len(peer.open) < MAX_PER_ADDRESS:
            return True
        quiet = peer.longest_quiet(self.lingering, self.idle, self.reading)
        if quiet:
            self._drop(quiet)
        return quiet is not None

    def _open(self, connection: ClientConnection) -> None:
        connection.peer.open.add(connection)
        self._watch(connection, self.reading)

    def _watch(self, connection: ClientConnection, stage: Stage) -> None:
        """Wait, in this stage, for what the client sends next."""
        connection.sock.setblocking(False)
        stage.enter(connection)
        read = partial(self._on_readable, connection)
        self.poller.register(connection.sock, selectors.EVENT_READ, read)

    def _on_readable(self, connection: ClientConnection, _: DeadlineSocket) -> None:
        if connection.stage is None:
            return  # Closed for another one by an event of the same turn.
        try:
            data = connection.sock.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._close(connection)
        elif connection.stage is self.lingering:
            self._discard(connection, len(data))
        else:
            self._read_head(connection, data)

    def _discard(self, connection: ClientConnection, size: int) -> None:
        connection.discarded += size
        if connection.discarded > MAX_DISCARDED:
            self._close(connection)

    def _read_head(self, connection: ClientConnection, data: bytes) -> None:
        """Add to the head of a request; when it is whole, let a thread answer it."""
        if connection.stage is not self.reading:
            self.reading.enter(connection)
        seen = max(0, len(connection.head) - 3)
        connection.head += data
        if _HEAD_END.search(connection.head, seen):
            self._dispatch(connection)
        elif len(connection.head) > MAX_HEAD:
            self._refuse(connection, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def _dispatch(self, connection: ClientConnection) -> None:
        self._unwatch(connection)
        connection.init()
        connection.records = not connection.head.startswith((b"GET ", b"HEAD "))
        connection.parser.unreader.unread(bytes(connection.head))
        connection.head.clear()
        connection.peer.ready.append(connection)
        self._start_ready(connection.peer)

    def _start_ready(self, peer: Peer) -> None:
        """Give threads to an address's requests, as many as it may have at once."""
        while peer.ready and not (self.bounded and len(peer.busy) >= MAX_BUSY_PER_ADDRESS):
            connection = peer.ready.popleft()
            peer.busy.add(connection)
            if connection.records:
                self.recording.begin()
            connection.sock.start_deadline()
            free = partial(self._free, connection)
            connection.sock.when_streaming(partial(self.method_queue.defer, free))
            self.enqueue_req(connection)

    def _free(self, connection: ClientConnection) -> None:
        """Let others of the address go on: a request is answered, or its answer is a stream."""
        connection.peer.busy.discard(connection)
        self._start_ready(connection.peer)

    def finish_request(self, connection: ClientConnection, answered: Future[bool]) -> None:
        """Wait for the connection's next request, or for its client to close it."""
        if connection.records:
            self.recording.end()
        self._free(connection)
        keep = not answered.cancelled() and not answered.exception() and answered.result()
        if connection.sock.fileno() < 0:
            self._close(connection)
        elif connection.sock.successor:
            self._hand_over(connection, connection.sock.successor)
        elif keep:
            self._watch(connection, self.idle)
            if ahead := connection.parser.unreader.take_buffered():
                self._read_head(connection, ahead)
            if connection.sock.buffered():
                self._on_readable(connection, connection.sock)
        else:
            self._linger(connection)
        self._admit(connection.peer)

    def _hand_over(
        self, connection: ClientConnection, successor: Callable[[Callable[[], None]], None]
    ) -> None:
        """Let a stream have the connection, which counts as open, until the stream ends."""
        connection.sock.setblocking(False)
        connection.parser = None
        successor(partial(self.method_queue.defer, self._linger, connection))

    def _linger(self, connection: ClientConnection) -> None:
        """Close our end, and wait for the client's to be closed, so that it reads the answer.

        Unless another of its address waits: that comes instead.
        """
        try:
            connection.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(connection)
        else:
            self._watch(connection, self.lingering)
            self._admit(connection.peer)

    def _refuse(self, connection: ClientConnection, status: HTTPStatus) -> None:
        """Close a connection with a short answer, if it can be sent at once."""
        with suppress(OSError):
            connection.sock.setblocking(False)
            connection.sock.send(short_answer(status))
            connection.sock.recv(CHUNK)
        self._close(connection)

    def _close(self, connection: ClientConnection) -> None:
        """Close a connection, and let the next of its address come."""
        self._drop(connection)
        self._admit(connection.peer)

    def _drop(self, connection: ClientConnection) -> None:
        self._unwatch(connection)
        connection.close()
        self.nr_conns -= 1
        peer = connection.peer
        peer.remove(connection)
        if not (peer.open or peer.waiting):
            del self.peers[peer.name]

    def _unwatch(self, connection: ClientConnection) -> None:
        if connection.stage:
            connection.stage.leave(connection)
        with suppress(KeyError, ValueError):
            self.poller.unregister(connection.sock)

    def _admit(self, peer: Peer) -> None:
        """Open the connections of an address that wait, as far as there is room."""
        while peer.waiting and self._has_room(peer):
            self._open(peer.waiting.popleft())

    def murder_keepalived(self, force: bool = False) -> None:
        """Close the connections whose time is over; gunicorn calls this at least each second."""
        if force:
            return  # The process ends.
        for connection in self.waiting.expired():
            self._refuse(connection, HTTPStatus.SERVICE_UNAVAILABLE)
        for connection in self.reading.expired():
            if connection.head:
                self._refuse(connection, HTTPStatus.REQUEST_TIMEOUT)
            elif not connection.has_data():  # What came while the machine was busy is read next.
                self._close(connection)
        for connection in chain(self.idle.expired(), self.lingering.expired()):
            self._close(connection)

    # What happens in a thread.

    def handle_request(self, request: Any, connection: ClientConnection) -> bool:  # noqa: ANN401 - gunicorn publishes no types
        """Answer a request, as its connection's last one where others wait for it to end.

        Or where so many connections are open that only those to be answered have room.
        """
        if connection.peer.waiting or self.nr_conns > self.max_keepalived:
            request.force_close()
        try:
            return bool(super().handle_request(request, connection))
        finally:
            connection.sock.end_answer()

    def _keepalive_after(self, connection: ClientConnection, keepalive: bool) -> bool:
        """Whether another request may follow: not where the rest of a body cannot be read."""
        try:
            return bool(super()._keepalive_after(connection, keepalive))
        except (OSError, framing.ParseException):
            return False

    def handle_error(self, _request: Any, client: Any, _address: Any, error: Exception) -> None:  # noqa: ANN401 - gunicorn publishes no types
        """Answer what could not be read, without repeating or logging any of it."""
        if not isinstance(error, framing.ParseException):
            self.log.error("Error handling request", exc_info=error)
        with suppress(OSError):
            client.sendall(short_answer(status_of(error)))
