"""The cache of rendered versions: a version of a table never changes, so it is rendered once.

Versions are kept apart by all that makes them differ: the table and its version, the language, the
right to write, the path in front of our addresses, and whatever else a page says of itself.
"""

import hashlib
import secrets
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import wraps
from http import HTTPStatus
from typing import TypeVar

import msgspec
from flask import Response, current_app, g, make_response, request, session, stream_with_context

from app.http import context, cookies
from app.http.application import application
from app.http.context import db
from app.http.errors import log_unavailable
from app.http.limits import one_at_a_time
from app.services import tables
from app.services.tables import NotFound
from app.store.clock import this_evening
from app.store.connection import DatabaseUnavailable, DriverError

T = TypeVar("T")
R = TypeVar("R", str, Response)
# A page of a table: its arguments are those of its address.
View = Callable[..., R]
# Pages of another release, or from before a restart, are others.
_RELEASE = secrets.token_hex(4)


class _Page(msgspec.Struct, frozen=True):
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def __sizeof__(self) -> int:
        return len(self.body) + 1000


def memoize(make: Callable[[], T], *audience: Hashable, of_ledger: bool = False) -> T:
    """Return what `make` returns, called once for this page's version and audience."""
    return memoize_by_key(_key(audience, of_ledger=of_ledger), make)


def memoize_by_key(key: str, make: Callable[[], T]) -> T:
    """Return what `make` returns, called once for a key."""
    cache = application().rendered
    found: T | None = cache.get(key)
    if found is None:
        found = make()
        with suppress(ValueError):  # It is larger than the whole cache.
            cache[key] = found
    return found


def drop_pages() -> None:
    """Drop all pages of this page's table, of which something was erased."""
    cache = application().rendered
    for key in [*cache]:
        if key.endswith(f"-{context.access().id}"):
            del cache[key]


def _key(audience: tuple[Hashable, ...], *, of_ledger: bool) -> str:
    """The key of this page's version for an audience, however long that is; its ETag too."""
    access = context.access()
    rights = access.writes, access.recovered
    seq = access.ledger_seq if of_ledger else access.seq
    version = access.id, seq, context.language().code, context.prefix(), rights
    return (
        hashlib.sha256(f"{_RELEASE}{version}{audience}".encode()).hexdigest()[:32] + f"-{access.id}"
    )


def cache_page(
    *query: str,
    has_link: bool = False,
    queued: bool = True,
    of_ledger: bool = False,
    vary_on: Callable[[], Hashable] = lambda: None,
) -> Callable[[View[R]], Callable[..., Response]]:
    """Decorate a page of a table that shows the same to everybody with the same right to write.

    `query` are the names of the query parameters that it reads, `has_link` is whether it shows
    an address to be sent to others, which is worked out of the host that was asked for, and
    `vary_on` tells by what else it differs, of a few. One `of_ledger` is the same until a game
    ends, or money, people or names change. Whoever has it already (ETag) is sent none. One that is
    `queued` is made in turn. What anybody can make up, a query or a host, is kept out of the
    cache: such a page is made for who asked for it.
    """

    def decorate(view: View[R]) -> Callable[..., Response]:
        @wraps(view)
        def wrapper(**values: Hashable) -> Response:
            # A message is for this phone alone.
            if "_flashes" in session:
                return make_response(view(**values))
            asked = tuple(request.args.get(name) for name in query)
            # A preview is told where its picture is, where the page takes no time.
            shows_address = has_link or (not queued and cookies.is_stranger())
            address = context.shareable_url("") if shows_address else ""
            audience = (*_audience(), *values.values(), asked, address, vary_on())
            key = _key(audience, of_ledger=of_ledger)
            made_up = any(asked) or (shows_address and not current_app.config["URL"])
            g.for_all = not made_up
            turn = one_at_a_time if queued else nullcontext
            return _answer(key, made_up, turn, lambda: make_response(view(**values)))

        return wrapper

    return decorate


def _audience() -> tuple[Hashable, ...]:
    """The parts of a request by which any page differs from another."""
    banner = application().read_banner()
    return request.endpoint, context.wants_fragment(), this_evening(), banner, cookies.is_stranger()


def _answer(
    key: str,
    made_up: bool,
    turn: Callable[[], AbstractContextManager[None]],
    make: Callable[[], Response],
) -> Response:
    """The page, rendered only for clients that do not have it."""
    if request.if_none_match.contains_weak(key):
        response = Response(status=HTTPStatus.NOT_MODIFIED)
    elif made_up:
        with turn():
            response = make()
    else:
        page: _Page | None = application().rendered.get(key)
        if page is None:
            with turn():
                # Somebody else may have made it meanwhile.
                page = memoize_by_key(key, lambda: _freeze(make()))
        response = Response(page.body, page.status, list(page.headers))
        g.rendered = key
    response.set_etag(key, weak=True)
    return response


def _freeze(response: Response) -> _Page:
    return _Page(response.status_code, tuple(response.headers), response.get_data())


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
        seq = tables.read_version(db(), table_id)
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
