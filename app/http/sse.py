"""Server-sent events: a table's present state, then its state after each change.

What is sent is rendered once for everybody who is to get the same. The thread of a request sends
the first message, and hands its connection over; where there is none to be had, as in Flask's
development server, it waits for changes itself (publish/subscribe).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

from app.http import context, errors, prefix, rate_limits, request_log
from app.http.context import pool
from app.http.deadlines import DeadlineSocket
from app.http.delivery import Delivery
from app.http.disconnects import DisconnectMonitor
from app.http.event_loop import EventLoop
from app.http.in_progress import RequestsInProgress
from app.http.streams import HEARTBEAT, HEARTBEAT_SECONDS, Broadcaster
from app.http.version_cache import VersionCache
from app.services import tables
from app.services.tables import NotFound
from app.store.availability import DatabaseUnavailable, DriverError
from app.store.changes import Subscription, TooManySubscribers
from app.store.database import Pool

# Each is a connection, of which gunicorn.conf.py has some for taps besides.
MAX_SUBSCRIBERS = 5000
# A club's phones behind one router. An address has 64 connections (app/http/connections.py), so
# that its taps always find room; whoever is turned away asks from time to time.
MAX_PER_ADDRESS = 48
# Messages, and their bytes: they are rendered anew for whoever comes late.
MAX_CACHED, MAX_BYTES = 2000, 16_000_000
# When whoever was turned away may try again, and when a browser whose stream broke off does.
RETRY_SECONDS = 5
RECONNECT_MS = 1000

Message = tuple[int, str]
# What names those who get the same message, which is rendered once for all of them, and how that
# is done within an application context.
Audience = tuple[object, Callable[[], Message]]
# A browser hears of no event without data.
GONE = b"event: gone\ndata: {}\n\n"


def register(app: Flask) -> None:
    """Let the application's answers be streams."""
    loop = EventLoop(request_log.log_error)
    app.extensions["messages"] = VersionCache[bytes](MAX_CACHED, MAX_BYTES, len)
    app.extensions["disconnects"] = DisconnectMonitor(loop)
    app.extensions["deliver"] = Delivery(loop)
    app.extensions["recording"] = recording = RequestsInProgress()
    app.extensions["broadcaster"] = Broadcaster(loop, recording, request_log.log_error)


def stream_page(
    name: str, render: Callable[[], Message], find_view: Callable[[int], object] = lambda _: None
) -> Response:
    """Stream a part of the table's page, rendered once for each language and right to write.

    `name` tells the pages of a table apart; `find_view` tells at a version of the table who of its
    readers are shown the same. Otherwise as `stream`.
    """
    code, may_write = context.language().code, context.bind_right_to_write()
    render_for = context.bind(render)

    def audience(seq: int) -> Audience:
        writes = may_write()
        view = None if writes else find_view(seq)
        return (name, code, writes, view), lambda: render_for(writes)

    return stream(context.link(), audience)


def stream(link: str, find_audience: Callable[[int], Audience]) -> Response:
    """Answer with server-sent events: the message for an audience now, and after each change.

    Before each message it is asked anew which audience that is, at that version of the table. The
    last event, `gone`, tells that the table has been deleted. Raises NotFound; too many subscribers
    get 503.
    """
    table_id = tables.read_table_id(pool(), link)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to hand the application to another thread
    cache: VersionCache[bytes] = app.extensions["messages"]
    path = context.prefix()

    def get(seq: int) -> tuple[int, bytes]:
        audience, render = find_audience(seq)

        def render_in_app() -> tuple[int, bytes]:
            with app.app_context():
                newest, text = render()
            return newest, prefix.put_before(path, _event(newest, text))

        # Its link may lead to another table once this one is deleted.
        return cache.get((table_id, path, audience), seq, render_in_app)

    subscription = _subscribe(table_id)
    body, close = _begin(subscription, _events(pool(), subscription, get))
    response = Response(body, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    # Also when nothing of it is ever sent, as for HEAD.
    response.call_on_close(close)
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


def _begin(
    subscription: Subscription, events: Iterator[bytes]
) -> tuple[Iterator[bytes], Callable[[], None]]:
    """The text that this request's thread is to send, and what is to be called after it."""
    connection = request.environ.get("gunicorn.socket")
    if not isinstance(connection, DeadlineSocket):
        return _wait(subscription, events), subscription.close
    broadcaster: Broadcaster = current_app.extensions["broadcaster"]
    chunked = request.environ["SERVER_PROTOCOL"] != "HTTP/1.0"

    def go_on(on_end: Callable[[], None]) -> None:
        broadcaster.begin(connection, subscription, events, on_end, chunked=chunked)

    def close() -> None:
        if not connection.successor:
            subscription.close()

    return _hand_over(connection, events, go_on), close


def _hand_over(
    connection: DeadlineSocket,
    events: Iterator[bytes],
    go_on: Callable[[Callable[[], None]], None],
) -> Iterator[bytes]:
    """What there is to say for now; all else is said by whoever gets the connection then."""
    for text in events:
        if not text:
            connection.hand_over(go_on)
            return
        yield text


def _wait(subscription: Subscription, events: Iterator[bytes]) -> Iterator[bytes]:
    """All there is to say, by a thread that waits for it."""
    woken = Event()
    subscription.wake = woken.set
    for text in events:
        if text:
            yield text
        elif woken.wait(HEARTBEAT_SECONDS):
            woken.clear()
        else:
            yield HEARTBEAT


def _events(
    pool: Pool, subscription: Subscription, get: Callable[[int], tuple[int, bytes]]
) -> Iterator[bytes]:
    """The text of the stream, an empty one when there is none for now, until the table is gone.

    Browsers connect again by themselves when it ends for another reason.
    """
    yield b"retry: %d\n\n" % RECONNECT_MS
    try:
        yield from _messages(pool, subscription, get)
    except NotFound:
        yield GONE
    except (DatabaseUnavailable, DriverError) as error:
        errors.log_unavailable(error)
    else:
        yield GONE


def _messages(
    pool: Pool, subscription: Subscription, get: Callable[[int], tuple[int, bytes]]
) -> Iterator[bytes]:
    """An event for each version of the table. Raises NotFound when it is gone."""
    seq, event = get(_current_seq(pool, subscription.table_id))
    yield event
    while not subscription.deleted:
        if subscription.newest > seq:
            seq, event = get(subscription.newest)
            yield event
        else:
            yield b""


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


def _event(seq: int, text: str) -> bytes:
    """A message as the event-stream format writes it, with the table's version as its id."""
    data = "".join(f"data: {line}\n" for line in text.rstrip("\n").split("\n"))
    return f"event: table\nid: {seq}\n{data}\n".encode()
