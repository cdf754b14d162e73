"""A cache of pages: each is rendered, and compressed, once for a version of its table.

Whoever has that page already (ETag) is sent none.

Pages are kept apart by all that makes them differ: the address with what it asks for, the
language, the right to write, whether a part or the whole is wanted, the day, whether who writes is
to be told of a recovery, on a phone what is only there, where a page has a link for others the host
that it leads to, and whatever else a page says of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import msgspec
from flask import Flask, Response, current_app, make_response, request, session

from app.http import context
from app.http.concurrency import take_turn
from app.http.version_cache import VersionCache
from app.services.evening import this_evening

MAX_PAGES, MAX_BYTES = 256, 16_000_000

R = TypeVar("R", str, Response)
Differs = Callable[[], object]
# A page of a table: its arguments are those of its address.
View = Callable[..., R]


class CachedPage(msgspec.Struct, frozen=True):
    """An answer, and its body as it has been compressed so far, by encoding."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...]
    compressed: dict[str, bytes]


class CachedResponse(Response):
    """An answer that is sent as it was compressed before, while its body stays what it is."""

    compressed: dict[str, bytes]


def register(app: Flask) -> None:
    """Give the application a cache of its own, which an erasure empties."""
    # However many encodings there are, together they take no more than the body itself.
    app.extensions["pages"] = VersionCache[CachedPage](
        MAX_PAGES, MAX_BYTES, lambda page: 2 * len(page.body)
    )
    app.extensions["forget_pages"] = lambda: _forget(app)


def clear() -> None:
    """Forget every page: a table may be another now at the version it had."""
    current_app.extensions["forget_pages"]()


def _forget(app: Flask) -> None:
    """Empty what is cached of tables, parts of pages and what streams send as well."""
    for cache in app.extensions.values():
        if isinstance(cache, VersionCache):
            cache.clear()


def cache_page(
    *query: str, has_link: bool = False, differs: Differs = lambda: None
) -> Callable[[View[R]], Callable[..., Response]]:
    """Decorate a page of a table that shows the same to everybody with the same right to write.

    `query` are the names of what it reads of the address's query, `has_link` is whether it shows
    an address to be sent to others, which is worked out of the host that was asked for, and
    `differs` tells by what else it differs. A page that is not cached is made in its client's turn:
    others wait for it while it is made, but not while its maker stands in line.
    """

    def decorate(view: View[R]) -> Callable[..., Response]:
        @wraps(view)
        def wrapper(**values: object) -> Response:
            # What this phone alone is told on its next page.
            if "_flashes" in session:
                with take_turn():
                    return make_response(view(**values))
            cache: VersionCache[CachedPage] = current_app.extensions["pages"]
            version = context.access().seq

            def make() -> tuple[int, CachedPage]:
                return version, _freeze(make_response(view(**values)))

            address = context.shareable_url("") if has_link else ""
            audience = (address, differs(), _audience(values, query))
            if found := cache.find(audience, version):
                return _thaw(found[1])
            with take_turn():
                return _thaw(cache.get(audience, version, make)[1])

        return wrapper

    return decorate


def _audience(values: dict[str, object], query: tuple[str, ...]) -> object:
    """Everything but the table's version by which a page differs from another."""
    read_notice: Callable[[], object] = current_app.extensions.get("notice", lambda: None)
    access = context.access()
    return (
        request.endpoint,
        # A link may lead to another table once this one is deleted; its key is never given again.
        access.id,
        tuple(values.items()),
        tuple(request.args.get(name) for name in query),
        context.language().code,
        access.writes,
        access.recovered,
        context.wants_fragment(),
        this_evening(),
        read_notice(),
    )


def _freeze(response: Response) -> CachedPage:
    # Of all that it shows. Weak, as it is compressed.
    response.add_etag(weak=True)
    return CachedPage(response.status_code, response.get_data(), tuple(response.headers), {})


def _thaw(page: CachedPage) -> Response:
    response = CachedResponse(page.body, page.status, list(page.headers))
    # Below a path, its addresses are not yet what they are sent as: app/http/prefix.py.
    response.compressed = {} if context.prefix() else page.compressed
    if "If-None-Match" in request.headers:
        response.make_conditional(request)
    return response
