"""The signed cookie (session) of a phone: its pen, language, tables, and an unfinished form.

How it is read, signed and named: app/http/cookies.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from flask import session

from app.i18n.language import CODES
from app.services.tables import new_pen

# A table's link takes some 26 bytes of the cookie, and every request carries it. More than usual
# are there only while the database cannot take them over.
MAX_TABLES, MOST_TABLES = 12, 40


def pen() -> str | None:
    """The secret this browser writes with, None for one that has only read."""
    secret = session.get("pen")
    return secret if isinstance(secret, str) else None


def take_pen(made: str | None = None) -> str:
    """This phone's secret; if it has none yet, the one that was made for it, or a new one."""
    secret = pen() or made or new_pen()
    session["pen"] = secret
    return secret


def is_unrecognised() -> bool:
    """Whether the phone's cookie, and so its pen, was signed by a key that is not there."""
    return bool(getattr(session, "is_unrecognised", False))


def language_choice() -> str | None:
    """The code of the language chosen on this phone, None while none is."""
    code = session.get("lang")
    return str(code) if code else None


def choose_language(code: str) -> None:
    """Set the language of this phone; a code of no language changes nothing."""
    if code in CODES:
        session["lang"] = code


def is_told_of_http() -> bool:
    """Whether this phone knows what it goes without where there is no HTTPS."""
    return bool(session.get("http"))


def note_told_of_http() -> None:
    """Tell this phone no more of what it goes without."""
    session["http"] = True


def recent_tables() -> list[str]:
    """The links of the last tables that this phone has opened, newest first."""
    links = session.get("tables")
    return links if isinstance(links, list) else []


def remember_table(link: str) -> list[str]:
    """Put a table's link first among the last this phone has opened; returns what is too many.

    Where it is first already the cookie is not set again, but for once a month: a browser forgets
    it 400 days after it was set last.
    """
    recent = recent_tables()
    links = [link, *(other for other in recent if other != link)]
    if links != recent or not getattr(session, "is_fresh", False):
        session["tables"] = links[:MOST_TABLES]
    return links[MAX_TABLES:MOST_TABLES]


def instances() -> list[str]:
    """The instances at which this phone has opened tables."""
    names = session.get("at")
    return names if isinstance(names, list) else []


def remember_instance(name: str) -> None:
    """Know from now on that this phone has opened a table at an instance."""
    if name and name not in instances():
        session["at"] = [*instances(), name]


def forget_tables(links: Iterable[str]) -> None:
    """Remove links from the last tables this phone has opened."""
    gone = set(links)
    session["tables"] = [link for link in recent_tables() if link not in gone]


def own_codes() -> list[str]:
    """Who this phone says it is at its tables, as codes that only it keeps."""
    codes = session.get("me")
    return codes if isinstance(codes, list) else []


def choose_codes(codes: Iterable[str]) -> None:
    """Set who this phone is at its tables; nobody where there are none."""
    session["me"] = [*codes]
    if not session["me"]:
        del session["me"]


def draft() -> object:
    """The unfinished form for a table as it was saved, None when there is none."""
    return session.get("draft")


def save_draft(draft: object) -> None:
    """Save an unfinished form, as plain lists, mappings and strings."""
    session["draft"] = draft


def clear_draft() -> None:
    """Forget the unfinished form."""
    session.pop("draft", None)
