"""Streams of server-sent events: a table's versions, to whoever watches."""

from collections.abc import Callable, Iterator

from flask import Response, stream_with_context

from app.http import context
from app.http.context import db
from app.http.errors import log_unavailable
from app.http.limits import one_at_a_time
from app.services import access
from app.services.access import NotFound
from app.store.files import DatabaseUnavailable, DriverError

# A comment is sent after so long without a message, so that no server on the way gives it up.
HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b": still here\n\n"
# Hundreds of streams send one so large at once, of which none waits: others are served in between.
LARGE = 100_000
RECONNECT = b"retry: 1000\n\n"
# A browser hears of no event without data.
GONE = b"event: gone\ndata: {}\n\n"


def stream(render: Callable[[int], bytes], seen: int = 0) -> Response:
    """Answer with server-sent events: `render` of each version, the newest first.

    Of the version `seen`, which the page has brought, only the number is sent. The last event,
    `gone`, tells that the table has been deleted.
    """
    events = stream_with_context(_events(context.access().id, render, seen))
    response = Response(events, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _events(table_id: int, render: Callable[[int], bytes], seen: int) -> Iterator[bytes]:
    yield RECONNECT
    with db().changes.subscribe(table_id) as subscription:
        # Read after subscribing, so that no change falls between.
        seq = access.read_version(db(), table_id)
        sent = b""
        try:
            while seq:
                # A tap makes no difference to an evening.
                message = event(seq, "") if seq == seen else render(seq)
                if message != sent:
                    if len(message) > LARGE:
                        with one_at_a_time():
                            pass
                    yield message
                sent = message
                while (newest := subscription.wait(HEARTBEAT_SECONDS)) is None:
                    yield HEARTBEAT
                seq = newest
        except NotFound:
            pass
        except (DatabaseUnavailable, DriverError) as error:
            # Browsers connect again by themselves.
            log_unavailable(error)
            return
    yield GONE


def event(seq: int, text: str) -> bytes:
    """A message as the event-stream format writes it, with the table's version as its id."""
    data = "".join(f"data: {line}\n" for line in text.rstrip("\n").split("\n"))
    return f"event: table\nid: {seq}\n{data}\n".encode()
