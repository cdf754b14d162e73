"""Keeping those who watch a table up to date: one message now, and one for each change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from http import HTTPStatus
from threading import Lock

from flask import Flask, Response, current_app
from werkzeug.exceptions import ServiceUnavailable

from app import tables
from app.current import store
from app.store import Store

QUIET_SECONDS = 15.0
MOST_WATCHERS = 2000
MOST_KEPT = 2000
RETRY_SECONDS = 5

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


def stream(link: str, audience: object, make: Callable[[], Message]) -> Response:
    """Answer with server-sent events: `make`'s message now, and again after each change.

    `audience` names those who get the same message, so that it is made once for all of them;
    `make` runs in an application context. Raises NotFound; too many watchers get 503.
    """
    table_id = tables.table_id(store(), link)
    if store().bell.watchers >= MOST_WATCHERS:
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to hand the application to another thread
    newest = app.extensions.setdefault("newest", Newest())

    def made() -> Message:
        with app.app_context():
            return make()

    lines = _lines(store(), table_id, lambda seq: newest.get((link, audience), seq, made))
    response = Response(lines, HTTPStatus.OK, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _lines(store: Store, table_id: int, get: Callable[[int], Message]) -> Iterator[str]:
    watch = store.bell.watch(table_id)
    try:
        yield f"retry: {RETRY_SECONDS * 200}\n\n"
        seq, text = get(_seq(store, table_id))
        while True:
            yield _event(seq, text)
            while not watch.later_than(seq, QUIET_SECONDS):
                yield ": still here\n\n"
            seq, text = get(watch.newest)
    finally:
        watch.close()


def _seq(store: Store, table_id: int) -> int:
    """The table's version, read after listening began, so that no change falls between."""
    try:
        return store.seq(table_id)
    finally:
        store.give_back()


def _event(seq: int, text: str) -> str:
    data = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"event: table\nid: {seq}\n{data}\n"
