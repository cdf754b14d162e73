"""Readers: how somebody without the pen looks at a table, and who of the players they are.

Both stand in the address, so that it leads there again. Who they are is also kept in a cookie of
that table alone. It is a code, no name, and gives no right: it only chooses what is shown first.
Whose pen was taken back is told so until they have said who they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized

import msgspec
from flask import Flask, Response, current_app, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.version_cache import VersionCache
from app.services import people
from app.services.ledger import Ledger

COOKIE, NO_PLAYER, BY_STANDING = "me", "none", "standing"
# Of tables whose game is over, to tell each of its readers what they owe.
MAX_TABLES, MAX_LEDGERS = 500, 50
# Parts of pages as all readers of one language and order are shown them, and their bytes.
MAX_BASES, MAX_BYTES = 500, 16_000_000

# Whoever may sit in a table's newest game, by their codes.
Coded = Mapping[str, str]


class Reader(msgspec.Struct, frozen=True):
    """How somebody looks at a table: in seat order or `by_standing`, and as whom.

    `me` is the code of who they say they are, `NO_PLAYER` for none of those who play, empty while
    they have not said. `lost`: they are to be told that their pen was taken back.
    """

    by_standing: bool = False
    me: str = ""
    lost: bool = False


def register(app: Flask) -> None:
    """Let readers be told apart without asking the database for each of them."""
    app.extensions["coded"] = VersionCache[Coded](MAX_TABLES)
    app.extensions["ledgers"] = VersionCache[Ledger](MAX_LEDGERS)
    app.extensions["bases"] = VersionCache[Sized](MAX_BASES, MAX_BYTES, lambda base: 2 * len(base))


def current_reader() -> Reader:
    """How this request asks to look at the table."""
    asked = request.args
    said = (asked if COOKIE in asked else request.cookies).get(COOKIE, "")
    me = said if said == NO_PLAYER or people.is_code(said) else ""
    # Who asks to say it anew has been told before.
    lost = context.access().lost and not me and COOKIE not in asked
    return Reader(asked.get("order") == BY_STANDING, me, lost)


def remember(response: Response) -> Response:
    """Keep on the phone, for this table, who its reader has just said to be."""
    if COOKIE not in request.args:
        return response
    reader = current_reader()
    if reader.me != request.cookies.get(COOKIE, ""):
        _keep(response, reader.me)
    return response


def forget(response: AnyResponse) -> AnyResponse:
    """Let a phone that gets the pen say anew who it is once it only reads again."""
    if COOKIE in request.cookies:
        _keep(response, "")
    return response


def _keep(response: AnyResponse, me: str) -> None:
    """Keep on the phone who its reader is, or nobody."""
    response.set_cookie(
        COOKIE,
        me,
        max_age=int(current_app.permanent_session_lifetime.total_seconds()) if me else 0,
        path=f"{context.prefix()}{url_for('table.page', link=context.link())}",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


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
        return reader.by_standing, reader.lost, name, None if name else reader.me

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
