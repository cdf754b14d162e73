"""Noticing at once that somebody who is being answered has gone.

A thread that waits for news of a table would notice only when it next has something to say, and
until then be missing elsewhere.
"""

from __future__ import annotations

import selectors
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from threading import Lock, Thread

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from app.http import rate_limits
from app.http.context import pool
from app.services import tables
from app.store.changes import Subscription, TooManySubscribers
from app.store.database import Pool


class DisconnectMonitor:
    """One thread that looks at all connections on which nothing more is expected to come."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._selector: selectors.BaseSelector | None = None

    def expect(self, connection: socket.socket, gone: Callable[[], None]) -> None:
        """Call `gone`, from another thread, when the other end closes the connection."""
        self._looking().register(connection, selectors.EVENT_READ, gone)

    def forget(self, connection: socket.socket) -> None:
        """Look at this connection no more."""
        with suppress(KeyError, ValueError):
            self._looking().unregister(connection)

    def _looking(self) -> selectors.BaseSelector:
        with self._lock:
            if self._selector is None:
                self._selector = selectors.DefaultSelector()
                Thread(
                    target=self._look, args=[self._selector], name="disconnects", daemon=True
                ).start()
            return self._selector

    def _look(self, selector: selectors.BaseSelector) -> None:
        while True:
            for key, _ in selector.select():
                # What is sent before the answer has ended says nothing about its end.
                self.forget(key.fileobj)  # type: ignore[arg-type]  # sockets are all that is looked at
                if _closed(key.fileobj):  # type: ignore[arg-type]  # as above
                    key.data()


def _closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


QUIET_SECONDS = 15.0
# Each holds one of the server's threads, see gunicorn.conf.py: the rest are for taps.
MAX_SUBSCRIBERS = 1100
# A club with thirty tables in one network; nobody else is shut out by one address.
MAX_PER_ADDRESS = 300
MAX_CACHED = 2000
RETRY_SECONDS = 5
RECONNECT_MS = 1000

Message = tuple[int, str]


class MessageCache:
    """The newest message for each audience of a table, made once however many subscribe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cached: OrderedDict[object, tuple[Lock, list[Message]]] = OrderedDict()

    def get(self, audience: object, seq: int, make: Callable[[], Message]) -> Message:
        """The message for version `seq` or a later one."""
        lock, cached = self._slot(audience)
        with lock:
            if not cached or cached[0][0] < seq:
                cached[:] = [make()]
            return cached[0]

    def _slot(self, audience: object) -> tuple[Lock, list[Message]]:
        with self._lock:
            slot = self._cached.setdefault(audience, (Lock(), []))
            self._cached.move_to_end(audience)
            if len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
            return slot


def register(app: Flask) -> None:
    """Let the application's answers be streams."""
    app.extensions["messages"] = MessageCache()
    app.extensions["disconnects"] = DisconnectMonitor()


def stream(link: str, audience: object, make: Callable[[], Message]) -> Response:
    """Answer with server-sent events: `make`'s message now, and again after each change.

    `audience` names those who get the same message, so that it is made once for all of them;
    `make` runs in an application context. Raises NotFound; too many watchers get 503.
    """
    table_id = tables.table_id(pool(), link)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to hand the application to another thread
    messages: MessageCache = app.extensions["messages"]

    def made() -> Message:
        with app.app_context():
            return make()

    subscription = _subscribe(table_id)
    lines = _lines(pool(), subscription, lambda seq: messages.get((link, audience), seq, made))
    response = Response(lines, HTTPStatus.OK, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    # Also when nothing of it is ever sent, as for HEAD.
    response.call_on_close(_on_disconnect(app, subscription))
    return response


def _subscribe(table_id: int) -> Subscription:
    limited = bool(current_app.config["LIMITS"])
    limit_per_address = MAX_PER_ADDRESS if limited else 0
    try:
        return pool().changes.subscribe(
            table_id, rate_limits.client_address(), MAX_SUBSCRIBERS, limit_per_address
        )
    except TooManySubscribers:
        raise ServiceUnavailable(retry_after=RETRY_SECONDS) from None


def _on_disconnect(app: Flask, subscription: Subscription) -> Callable[[], None]:
    """Listen until the connection is closed; what is returned ends it."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return subscription.close
    disconnects: DisconnectMonitor = app.extensions["disconnects"]
    disconnects.expect(connection, subscription.end)

    def close() -> None:
        disconnects.forget(connection)
        subscription.close()

    return close


def _lines(pool: Pool, subscription: Subscription, get: Callable[[int], Message]) -> Iterator[str]:
    yield f"retry: {RECONNECT_MS}\n\n"
    seq, text = get(_seq(pool, subscription.table_id))
    yield _event(seq, text)
    while not subscription.ended:
        if subscription.wait_for_newer(seq, QUIET_SECONDS):
            seq, text = get(subscription.newest)
            yield _event(seq, text)
        elif not subscription.ended:
            yield ": still here\n\n"


def _seq(pool: Pool, table_id: int) -> int:
    """The table's version, read after listening began, so that no change falls between."""
    try:
        return tables.version(pool, table_id)
    finally:
        pool.release()


def _event(seq: int, text: str) -> str:
    data = "".join(f"data: {line}\n" for line in text.rstrip("\n").split("\n"))
    return f"event: table\nid: {seq}\n{data}\n"
