"""Signed cookies, and the keys that sign them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import cast

import flask
import msgspec
from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from app.http import context
from app.http.security import SAFE_METHODS
from app.store.files import KEY, make_folder, restrict_to_owner

HOST_PREFIX = "__Host-"
# Below a path, where the host is shared: `__Host-` is for the whole of one.
SECURE_PREFIX = "__Secure-"
SPARE = "-spare"
# Browsers drop a cookie of more than 4096 bytes, and the server refuses a header of 8190, which
# has to hold a cookie and its spare.
LARGEST_COOKIE = 3500
# What goes first where there is more than that; the pen never does.
EXPENDABLE = ("draft", "_flashes", "tables")

# A browser keeps a cookie for so long after it was set that one of a month ago does well.
FRESH = timedelta(days=30)

# What a cookie of ours looks like, whichever key has signed it; anything else is set aside nowhere.
_SIGNED = re.compile(r"[\w.-]{1,3900}", re.ASCII)


class PhoneSession(SecureCookieSession):
    """What a cookie holds.

    `unreadable` is the one that was sent under the name we write and that no key of ours signed;
    `is_unrecognised` says that none that was sent could be read. `is_fresh` is whether the one we
    write was signed within a month, so that it may stay as it is where nothing in it changes.
    """

    unreadable = ""
    is_unrecognised = False
    is_fresh = False


class _Cookie(msgspec.Struct, frozen=True):
    """A cookie that was read: what it holds, and when it was signed."""

    content: dict[str, object]
    signed_at: datetime


class SignedCookies(SecureCookieSessionInterface):
    """Reads and signs cookies: what is in one outlives clocks, keys and the move to HTTPS.

    - No signature is too old: the browser ends a cookie's life, by its own clock (`Max-Age`), and
      the pen in it is looked up in the database. So a server whose clock was a year off, either
      way, takes no pen away. Its age only says when to set it again.
    - A cookie that cannot be read was signed by another key, which may come back. Reading a page
      leaves it as it is, and what has to be written sets it aside, in a spare cookie. That holds
      one: who changes the key twice and opens tables after each change loses the first.
    - By HTTPS the cookie's name begins with `__Host-`: no other host of the domain and nobody who
      answers in plain HTTP can set such a one. The name without it is read where the other is not
      there, so that a phone from before HTTPS keeps its pen. Who can set that in somebody's browser
      (from a neighbouring host, or on the way before HSTS is known) can make it write with a pen
      the setter knows too. That is worth something only with the links of tables opened after, so
      only to somebody who reads at them anyway, and only until the first cookie with the prefix.
    """

    def __init__(self) -> None:
        # The serializer, and the keys that it was made of.
        self._made: tuple[object, URLSafeTimedSerializer | None] = (None, None)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """What reads and signs with these keys: made once, as that takes as long as reading."""
        keys = (app.secret_key, tuple(app.config["SECRET_KEY_FALLBACKS"] or ()))
        if self._made[0] != keys:
            self._made = (keys, super().get_signing_serializer(app))
        return self._made[1]

    def open_session(self, app: Flask, request: Request) -> PhoneSession:
        """Read the cookie, with a key made now if there is none yet."""
        if not app.secret_key:
            app.secret_key = load_secret_key(_key_file(app))
        if not request.environ.get("HTTP_COOKIE"):
            return PhoneSession()
        best, *others = _names(cookie_name(request))
        sent = request.cookies.get(best, "")
        own = self._read(app, sent)
        spares = [request.cookies[name] for name in others if name in request.cookies]
        cookie = own or next(filter(None, (self._read(app, spare) for spare in spares)), None)
        session = PhoneSession(cookie.content if cookie else None)
        session.unreadable = "" if own else sent
        session.is_unrecognised = bool(sent or any(spares)) and not cookie
        session.is_fresh = _is_fresh(app, own)
        return session

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Write the cookie where it changed; one that cannot be read is set aside, or left.

        Only where it changed: a late answer to an old question must not put an old cookie back.
        """
        phone = cast("PhoneSession", session)
        if phone.accessed and "Cookie" not in response.headers.get("Vary", ""):
            response.vary.add("Cookie")
        if not phone.modified:
            return
        is_lost = bool(phone.unreadable) or phone.is_unrecognised
        reads = flask.request.method in SAFE_METHODS
        if is_lost and (reads or not phone):
            return
        name = cookie_name(flask.request)
        self._write(app, response, name, self._sign(app, phone))
        if _SIGNED.fullmatch(phone.unreadable):
            self._write(app, response, name + SPARE, phone.unreadable)

    def _read(self, app: Flask, cookie: str) -> _Cookie | None:
        """Read a cookie; None when no key of ours signed it."""
        serializer = self.get_signing_serializer(app) if cookie else None
        with suppress(BadSignature):
            return _Cookie(*serializer.loads(cookie, return_timestamp=True)) if serializer else None
        return None

    def _sign(self, app: Flask, session: SessionMixin) -> str:
        """The cookie, without what is expendable where it would be too large."""
        serializer = self.get_signing_serializer(app)
        if serializer is None:
            raise ValueError("no secret key")
        content = dict(session)
        for key in EXPENDABLE:
            if len(cookie := str(serializer.dumps(content))) <= LARGEST_COOKIE:
                return cookie
            content.pop(key, None)
        return str(serializer.dumps(content))

    def _write(self, app: Flask, response: Response, name: str, cookie: str) -> None:
        response.set_cookie(
            name,
            cookie,
            max_age=app.permanent_session_lifetime,
            path=context.prefix() or "/",
            secure=flask.request.is_secure or name.startswith((HOST_PREFIX, SECURE_PREFIX)),
            httponly=True,
            samesite="Lax",
        )
        response.vary.add("Cookie")


def _is_fresh(app: Flask, cookie: _Cookie | None) -> bool:
    """Whether a cookie was signed within a month, by whatever clock, and by the key we sign with.

    Which key it was is not known where a former one is read with too; then none is fresh.
    """
    if cookie is None or app.config["SECRET_KEY_FALLBACKS"]:
        return False
    return abs(datetime.now(UTC) - cookie.signed_at) < FRESH


def cookie_name(request: Request) -> str:
    """The cookie's name, with `__Host-` for HTTPS.

    A browser sends one with the prefix by HTTPS alone, whatever the servers in front say.
    """
    name: str = flask.current_app.config["SESSION_COOKIE_NAME"]
    prefixed = (SECURE_PREFIX if context.prefix() else HOST_PREFIX) + name
    return prefixed if request.is_secure or prefixed in request.cookies else name


def _names(name: str) -> Iterator[str]:
    """The names under which this browser's cookie may be, the best first."""
    yield name
    yield name + SPARE
    for mark in (HOST_PREFIX, SECURE_PREFIX):
        if name.startswith(mark):
            yield from _names(name.removeprefix(mark))


def register(app: Flask) -> None:
    """Sign the application's cookies.

    A key in the environment signs instead of the one in the file, which is still read with: who
    sets one later takes nobody's pen away. Delete the file to be rid of it.
    """
    app.session_interface = SignedCookies()
    with suppress(OSError):
        former = _key_file(app).read_bytes()
        # With an empty key anybody could sign.
        if app.secret_key and former:
            app.config["SECRET_KEY_FALLBACKS"] = [former]


def _key_file(app: Flask) -> Path:
    """The file that holds the key, beside the database."""
    return Path(app.config["DATABASE"]).with_name(KEY)


def load_secret_key(path: Path) -> bytes:
    """The key that signs cookies: made once, kept beside the database, readable by its owner.

    Whoever is first puts it in place whole, so nobody ever reads half a key. An empty file, which
    a power cut may leave, is no key: with it anybody could sign.
    """
    with suppress(OSError):
        if not path.stat().st_size:
            path.unlink()
    if not path.exists():
        make_folder(path)
        with NamedTemporaryFile(dir=path.parent) as file:  # only its owner may read it
            file.write(os.urandom(32).hex().encode())
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(file.name, path)
    restrict_to_owner(path)
    return path.read_bytes()
