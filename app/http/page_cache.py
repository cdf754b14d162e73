"""A cache of dear pages: each is rendered once for a version of its table, whoever reads it.

Pages are kept apart by all that makes them differ: the address with what it asks for, the
language, the right to write, whether a part or the whole is wanted, the day, and on a phone what is
only there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import TypeVar

import msgspec
from flask import Flask, Response, current_app, make_response, request, session

from app.http import context
from app.http.version_cache import VersionCache
from app.services.evening import evening_of

MAX_PAGES, MAX_BYTES = 256, 16_000_000

R = TypeVar("R", str, Response)
# A page of a table: its arguments are those of its address.
View = Callable[..., R]


class CachedPage(msgspec.Struct, frozen=True):
    """An answer before it is compressed."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...]


def register(app: Flask) -> None:
    """Give the application a cache of its own."""
    app.extensions["pages"] = VersionCache[CachedPage](
        MAX_PAGES, MAX_BYTES, lambda page: len(page.body)
    )


def clear() -> None:
    """Forget every page: a table may be another now at the version it had."""
    register(current_app._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to the application itself


def cache_page(*query: str) -> Callable[[View[R]], Callable[..., Response]]:
    """Decorate a page of a table that shows the same to everybody with the same right to write.

    `query` are the names of what it reads of the address's query. It goes outside of a limit: a
    page that is cached costs nothing.
    """

    def decorate(view: View[R]) -> Callable[..., Response]:
        @wraps(view)
        def wrapper(**values: object) -> Response:
            # What this phone alone is told on its next page.
            if "_flashes" in session:
                return make_response(view(**values))
            cache: VersionCache[CachedPage] = current_app.extensions["pages"]
            version = context.access().seq

            def make() -> tuple[int, CachedPage]:
                return version, _freeze(make_response(view(**values)))

            return _thaw(cache.get(_audience(values, query), version, make)[1])

        return wrapper

    return decorate


def _audience(values: dict[str, object], query: tuple[str, ...]) -> object:
    """Everything but the table's version by which a page differs from another."""
    read_notice: Callable[[], object] = current_app.extensions.get("notice", lambda: None)
    return (
        request.endpoint,
        tuple(values.items()),
        tuple(request.args.get(name) for name in query),
        context.language().code,
        context.access().writes,
        context.wants_fragment(),
        evening_of(datetime.now(UTC)),
        read_notice(),
    )


def _freeze(response: Response) -> CachedPage:
    return CachedPage(response.status_code, response.get_data(), tuple(response.headers))


def _thaw(page: CachedPage) -> Response:
    response = make_response(page.body, page.status)
    response.headers.clear()
    response.headers.extend(page.headers)
    return response
