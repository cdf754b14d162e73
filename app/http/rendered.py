"""The cache of rendered versions: a version of a table never changes, so it is rendered once.

Versions are kept apart by all that makes them differ: the table and its version, the language, the
right to write, the path in front of our addresses, and whatever else a page says of itself.
"""

import hashlib
import secrets
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import wraps
from http import HTTPStatus
from typing import TypeVar

import msgspec
from flask import Flask, Response, current_app, g, make_response, request, session

from app.http import context, cookies
from app.http.application import application
from app.http.limits import one_at_a_time
from app.store.clock import this_evening

Result = TypeVar("Result")
# A page of a table: its arguments are those of its address.
View = Callable[..., str | Response]
# Pages of another release, or from before a restart, are others.
_RELEASE = secrets.token_hex(4)


class _Page(msgspec.Struct, frozen=True):
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def __sizeof__(self) -> int:
        return len(self.body) + 1000


def memoize(make: Callable[[], Result], *audience: Hashable, of_ledger: bool = False) -> Result:
    """Return what `make` returns, called once for this page's version and audience."""
    return memoize_by_key(_key(audience, of_ledger=of_ledger), make)


def memoize_by_key(key: str, make: Callable[[], Result]) -> Result:
    """Return what `make` returns, called once for a key."""
    cache = application().rendered
    found: Result | None = cache.get(key)
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
) -> Callable[[View], Callable[..., Response]]:
    """Decorate a page of a table that shows the same to everybody with the same right to write.

    `query` are the names of the query parameters that it reads, `has_link` is whether it shows
    an address to be sent to others, which is worked out of the host that was asked for, and
    `vary_on` tells by what else it differs, of a few. One `of_ledger` is the same until a game
    ends, or money, people or names change. Whoever has it already (ETag) is sent none. One that is
    `queued` is made in turn. What anybody can make up, a query or a host, is kept out of the
    cache: such a page is made for who asked for it.
    """

    def decorate(view: View) -> Callable[..., Response]:
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


class _CompressedBodies:
    """The bodies of cached pages as they were compressed, by encoding (CacheBackend)."""

    def get(self, key: str) -> bytes | None:
        """The body in an encoding, None where nobody has asked for that yet."""
        body: bytes | None = application().rendered.get(key)
        return body

    def set(self, key: str, value: bytes) -> None:
        """Cache the body in an encoding."""
        if g.get("rendered"):
            application().rendered[key] = value


def register_compression(app: Flask) -> None:
    """Compress what the application answers, and a cached page once for all."""
    # A phone that answers by itself does without.
    from flask_compress import Compress

    # Of a tap brotli makes 250 bytes less than zstd in 60 µs more.
    app.config["COMPRESS_ALGORITHM"] = ["br", "zstd", "gzip", "deflate"]
    app.config["COMPRESS_BR_LEVEL"], app.config["COMPRESS_LEVEL"] = 5, 9
    app.config["COMPRESS_STREAMS"] = app.config["COMPRESS_REGISTER"] = False
    app.config["COMPRESS_EVALUATE_CONDITIONAL_REQUEST"] = False
    app.config["COMPRESS_CACHE_BACKEND"] = _CompressedBodies
    app.config["COMPRESS_CACHE_KEY"] = lambda _: g.get("rendered", "")
    compression = Compress(app)

    def compress_any(response: Response) -> Response:
        # The library leaves refusals alone, but they carry the table.
        status = response.status_code
        response.status_code = HTTPStatus.OK if status >= HTTPStatus.BAD_REQUEST else status
        response = compression.after_request(response)
        response.status_code = status if status >= HTTPStatus.BAD_REQUEST else response.status_code
        return response

    app.after_request(compress_any)
