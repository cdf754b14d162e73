"""The request context: the database, the language, who asks, and the table that is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

from flask import Flask, current_app, g, request
from msgspec.structs import replace
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from app.http import phone_cookie
from app.i18n.language import CODES, DEFAULT, Language, get_language
from app.rules.currency import USUAL, Currency
from app.services import erasure, recovery, tables
from app.services.tables import Access
from app.store.availability import DatabaseUnavailable
from app.store.database import WAIT_SECONDS, Pool

if TYPE_CHECKING:
    from app.http.address import Address, Obstacle

T = TypeVar("T")

PAGES_OF_TABLES = "/t/"
# What a request's environment holds of the path in front of all addresses: app/http/prefix.py.
PREFIX = "chicago.prefix"

_opening = Lock()


def register(app: Flask) -> None:
    """Give each request a connection and its table, and return the connection to the pool."""
    app.teardown_appcontext(lambda _: _return_connection(app))
    app.context_processor(_template_values)


def pool() -> Pool:
    """The connection pool of this application, opened when it is first asked for.

    Raises DatabaseUnavailable.
    """
    extensions = current_app.extensions
    if "pool" not in extensions:
        _open_pool()
    return cast("Pool", extensions["pool"])


def _open_pool() -> None:
    """Open the database, if nobody does before us. Raises DatabaseUnavailable."""
    if not _opening.acquire(timeout=WAIT_SECONDS):
        message = "opening it takes too long"
        raise DatabaseUnavailable(message)
    try:
        if "pool" not in current_app.extensions:
            opened = Pool(current_app.config["DATABASE"])
            feed, servers = opened.changes, current_app.extensions
            feed.on_publish = servers.get("note_change", feed.on_publish)
            feed.deliver = servers.get("deliver", feed.deliver)
            opened.on_erased = servers.get("forget_pages", opened.on_erased)
            erasure.make_up(opened)
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
        browsers = request.headers.get("Accept-Language", "")
        choice = phone_cookie.language_choice() or _find_language(browsers) or DEFAULT
        language = g.language = get_language(choice)
    return language


@lru_cache(maxsize=256)
def _find_language(accepted: str) -> str | None:
    """That of our languages which a browser asks for first (Accept-Language), None for none."""
    return parse_accept_header(accepted, LanguageAccept).best_match(CODES)


def wants_fragment() -> bool:
    """Whether htmx asks for a part of a page; what it brings back from the history is whole."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def resolve_table() -> None:
    """Look up the table of this page, once for the whole request. Raises NotFound."""
    link = (request.view_args or {}).get("link")
    # What an address can be asked for is the same for every link.
    if request.method == "OPTIONS" or not request.path.startswith(PAGES_OF_TABLES):
        return
    if link is not None:
        g.link = link
        g.access = tables.read_access(pool(), link, phone_cookie.pen())


def has_table() -> bool:
    """Whether the page asked for belongs to a table."""
    return "access" in g


def link() -> str:
    """The link of this page's table."""
    return cast("str", g.link)


def access() -> Access:
    """This page's table as it was when the request came, and whether this browser writes at it."""
    return cast("Access", g.access)


def currency() -> Currency:
    """The currency of this page's table; of a page without one, that which is usual."""
    return access().currency if has_table() else USUAL


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


def prefix() -> str:
    """What stands before our addresses on the host that was asked for: `/chicago`, or nothing."""
    return cast("str", request.environ.get(PREFIX, ""))


def lacks_https() -> bool:
    """Whether a browser takes this page for one that anybody may have changed on its way.

    It then has no wake lock, no worker, no sharing and no clipboard. Its own machine it trusts.
    """
    config = current_app.config
    if config["PHONE"] or request.is_secure or config["URL"].startswith("https:"):
        return False
    from app.http.address import is_here

    return not is_here(re.sub(r":[0-9]*$", "", request.host).strip("[]"))


def shareable_url(path: str) -> str:
    """An address of ours as other phones reach it, also when asked for on the server's screen."""
    if current_app.config["PHONE"]:
        return f"{request.scheme}://{request.host}{path}"
    return f"{_public_address().url}{path}"


def obstacle() -> Obstacle:
    """What keeps other phones from opening an address of ours, if anything does."""
    return "" if current_app.config["PHONE"] else _public_address().obstacle


def _public_address() -> Address:
    """Where this server is for other phones: as configured, else as this request shows it."""
    from app.http.address import Address, find_address

    config = current_app.config
    if config["URL"]:
        return Address(config["URL"])
    listening = request.environ.get("SERVER_NAME", "")
    proxied = bool(config["PROXIES"])
    found = find_address(request.scheme, request.host, listening, behind_proxy=proxied)
    return found._replace(url=f"{found.url}{prefix()}")


def _template_values() -> dict[str, object]:
    """What every template of a table's page may use."""
    if not has_table():
        return {}
    return {
        "link": link(),
        "writes": access().writes,
        "lost": access().lost,
        "recovered": access().recovered,
        "erased": access().erased_seq,
        "currency": access().currency,
    }
