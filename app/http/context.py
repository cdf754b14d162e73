"""What the request at hand works with: the database, and what this phone carries in its cookie."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from flask import Flask, current_app, g, request, session

from app.i18n.language import CODES, DEFAULT, Language, get_language
from app.services import idempotency, tables
from app.services.idempotency import IdempotentRequest
from app.services.tables import Access, Write, hash_secret, new_pen
from app.store.database import Pool

T = TypeVar("T")

_opening = Lock()


def register(app: Flask) -> None:
    """Let each request use a connection of the pool, and return it when the request is over."""
    app.teardown_appcontext(lambda _: _release(app))


def pool() -> Pool:
    """The database of this application, opened when it is first asked for."""
    with _opening:
        if "pool" not in current_app.extensions:
            current_app.extensions["pool"] = Pool(current_app.config["DATABASE"])
    kept: Pool = current_app.extensions["pool"]
    return kept


def pen() -> str | None:
    """The secret this browser writes with, None for one that has only read."""
    secret = session.get("pen")
    return secret if isinstance(secret, str) else None


def _release(app: Flask) -> None:
    if "pool" in app.extensions:
        app.extensions["pool"].release()


MAX_TABLES = 12


def take_pen() -> str:
    """This phone's secret, made now if it has none yet."""
    secret = pen() or new_pen()
    session["pen"] = secret
    session.permanent = True
    return secret


def remember_table(link: str) -> None:
    """Keep a table's link on this phone, the newest first."""
    links = [link, *(other for other in seen_tables() if other != link)]
    session["tables"] = links[:MAX_TABLES]
    session.permanent = True


def forget_table(link: str) -> None:
    """Let go of a table's link on this phone."""
    session["tables"] = [other for other in seen_tables() if other != link]


def seen_tables() -> list[str]:
    """The links of the tables this phone has opened, newest first."""
    links = session.get("tables")
    return links if isinstance(links, list) else []


def choose_language(code: str) -> None:
    """Speak this language on this phone from now on."""
    if code in CODES:
        session["lang"] = code
        session.permanent = True


def language() -> Language:
    """The language of this request: chosen on the phone, else the browser's, else Swedish."""
    if "language" not in g:
        chosen = session.get("lang") or request.accept_languages.best_match(CODES) or DEFAULT
        g.language = get_language(str(chosen))
    spoken: Language = g.language
    return spoken


def write_request(link: str) -> Write:
    """Who writes at a table, and from which version of it, as this request's form says."""
    seen = request.form.get("seq", "")
    seq = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 16 else -1
    return Write(link, pen(), seq)


def access(link: str) -> Access:
    """What the link of this request's address and this phone's pen open, read once per request.

    Raises NotFound.
    """
    if "access" not in g or g.access.link != link:
        g.access = tables.access(pool(), link, pen())
    found: Access = g.access
    return found


def perform(link: str, act: Callable[[Write], T], again: Callable[[], T]) -> T:
    """Carry this request's form out, once however often it is sent; then `again` answers.

    The same form sent from the same version of the table, with the same pen, is the same request.
    """
    content = f"{request.path} {sorted(request.form.items(multi=True))}"
    key = hash_secret(content)
    form = IdempotentRequest(link, f"form {link} {pen()}", key, content)
    return idempotency.perform(pool(), form, lambda: act(write_request(link)), again)
