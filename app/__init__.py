"""The score keeper for the Swedish card game Chicago."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from werkzeug.middleware.proxy_fix import ProxyFix

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from app.http.application import Application

VERSION = "0.1.0"
PACKAGE = Path(__file__).resolve().parent
# The pages stand beside the package in a checkout, and in it where it is installed.
ROOT = PACKAGE if (PACKAGE / "templates").is_dir() else PACKAGE.parent
COOKIE_LIFETIME = timedelta(days=400)


def create_app(config: Mapping[str, object] | None = None) -> Application:
    """Make the application as a server runs it; `config` overrides the environment."""
    from app.http.address import Below, read_instance, read_url
    from app.http.application import OneThread
    from app.http.bodies import ReadBodies

    environ = {
        "URL": read_url(os.environ.get("CHICAGO_URL") or ""),
        "INSTANCE": read_instance(os.environ),
    }
    app = make_app({**environ, **(config or {})})
    _register_server(app)
    answering = OneThread(ReadBodies(app, app.wsgi_app))
    wsgi: WSGIApplication = Below(answering, urlsplit(app.config["URL"]).path)
    if hops := app.config["PROXIES"]:
        # Anybody can write these headers, so only those of one's own servers in front are believed.
        wsgi = ProxyFix(wsgi, x_for=hops, x_proto=1, x_host=1, x_prefix=1)
    app.wsgi_app = wsgi  # type: ignore[assignment, method-assign]  # Flask's documented place for it
    return app


def make_app(config: Mapping[str, object] | None = None) -> Application:
    """Make an application without pages and calls, for a server or a phone."""
    from app.http.application import Application

    app = Application(
        __name__,
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "static"),
        instance_path=str(ROOT / "instance"),
    )
    _configure(app)
    app.config.from_mapping(config or {})
    set_zone(app.config["TIMEZONE"])
    return app


def register_pages(app: Application) -> None:
    """Add the pages, and the context of their requests, on a server and a phone."""
    from app import web
    from app.http import context

    context.register(app)
    web.register(app)


def _configure(app: Application) -> None:
    """Set the configuration from the environment."""
    from app.store.files import database_path

    app.config.from_mapping(
        VERSION=VERSION,
        DATABASE=str(database_path()),
        LIMITS=os.environ.get("CHICAGO_LIMITS") != "off",
        # Whether this runs on the phone that it answers, without a network: app/offline.
        PHONE=False,
        # Whether that phone is all there is: it never had a server.
        ALONE=False,
        # The offline bundle, if it was built.
        KIT=str(ROOT / "build" / "offline"),
        # Evenings, times and dates are those of this zone, wherever the server is.
        TIMEZONE=read_timezone(),
        # The address people reach this by, where it was configured.
        URL="",
        # Of several servers, which this one is: links of tables opened here begin with it.
        INSTANCE="",
        # Whom to tell of a fault, as a URI: mailto:, https:.
        CONTACT=os.environ.get("CHICAGO_CONTACT") or "",
        PROXIES=read_proxies(os.environ.get("CHICAGO_PROXIES") or "0"),
        PERMANENT_SESSION_LIFETIME=COOKIE_LIFETIME,
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),
    )


def read_proxies(text: str) -> int:
    """Read the number of trusted proxies. Raises SystemExit, saying why, for no number."""
    if not re.fullmatch("[0-9]{1,2}", text.strip()):
        raise SystemExit(f"CHICAGO_PROXIES is how many servers are in front, 0 to 99, not {text!r}")
    return int(text)


def read_timezone() -> str:
    """The name of the time zone that the environment sets."""
    return os.environ.get("CHICAGO_TIMEZONE") or "Europe/Stockholm"


def set_zone(name: str) -> None:
    """Tell evenings, times and dates in a time zone. Raises SystemExit, saying why, for none."""
    from app.i18n.language import N_, from_environment
    from app.store import clock

    try:
        clock.set_zone(clock.find_zone(name))
    except clock.UnknownZone:
        message = N_(
            "There is no time zone %(zone)s: set CHICAGO_TIMEZONE to one such as %(example)s."
        )
        text = from_environment(os.environ).gettext(message, zone=name, example=clock.DEFAULT_ZONE)
        raise SystemExit(text) from None


def _register_server(app: Application) -> None:
    """Add all that a server has, in the order in which it looks at requests.

    Flask goes through it forwards before a view and backwards after it: first the log with the
    request id, and what is refused before it is looked at; last the limits, and the answers to
    requests that fail.
    """
    from app import api, web
    from app.api import routes as calls
    from app.cli import commands
    from app.http import address, application, bodies, errors, limits, log
    from app.offline import routes as exchange
    from app.web import live, notes, transfers, well_known
    from app.web.table import ahead

    commands.register(app)
    log.register(app)
    bodies.register(app)
    address.register(app)
    app.register_blueprint(calls.health_bp)
    register_pages(app)
    # No phone answers these by itself.
    for module in (live, ahead, notes, transfers, well_known, calls):
        app.register_blueprint(module.bp)
    for bp in (exchange.bundle_bp, exchange.bp):
        app.register_blueprint(bp)
    application.register_compression(app)
    limits.register(app)
    errors.register(app, page=web.error_page, json=api.http_error)
