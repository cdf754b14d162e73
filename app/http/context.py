"""The request context: the database, the language, who asks, and the table that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar, cast

from flask import Flask, current_app, g, request
from msgspec.structs import replace

from app.http import phone_cookie, request_log
from app.http.address import reachable_host
from app.i18n.language import CODES, DEFAULT, Language, get_language
from app.services import erasure_queue, recovery, tables
from app.services.tables import Access
from app.store.availability import DatabaseUnavailable
from app.store.background import AtOnce
from app.store.database import WAIT_SECONDS, Pool

T = TypeVar("T")

PAGES_OF_TABLES = "/t/"

_opening = Lock()


def register(app: Flask) -> None:
    """Give each request a connection and its table, and return the connection to the pool."""
    app.teardown_appcontext(lambda _: _return_connection(app))
    app.context_processor(_template_values)


def pool() -> Pool:
    """The connection pool of this application, opened when it is first asked for.

    Raises DatabaseUnavailable.
    """
    if "pool" not in current_app.extensions:
        _open_pool()
    return cast("Pool", current_app.extensions["pool"])


def _open_pool() -> None:
    """Open the database, if nobody does before us. Raises DatabaseUnavailable."""
    if not _opening.acquire(timeout=WAIT_SECONDS):
        message = "opening it takes too long"
        raise DatabaseUnavailable(message)
    try:
        if "pool" not in current_app.extensions:
            # A browser's Python has no threads.
            background = AtOnce() if current_app.config["PHONE"] else None
            opened = Pool(current_app.config["DATABASE"], background)
            opened.changes.on_publish = request_log.note_change
            erasure_queue.resume(opened)
            current_app.extensions["pool"] = opened
    finally:
        _opening.release()


def _return_connection(app: Flask) -> None:
    if "pool" in app.extensions:
        app.extensions["pool"].release()


def language() -> Language:
    """The language of this request: chosen on the phone, else the browser's, else Swedish."""
    language: Language | None = g.get("language")
    if language is None:
        browsers = request.accept_languages.best_match(CODES)
        choice = phone_cookie.language_choice() or browsers or DEFAULT
        language = g.language = get_language(choice)
    return language


def wants_fragment() -> bool:
    """Whether htmx asks for a part of a page; what it brings back from the history is whole."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def resolve_table() -> None:
    """Look up the table of this page, once for the whole request. Raises NotFound."""
    values = request.view_args or {}
    # What an address can be asked for is the same for every link.
    if request.method == "OPTIONS" or not request.path.startswith(PAGES_OF_TABLES):
        return
    if "link" in values:
        g.link = values["link"]
        g.access = tables.read_access(pool(), g.link, phone_cookie.pen())


def has_table() -> bool:
    """Whether the page asked for belongs to a table."""
    return "access" in g


def link() -> str:
    """The link of this page's table."""
    return cast("str", g.link)


def access() -> Access:
    """This page's table as it was when the request came, and whether this browser writes at it."""
    return cast("Access", g.access)


def bind(make: Callable[[], T]) -> Callable[[bool], T]:
    """Let `make` run when this request is over, in its language and for its table as it is then.

    What is returned takes whether that is for somebody who writes there; it raises NotFound when
    the table is gone.
    """
    this_language, this_link = language(), link()

    def run(writes: bool) -> T:
        g.language, g.link = this_language, this_link
        access = tables.read_access(pool(), this_link, None)
        # One page for all who write: a phone that got the pen by the link may be told of itself.
        recovered = writes and recovery.is_unseen(pool(), access)
        g.access = replace(access, writes=writes, recovered=recovered)
        return make()

    return run


def bind_right_to_write() -> Callable[[], bool]:
    """Whether this browser writes at this page's table, to be asked again after this request.

    What is returned raises NotFound when the table is gone. Whoever begins as a reader stays one.
    """
    this_pool, this_link, pen = pool(), link(), phone_cookie.pen()
    if not access().writes:
        return lambda: False

    def still_writes() -> bool:
        try:
            return tables.read_access(this_pool, this_link, pen).writes
        finally:
            this_pool.release()

    return still_writes


def shareable_url(path: str) -> str:
    """An address of ours that other phones reach, also when asked for on the server's screen."""
    host = request.host if current_app.config["PHONE"] else reachable_host(request.host)
    return f"{request.scheme}://{host}{path}"


def _template_values() -> dict[str, object]:
    """What every template of a table's page may use."""
    if not has_table():
        return {}
    return {
        "link": link(),
        "writes": access().writes,
        "recovered": access().recovered,
        "erased": access().erased_seq,
    }
