"""The score keeper for the Swedish card game Chicago."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from app.http.application import Application


def create_app(config: Mapping[str, object] | None = None) -> Application:
    """Make the application as a server runs it; `config` overrides the environment."""
    from werkzeug.middleware.proxy_fix import ProxyFix

    from app.http.address import Below
    from app.http.application import OneThread, make_app
    from app.http.bodies import ReadBodies
    from app.http.environment import read_environment
    from app.store import clock

    app = make_app({**read_environment(), **(config or {})})
    clock.set_zone(app.config["TIMEZONE"])
    _register_all(app)
    answering = OneThread(ReadBodies(app, app.wsgi_app))
    wsgi: WSGIApplication = Below(answering, urlsplit(app.config["URL"]).path)
    if hops := app.config["PROXIES"]:
        # Anybody can write these headers, so only those of one's own servers in front are believed.
        wsgi = ProxyFix(wsgi, x_for=hops, x_proto=1, x_host=1, x_prefix=1)
    app.wsgi_app = wsgi  # type: ignore[assignment, method-assign]  # Flask's documented place for it
    return app


def _register_all(app: Application) -> None:
    """Add all that a server has, in the order in which it looks at requests.

    Flask goes through it forwards before a view and backwards after it: first the log with the
    request id, and what is refused before it is looked at; last the limits, and the answers to
    requests that fail.
    """
    from app import web
    from app.api import routes as calls
    from app.cli import commands
    from app.http import address, bodies, errors, limits, log, rendered
    from app.offline import server
    from app.web import ahead, notes, readers, transfers

    commands.register(app)
    log.register(app)
    bodies.register(app)
    address.register(app)
    app.register_blueprint(calls.site_bp)
    web.register(app)
    # No phone answers these by itself.
    for module in (readers, ahead, notes, transfers, calls):
        app.register_blueprint(module.bp)
    for bp in (server.bundle_bp, server.bp):
        app.register_blueprint(bp)
    rendered.register_compression(app)
    limits.register(app)
    errors.register(app, page=web.error_page, json=calls.http_error)


def chicago() -> None:
    """Run the command `chicago`, where the score keeper is installed as a program of its own."""
    from flask.cli import ScriptInfo

    from app.cli import commands

    commands.chicago(prog_name="chicago", obj=ScriptInfo(create_app=create_app))
