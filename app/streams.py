"""Keeping those who watch a table up to date: one message now, and one for each change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from http import HTTPStatus
from threading import Lock

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from app import limits, tables
from app.current import store
from app.hangups import Hangups
from app.live import TooMany, Watch
from app.store import Store

QUIET_SECONDS = 15.0
# Each holds one of the server's threads, see gunicorn.conf.py: the rest are for taps.
MOST_WATCHERS = 1100
# A club with thirty tables in one network; nobody else is shut out by one address.
MOST_FROM_ONE_ADDRESS = 300
MOST_KEPT = 2000
RETRY_SECONDS = 5
RECONNECT_MS = 1000

Message = tuple[int, str]


class Newest:
    """The newest message for each audience of a table, made once however many watch."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[object, tuple[Lock, list[Message]]] = OrderedDict()

    def get(self, audience: object, seq: int, make: Callable[[], Message]) -> Message:
        """The message for version `seq` or a later one."""
        lock, kept = self._slot(audience)
        with lock:
            if not kept or kept[0][0] < seq:
                kept[:] = [make()]
            return kept[0]

    def _slot(self, audience: object) -> tuple[Lock, list[Message]]:
        with self._lock:
            slot = self._kept.setdefault(audience, (Lock(), []))
            self._kept.move_to_end(audience)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return slot


def register(app: Flask) -> None:
    """Let the application's answers be streams."""
    app.extensions["newest"] = Newest()
    app.extensions["hangups"] = Hangups()


def stream(link: str, audience: object, make: Callable[[], Message]) -> Response:
    """Answer with server-sent events: `make`'s message now, and again after each change.

    `audience` names those who get the same message, so that it is made once for all of them;
    `make` runs in an application context. Raises NotFound; too many watchers get 503.
    """
    table_id = tables.table_id(store(), link)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to hand the application to another thread
    newest: Newest = app.extensions["newest"]

    def made() -> Message:
        with app.app_context():
            return make()

    watch = _watch(table_id)
    lines = _lines(store(), watch, lambda seq: newest.get((link, audience), seq, made))
    response = Response(lines, HTTPStatus.OK, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    # Also when nothing of it is ever sent, as for HEAD.
    response.call_on_close(_until_gone(app, watch))
    return response


def _watch(table_id: int) -> Watch:
    limited = bool(current_app.config["LIMITS"])
    most_here = MOST_FROM_ONE_ADDRESS if limited else 0
    try:
        return store().bell.watch(table_id, limits.address(), MOST_WATCHERS, most_here)
    except TooMany:
        raise ServiceUnavailable(retry_after=RETRY_SECONDS) from None


def _until_gone(app: Flask, watch: Watch) -> Callable[[], None]:
    """Listen until the connection is closed; what is returned ends it."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return watch.close
    hangups: Hangups = app.extensions["hangups"]
    hangups.expect(connection, watch.end)

    def close() -> None:
        hangups.forget(connection)
        watch.close()

    return close


def _lines(store: Store, watch: Watch, get: Callable[[int], Message]) -> Iterator[str]:
    yield f"retry: {RECONNECT_MS}\n\n"
    seq, text = get(_seq(store, watch.table_id))
    yield _event(seq, text)
    while not watch.ended:
        if watch.later_than(seq, QUIET_SECONDS):
            seq, text = get(watch.newest)
            yield _event(seq, text)
        elif not watch.ended:
            yield ": still here\n\n"


def _seq(store: Store, table_id: int) -> int:
    """The table's version, read after listening began, so that no change falls between."""
    try:
        return store.seq(table_id)
    finally:
        store.give_back()


def _event(seq: int, text: str) -> str:
    data = "".join(f"data: {line}\n" for line in text.rstrip("\n").split("\n"))
    return f"event: table\nid: {seq}\n{data}\n"
