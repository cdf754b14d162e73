"""The pages: routes, forms and view models. Everything here ends in a template."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from pathlib import Path
from tempfile import NamedTemporaryFile

from flask import Flask, Request, render_template, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from app.tables import NoPen, NotFound
from app.web import (
    asks,
    compare,
    compression,
    evening,
    files,
    forgetting,
    installed,
    joining,
    mend,
    nextgame,
    payments,
    phone,
    protocol,
    regulars,
    security,
    settings,
    start,
    table,
    years,
)
from app.web.houserules import pages as houserules

PAGES = (
    start,
    table,
    asks,
    compare,
    joining,
    protocol,
    mend,
    houserules,
    evening,
    payments,
    regulars,
    nextgame,
    years,
    files,
    forgetting,
    installed,
    settings,
)


def register(app: Flask) -> None:
    """Add the pages to the application; the database is opened with the first request."""
    _prepare_templates(app)
    security.register(app)
    for page in PAGES:
        app.register_blueprint(page.bp)
    app.register_error_handler(NotFound, lambda _: _error(HTTPStatus.NOT_FOUND))
    app.register_error_handler(NoPen, lambda _: _error(HTTPStatus.UNAUTHORIZED))
    app.session_interface = _Cookies()
    compression.register(app)


class _Cookies(SecureCookieSessionInterface):
    """Reads and signs cookies with a key that is there before the first of them is looked at."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if not app.secret_key:
            app.secret_key = secret_key(Path(app.config["DATABASE"]).with_name("secret-key"))
        return super().open_session(app, request)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Whoever came by HTTPS shows the cookie nowhere else; in the kitchen there is none."""
        return super().get_cookie_secure(app) or request.is_secure


def secret_key(path: Path) -> bytes:
    """The key that signs cookies: made once, kept beside the database, readable by its owner.

    Whoever is first puts it in place whole, so nobody ever reads half a key.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent) as new:  # only its owner may read it
            new.write(os.urandom(32).hex().encode())
            new.flush()
            os.fsync(new.fileno())
            with suppress(FileExistsError):
                os.link(new.name, path)
    return path.read_bytes()


def _prepare_templates(app: Flask) -> None:
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # added by the extension
        lambda text: phone.speaking().gettext(text),
        lambda one, many, n: phone.speaking().ngettext(one, many, n),
        newstyle=True,
    )
    app.jinja_env.globals["asset"] = _asset(app)
    app.jinja_env.globals["speaking"] = phone.speaking


def _asset(app: Flask) -> Callable[[str], str]:
    """Addresses of static files that change with their content, so phones may keep them."""

    @cache
    def version(name: str) -> str:
        content = Path(app.static_folder or "", name).read_bytes()
        return hashlib.sha256(content).hexdigest()[:10]

    return lambda name: url_for("static", filename=name, v=version(name))


def http_error(error: HTTPException) -> AnyResponse | tuple[str, int]:
    """The page that says why a request failed."""
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response()
    return _error(HTTPStatus(error.code))


def _error(status: HTTPStatus) -> tuple[str, int]:
    part = "HX-Request" in request.headers
    return render_template("error.html", status=status, part=part), status
