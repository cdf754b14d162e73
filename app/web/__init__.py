"""The pages: routes, forms and view models. Everything here ends in a template."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from pathlib import Path

from flask import Flask, render_template, request, url_for
from flask_compress import Compress
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from app.store import Store
from app.tables import NoPen, NotFound
from app.web import asks, phone, protocol, security, settings, start, table


def register(app: Flask) -> None:
    """Add the pages to the application; the database is opened with the first request."""
    _prepare_templates(app)
    security.register(app)
    for page in (start, table, asks, protocol, settings):
        app.register_blueprint(page.bp)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(NotFound, lambda _: _error(HTTPStatus.NOT_FOUND))
    app.register_error_handler(NoPen, lambda _: _error(HTTPStatus.UNAUTHORIZED))
    app.before_request(lambda: _open(app))
    Compress(app)


def _open(app: Flask) -> None:
    if "store" not in app.extensions:
        app.extensions["store"] = Store(app.config["DATABASE"])
    if not app.secret_key:
        app.secret_key = secret_key(Path(app.config["DATABASE"]).with_name("secret-key"))


def secret_key(path: Path) -> bytes:
    """The key that signs cookies: made once, kept beside the database, readable by its owner."""
    try:
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(file, "wb") as new:
        key = os.urandom(32).hex().encode()
        new.write(key)
    return key


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


def _http_error(error: HTTPException) -> AnyResponse | tuple[str, int]:
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return error.get_response()
    return _error(HTTPStatus(error.code))


def _error(status: HTTPStatus) -> tuple[str, int]:
    part = "HX-Request" in request.headers
    return render_template("error.html", status=status, part=part), status
