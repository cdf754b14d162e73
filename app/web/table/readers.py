"""Readers: how somebody without the pen looks at a table, and who of the players they are.

Both stand in the address, so that it leads there again. Who they are is also kept in a cookie of
that table alone. It is a code, no name, and gives no right: it only chooses what is shown first.
Whose pen was taken back is told so until they have said who they are.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from flask import Response, current_app, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.services import people

COOKIE, NO_PLAYER, BY_STANDING = "me", "none", "standing"


class Reader(msgspec.Struct, frozen=True):
    """How somebody looks at a table: in seat order or `by_standing`, and as whom.

    `me` is the code of who they say they are, `NO_PLAYER` for none of those who play, empty while
    they have not said. `lost`: they are to be told that their pen was taken back.
    """

    by_standing: bool = False
    me: str = ""
    lost: bool = False


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
        path=url_for("table.page", link=context.link()),
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def find_name(reader: Reader, players: Collection[str]) -> str | None:
    """Whose place a reader has among these players of the table, None for nobody's."""
    if not reader.me.isdecimal():
        return None
    return people.find_coded(context.db(), context.access(), players).get(reader.me)
