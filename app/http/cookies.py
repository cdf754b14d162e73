"""The phone's cookies, all plain: its pen, everything else it keeps, and a first one to try.

The pen is a bearer token that the database knows by its hash; nothing else in them grants a right,
so that neither is signed. By HTTPS their names begin with `__Host-`, which no other host can set
and nobody who answers in plain HTTP; below a path, where the host is shared, with `__Secure-`. No
other name is read there: whoever plants a pen could write at every table that is opened with it.
"""

import base64
import re
from collections.abc import Mapping
from itertools import islice
from typing import Annotated, TypedDict, cast

import msgspec
from flask import Flask, Request, Response, current_app, request, session, url_for
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from msgspec import Meta

from app.i18n.language import CODES
from app.rules.codes import BadFile
from app.services.access import LINK, NotFound, new_pen

NAME, PEN, KEPT = "chicago", "chicago-pen", "chicago-kept"
# Behind the code of a reader who has had the pen since they said who they are.
WROTE = ".wrote"
# Browsers drop a cookie of more than 4096 bytes, its name included.
LARGEST_COOKIE = 4000
_PEN = re.compile(r"[\w-]{43}", re.ASCII)
_LINK = re.compile(LINK)

Code = Annotated[str, Meta(max_length=8)]


class Content(TypedDict, total=False):
    """Content of a phone's cookies besides its pen."""

    tables: dict[str, bool]
    lang: Code
    http: bool
    _flashes: list[tuple[str, str]]


class PlainCookies(SessionInterface):
    """Reads and writes both cookies as one session (Flask)."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:  # noqa: ARG002  # Flask's signature
        """Read both cookies; one that cannot be read is as good as none."""
        content, pen = dict(_decode(read(NAME))), read(PEN)
        if _PEN.fullmatch(pen):
            content["pen"] = pen
        opened = SecureCookieSession(content)
        opened.new = not content
        return opened

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:  # noqa: ARG002  # Flask's signature
        """Write both cookies where something in them changed.

        Only there: a late answer to an old question must not put an old cookie back.
        """
        if session.accessed or session.modified:
            response.vary.add("Cookie")
        if not session.modified:
            return
        content = dict(session)
        if pen := content.pop("pen", None):
            write(response, PEN, pen)
        write(response, NAME, _encode_fitting(content))


def register(app: Flask) -> None:
    """Let the application keep its sessions in plain cookies."""
    app.session_interface = PlainCookies()


def read(name: str, path: str = "") -> str:
    """The value of a cookie of ours for a path, nothing where there is none."""
    return request.cookies.get(_name(name, path), "")


def is_stranger() -> bool:
    """Whether a request brings no cookie of ours: a first visit, or the preview of a link."""
    return session.new and not current_app.config["PHONE"]


def read_me() -> str:
    """The code of who this phone's reader has said to be at the request's table, if anybody."""
    return read("me", url_for("table.page")).removesuffix(WROTE)


def write(response: Response, name: str, value: str, path: str = "") -> None:
    """Set a cookie of ours for a path, or delete it where the value is empty."""
    named = _name(name, path)
    response.set_cookie(
        named,
        value,
        max_age=current_app.permanent_session_lifetime if value else 0,
        path=_path(path),
        secure=named != name,
        httponly=True,
        samesite="Lax",
    )


def try_out(response: Response) -> Response:
    """Send a browser that has no cookie one, so that its next form shows whether it keeps any."""
    if not request.cookies:
        write(response, KEPT, "1")
    return response


def require_kept() -> None:
    """Raise BadFile for a form of a page of ours where its browser has kept no cookie of that.

    It could not write at a table that it opened, and would use a link up for nothing.
    """
    if "kept" in request.form and not (request.cookies or current_app.config["PHONE"]):
        raise BadFile("cookies_refused")


def _name(name: str, path: str) -> str:
    """The name of a cookie by the request's scheme: by HTTPS one that others cannot set.

    A browser sends that by HTTPS alone, also behind a server in front that does not say so.
    """
    prefixed = ("__Host-" if _path(path) == "/" else "__Secure-") + name
    return prefixed if request.is_secure or prefixed in request.cookies else name


def _path(path: str) -> str:
    return path or request.script_root or "/"


def _encode_fitting(content: dict[str, object]) -> str:
    """The value of the cookie: where it is too large, without messages or the oldest tables."""
    tables = cast("dict[str, bool]", content.get("tables", {})).copy()
    while len(value := base64.urlsafe_b64encode(msgspec.json.encode(content))) > LARGEST_COOKIE:
        if not content.pop("_flashes", None):
            tables.popitem()
            content["tables"] = tables
    return value.rstrip(b"=").decode()


def _decode(value: str) -> Content:
    if len(value) > LARGEST_COOKIE:
        return Content()
    try:
        return msgspec.json.decode(base64.urlsafe_b64decode(value + "=="), type=Content)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return Content()


# A table's link takes some 40 bytes of the cookie, and every request carries it.
MOST_TABLES = 60


def pen() -> str | None:
    """The secret this browser writes with, None for one that has only read."""
    secret: str | None = session.get("pen")
    return secret


def get_or_create_pen(made: str | None = None) -> str:
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


def tables() -> Mapping[str, bool]:
    """The links of this phone's tables, the last opened first, and whether each is put away.

    What is no link, and more than we keep, as a made-up cookie or another phone may bring it, is
    passed over.
    """
    links: dict[str, bool] = session.get("tables", {})
    return {link: links[link] for link in islice(links, MOST_TABLES) if _LINK.match(link)}


def remember_table(link: str) -> None:
    """Put a table's link first; where it is first already the cookie is not set again."""
    if next(iter(tables()), None) != link:
        _keep({link: tables().get(link, False), **tables()})


def archive(link: str, *, away: bool) -> None:
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
