"""What a phone keeps (its session): its pen, tables, names, language, and an unfinished form.

How it is read and written: app/http/cookies.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from flask import session

from app.i18n.language import CODES
from app.services.tables import NotFound, new_pen

# A table's link takes some 40 bytes of the cookie, and every request carries it.
MOST_TABLES = 60


def pen() -> str | None:
    """The secret this browser writes with, None for one that has only read."""
    secret: str | None = session.get("pen")
    return secret


def take_pen(made: str | None = None) -> str:
    """This phone's secret; if it has none yet, the one that was made for it, or a new one."""
    secret = pen() or made or new_pen()
    if secret != pen():
        session["pen"] = secret
    return secret


def language_choice() -> str | None:
    """The code of the language chosen on this phone, None while none is."""
    code: str | None = session.get("lang")
    return code


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


def tables() -> Mapping[str, bool]:
    """The links of this phone's tables, the last opened first, and whether each is put away."""
    links: dict[str, bool] = session.get("tables", {})
    return links


def remember_table(link: str) -> None:
    """Put a table's link first; where it is first already the cookie is not set again."""
    if next(iter(tables()), None) != link:
        _keep({link: tables().get(link, False), **tables()})


def put_away(link: str, *, away: bool) -> None:
    """Put one of this phone's tables away, or bring it back. Raises NotFound."""
    if link not in tables():
        raise NotFound("no_such_table")
    _keep({**tables(), link: away})


def add_tables(brought: Mapping[str, bool]) -> None:
    """Add tables after this phone's own, of which those it knows stay as they are."""
    _keep({**tables(), **{link: brought[link] for link in brought if link not in tables()}})


def forget_table(link: str) -> None:
    """Remove a link from this phone's tables."""
    _keep({other: away for other, away in tables().items() if other != link})


def _keep(links: Mapping[str, bool]) -> None:
    session["tables"] = dict(islice(links.items(), MOST_TABLES))


def own_codes() -> list[str]:
    """Who this phone says it is at its tables, as codes that only it keeps."""
    codes: list[str] = session.get("me", [])
    return codes


def choose_codes(codes: Iterable[str]) -> None:
    """Set who this phone is at its tables; nobody where there are none."""
    session["me"] = [*codes]


def draft() -> object:
    """The unfinished form for a table as it was saved, None when there is none."""
    return session.get("draft")


def save_draft(draft: object) -> None:
    """Save an unfinished form, as plain lists, mappings and strings."""
    session["draft"] = draft


def clear_draft() -> None:
    """Forget the unfinished form."""
    session.pop("draft", None)
