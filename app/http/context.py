"""What the request at hand works with: the database, and what this phone carries in its cookie."""

from __future__ import annotations

from threading import Lock

from flask import Flask, current_app, g, request, session

from app.i18n.language import CODES, DEFAULT, Language, get_language
from app.services.tables import Write, new_pen
from app.store.database import Pool

_opening = Lock()


def register(app: Flask) -> None:
    """Lend each request a connection, and take it back when the request is over."""
    app.teardown_appcontext(lambda _: _give_back(app))


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


def _give_back(app: Flask) -> None:
    if "pool" in app.extensions:
        app.extensions["pool"].give_back()


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


def write_request(link: str, what: str = "") -> Write:
    """The write that this request's form asks for; `what` tells it from others sent at once."""
    seen = request.form.get("seq", "")
    seq = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 16 else -1
    return Write(link, pen(), seq, what or "form")
