"""Server-sent events: a table's present state, then its state after each change.

Each stream holds a thread, which waits for the table's changes (publish/subscribe) and sends what
was rendered once for everybody who is to get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from app.http import context, errors, rate_limits
from app.http.context import pool
from app.http.disconnects import DisconnectMonitor
from app.http.version_cache import VersionCache
from app.services import tables
from app.store.availability import DatabaseUnavailable, DriverError
from app.store.changes import Subscription, TooManySubscribers
from app.store.database import Pool

# A comment is sent after so long without an event, so that no proxy takes the stream for dead.
HEARTBEAT_SECONDS = 15.0
# Each holds one of the server's threads, see gunicorn.conf.py: the rest are for taps.
MAX_SUBSCRIBERS = 1100
# A club's phones behind one router. An address has 64 connections (app/http/connections.py), so
# that its taps always find room; whoever is turned away asks from time to time.
MAX_PER_ADDRESS = 48
MAX_CACHED = 2000
# When whoever was turned away may try again, and when a browser whose stream broke off does.
RETRY_SECONDS = 5
RECONNECT_MS = 1000

Message = tuple[int, str]


def register(app: Flask) -> None:
    """Let the application's answers be streams."""
    app.extensions["messages"] = VersionCache[str](MAX_CACHED)
    app.extensions["disconnects"] = DisconnectMonitor()


def stream_page(name: str, render: Callable[[], Message]) -> Response:
    """Stream a part of the table's page, rendered once for each language and right to write.

    `name` tells the pages of a table apart; otherwise as `stream`.
    """
    audience = (name, context.language().code, context.access().writes)
    return stream(context.link(), audience, context.bind(render))


def stream(link: str, audience: object, render: Callable[[], Message]) -> Response:
    """Answer with server-sent events: `render`'s message now, and again after each change.

    `audience` names those who get the same message, so that it is rendered once for all of them;
    `render` runs in an application context. Raises NotFound; too many subscribers get 503.
    """
    table_id = tables.read_table_id(pool(), link)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to hand the application to another thread
    cache: VersionCache[str] = app.extensions["messages"]

    def render_in_app() -> Message:
        with app.app_context():
            return render()

    def get(seq: int) -> Message:
        return cache.get((link, audience), seq, render_in_app)

    subscription = _subscribe(table_id)
    response = Response(_events(pool(), subscription, get), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    # Also when nothing of it is ever sent, as for HEAD.
    response.call_on_close(_watch_connection(app, subscription))
    return response


def _subscribe(table_id: int) -> Subscription:
    """Subscribe this request's address to a table's changes. Raises ServiceUnavailable."""
    limit_per_address = MAX_PER_ADDRESS if current_app.config["LIMITS"] else 0
    try:
        return pool().changes.subscribe(
            table_id, rate_limits.client_address(), MAX_SUBSCRIBERS, limit_per_address
        )
    except TooManySubscribers:
        raise ServiceUnavailable(retry_after=RETRY_SECONDS) from None


def _watch_connection(app: Flask, subscription: Subscription) -> Callable[[], None]:
    """End the subscription when the client disconnects; what is returned ends the watching."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return subscription.close
    monitor: DisconnectMonitor = app.extensions["disconnects"]
    monitor.watch(connection, subscription.end)

    def close() -> None:
        monitor.forget(connection)
        subscription.close()

    return close


def _events(pool: Pool, subscription: Subscription, get: Callable[[int], Message]) -> Iterator[str]:
    """The text of the stream, until the subscription ends; browsers connect again by themselves."""
    yield f"retry: {RECONNECT_MS}\n\n"
    try:
        yield from _messages(pool, subscription, get)
    except (DatabaseUnavailable, DriverError) as error:
        errors.log_unavailable(error)


def _messages(
    pool: Pool, subscription: Subscription, get: Callable[[int], Message]
) -> Iterator[str]:
    seq, text = get(_current_seq(pool, subscription.table_id))
    yield _event(seq, text)
    while not subscription.over:
        if subscription.wait_for_newer(seq, HEARTBEAT_SECONDS):
            seq, text = get(subscription.newest)
            yield _event(seq, text)
        elif not subscription.over:
            yield ": still here\n\n"


def _current_seq(pool: Pool, table_id: int) -> int:
    """The table's version, read after subscribing, so that no change falls between."""
    try:
        return tables.read_version(pool, table_id)
    finally:
        pool.release()


def _event(seq: int, text: str) -> str:
    """A message as the event-stream format writes it, with the table's version as its id."""
    data = "".join(f"data: {line}\n" for line in text.rstrip("\n").split("\n"))
    return f"event: table\nid: {seq}\n{data}\n"
