"""Long work in a request: it is throttled, and ends when its client has disconnected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

from flask import current_app, request

from app.services.throttle import Throttle

if TYPE_CHECKING:
    from app.http.disconnects import DisconnectMonitor


@contextmanager
def throttle() -> Iterator[Throttle]:
    """A throttle for this request, which is cancelled when its client disconnects."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        yield Throttle()
        return
    monitor: DisconnectMonitor = current_app.extensions["disconnects"]
    disconnected = Event()
    monitor.watch(connection, disconnected.set)
    try:
        yield Throttle(disconnected.is_set)
    finally:
        monitor.forget(connection)
