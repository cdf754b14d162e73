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
from app.http.deadlines import DeadlineSocket
from app.http.disconnects import DisconnectMonitor
from app.http.version_cache import VersionCache
from app.services import tables
from app.services.tables import NotFound
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
# What names those who get the same message, which is rendered once for all of them, and how that
# is done within an application context.
Audience = tuple[object, Callable[[], Message]]
# A browser hears of no event without data.
GONE = "event: gone\ndata: {}\n\n"


def register(app: Flask) -> None:
    """Let the application's answers be streams."""
    app.extensions["messages"] = VersionCache[str](MAX_CACHED)
    app.extensions["disconnects"] = DisconnectMonitor()


def stream_page(name: str, render: Callable[[], Message]) -> Response:
    """Stream a part of the table's page, rendered once for each language and right to write.

    `name` tells the pages of a table apart; otherwise as `stream`.
    """
    code, may_write = context.language().code, context.bind_right_to_write()
    render_for = context.bind(render)

    def audience() -> Audience:
        writes = may_write()
        return (name, code, writes), lambda: render_for(writes)

    return stream(context.link(), audience)


def stream(link: str, find_audience: Callable[[], Audience]) -> Response:
    """Answer with server-sent events: the message for an audience now, and after each change.

    Before each message it is asked anew which audience that is. The last event, `gone`, tells that
    the table has been deleted. Raises NotFound; too many subscribers get 503.
    """
    table_id = tables.read_table_id(pool(), link)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to hand the application to another thread
    cache: VersionCache[str] = app.extensions["messages"]

    def get(seq: int) -> Message:
        audience, render = find_audience()

        def render_in_app() -> Message:
            with app.app_context():
                return render()

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
    if isinstance(connection, DeadlineSocket):
        connection.begin_stream()
    monitor: DisconnectMonitor = app.extensions["disconnects"]
    monitor.watch(connection, subscription.end)

    def close() -> None:
        monitor.forget(connection)
        subscription.close()

    return close


def _events(pool: Pool, subscription: Subscription, get: Callable[[int], Message]) -> Iterator[str]:
    """The text of the stream, until the subscription or the table ends.

    Browsers connect again by themselves when it ends for another reason.
    """
    yield f"retry: {RECONNECT_MS}\n\n"
    try:
        yield from _messages(pool, subscription, get)
    except NotFound:
        yield GONE
    except (DatabaseUnavailable, DriverError) as error:
        errors.log_unavailable(error)
    else:
        if subscription.deleted:
            yield GONE


def _messages(
    pool: Pool, subscription: Subscription, get: Callable[[int], Message]
) -> Iterator[str]:
    """An event for each version of the table, and comments. Raises NotFound when it is gone."""
    seq, text = get(_current_seq(pool, subscription.table_id))
    yield _event(seq, text)
    while not subscription.over:
        if subscription.wait_for_newer(seq, HEARTBEAT_SECONDS):
            seq, text = get(subscription.newest)
            yield _event(seq, text)
        elif not subscription.over:
            yield ": still here\n\n"


def _current_seq(pool: Pool, table_id: int) -> int:
    """The table's version, read after subscribing, so that no change falls between.

    Raises NotFound when it was deleted just before.
    """
    try:
        seq = tables.read_version(pool, table_id)
    finally:
        pool.release()
    if not seq:
        raise NotFound("no_such_table")
    return seq


def _event(seq: int, text: str) -> str:
    """A message as the event-stream format writes it, with the table's version as its id."""
    data = "".join(f"data: {line}\n" for line in text.rstrip("\n").split("\n"))
    return f"event: table\nid: {seq}\n{data}\n"
