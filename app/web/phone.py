"""What one phone carries in its signed cookie: its pen, its language and the tables it has seen."""

from __future__ import annotations

from flask import g, request, session

from app.current import pen, store
from app.languages import CODES, DEFAULT, Language, language
from app.tables import Write, new_pen

__all__ = [
    "choose_language",
    "forget",
    "pen",
    "remember",
    "seen_tables",
    "speaking",
    "store",
    "take_pen",
    "write",
]

MAX_TABLES = 12


def take_pen() -> str:
    """This phone's secret, made now if it has none yet."""
    secret = pen() or new_pen()
    session["pen"] = secret
    session.permanent = True
    return secret


def remember(link: str) -> None:
    """Keep a table's link on this phone, the newest first."""
    links = [link, *(other for other in seen_tables() if other != link)]
    session["tables"] = links[:MAX_TABLES]
    session.permanent = True


def forget(link: str) -> None:
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


def speaking() -> Language:
    """The language of this request: chosen on the phone, else the browser's, else Swedish."""
    if "language" not in g:
        chosen = session.get("lang") or request.accept_languages.best_match(CODES) or DEFAULT
        g.language = language(str(chosen))
    spoken: Language = g.language
    return spoken


def write(link: str, what: str = "") -> Write:
    """The write that this request's form asks for; `what` tells it from others sent at once."""
    seen = request.form.get("seq", "")
    seq = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 16 else -1
    return Write(link, pen(), seq, what or "form")
