"""Server-sent events: a table's present state, then its state after each change.

A stream waits for its table's next version; what it sends is rendered once for everybody who is to
get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Response, stream_with_context

from app.http.context import db
from app.http.errors import log_unavailable
from app.services import tables
from app.services.tables import NotFound
from app.store.availability import DatabaseUnavailable, DriverError

# A comment is sent after so long without a message, so that no server on the way gives it up.
HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b": still here\n\n"
RECONNECT = b"retry: 1000\n\n"
# A browser hears of no event without data.
GONE = b"event: gone\ndata: {}\n\n"


def stream(link: str, render: Callable[[int], bytes]) -> Response:
    """Answer with server-sent events: what `render` makes of each version, the newest first.

    The last event, `gone`, tells that the table has been deleted. Raises NotFound.
    """
    table_id = tables.find_access(db().connection, link, None).id
    events = stream_with_context(_events(table_id, render))
    response = Response(events, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _events(table_id: int, render: Callable[[int], bytes]) -> Iterator[bytes]:
    yield RECONNECT
    with db().changes.subscribe(table_id) as subscription:
        # Read after subscribing, so that no change falls between.
        seq = tables.read_version(db(), table_id)
        try:
            while seq:
                yield render(seq)
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
