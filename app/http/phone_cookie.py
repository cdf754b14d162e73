"""What a phone keeps in its signed cookie: its pen, language, tables, and an unfinished form."""

from __future__ import annotations

from flask import session

from app.i18n.language import CODES
from app.services.tables import new_pen

MAX_TABLES = 12


def pen() -> str | None:
    """The secret this phone writes with, None for one that has only read."""
    secret = session.get("pen")
    return secret if isinstance(secret, str) else None


def take_pen() -> str:
    """This phone's secret, made now if it has none yet."""
    secret = pen() or new_pen()
    _set("pen", secret)
    return secret


def chosen_language() -> str | None:
    """The code of the language chosen on this phone, None while none is."""
    code = session.get("lang")
    return str(code) if code else None


def choose_language(code: str) -> None:
    """Speak this language on this phone from now on; a code of none changes nothing."""
    if code in CODES:
        _set("lang", code)


def recent_tables() -> list[str]:
    """The links of the tables this phone has opened, newest first."""
    links = session.get("tables")
    return links if isinstance(links, list) else []


def remember_table(link: str) -> None:
    """Put a table's link first among those this phone has opened; the oldest go."""
    links = [link, *(other for other in recent_tables() if other != link)]
    _set("tables", links[:MAX_TABLES])


def forget_table(link: str) -> None:
    """Let go of a table's link on this phone."""
    session["tables"] = [other for other in recent_tables() if other != link]


def draft() -> object:
    """The unfinished form for a table as it was saved, None when there is none."""
    return session.get("draft")


def save_draft(draft: object) -> None:
    """Save an unfinished form, as plain lists, mappings and strings."""
    _set("draft", draft)


def clear_draft() -> None:
    """Forget the unfinished form."""
    session.pop("draft", None)


def _set(key: str, value: object) -> None:
    """Put a value into the cookie, which outlives the browser's session from now on."""
    session[key] = value
    session.permanent = True
