"""Readers: how somebody without the pen looks at a table, and who of the players they are.

Both stand in the address, so that it leads there again. Who they are is also kept in a cookie of
that table alone. It is a code, no name, and gives no right: it only chooses what is shown first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized

import msgspec
from flask import Flask, Response, current_app, request

from app.http import context
from app.http.version_cache import VersionCache
from app.services import people

COOKIE, NO_PLAYER, BY_STANDING = "me", "none", "standing"
MAX_TABLES = 500
# Parts of pages as all readers of one language and order are shown them, and their bytes.
MAX_BASES, MAX_BYTES = 500, 16_000_000

# Whoever may sit in a table's newest game, by their codes.
Coded = Mapping[str, str]


class Reader(msgspec.Struct, frozen=True):
    """How somebody looks at a table: in seat order or `by_standing`, and as whom.

    `me` is the code of who they say they are, `NO_PLAYER` for none of those who play, empty while
    they have not said.
    """

    by_standing: bool = False
    me: str = ""


def register(app: Flask) -> None:
    """Let readers be told apart without asking the database for each of them."""
    app.extensions["coded"] = VersionCache[Coded](MAX_TABLES)
    app.extensions["bases"] = VersionCache[Sized](MAX_BASES, MAX_BYTES, lambda base: 2 * len(base))


def current_reader() -> Reader:
    """How this request asks to look at the table."""
    asked = request.args
    said = (asked if COOKIE in asked else request.cookies).get(COOKIE, "")
    known = said == NO_PLAYER or people.is_code(said)
    return Reader(asked.get("order") == BY_STANDING, said if known else "")


def remember(response: Response) -> Response:
    """Keep on the phone, for this table, who its reader has just said to be."""
    if COOKIE not in request.args:
        return response
    reader = current_reader()
    if reader.me == request.cookies.get(COOKIE, ""):
        return response
    response.set_cookie(
        COOKIE,
        reader.me,
        max_age=int(current_app.permanent_session_lifetime.total_seconds()) if reader.me else 0,
        path=f"{context.prefix()}{request.path}",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    return response


def find_name(reader: Reader, seq: int) -> str | None:
    """Whose place in a version's newest game a reader has, None for nobody's. Raises NotFound."""
    return _bind_names(reader)(seq)


def bind_view(reader: Reader) -> Callable[[int], object]:
    """What tells readers apart who are shown something else of a version of this page's table.

    What is returned can be asked when this request is over; it raises NotFound.
    """
    find = _bind_names(reader)

    def find_view(seq: int) -> object:
        name = find(seq) if reader.me.isdecimal() else None
        # Who has no place there is still whom they say they are, in the addresses on their page.
        return reader.by_standing, name, None if name else reader.me

    return find_view


def _bind_names(reader: Reader) -> Callable[[int], str | None]:
    this_pool, link, table_id = context.pool(), context.link(), context.access().id
    cache: VersionCache[Coded] = current_app.extensions["coded"]

    def make() -> tuple[int, Coded]:
        try:
            return people.find_coded(this_pool, link)
        finally:
            this_pool.release()

    def find(seq: int) -> str | None:
        return cache.get(table_id, seq, make)[1].get(reader.me)

    return find
