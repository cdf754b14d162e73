"""The score keeper for the Swedish card game Chicago."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

ROOT = Path(__file__).resolve().parent.parent
COOKIE_LIFETIME = timedelta(days=400)
LARGEST_BODY = 64 * 1024


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make the application as a server runs it; `config` overrides what the environment says."""
    from app.http import request_log

    app = make_app(config)
    _register_server(app)
    if proxies := app.config["PROXIES"]:
        # Anybody can write these headers, so only those of one's own proxies are believed.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]  # Flask's documented place for it
    request_log.register(app)
    return app


def make_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make an application, as yet without pages and calls, for whatever is to run it."""
    from app.http.errors import Application

    app = Application(
        __name__,
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "static"),
        instance_path=str(ROOT / "instance"),
    )
    _configure(app)
    app.config.from_mapping(config or {})
    return app


def register_pages(app: Flask) -> None:
    """Add the pages, and what every request for one shares, whatever runs the application."""
    from app import web
    from app.http import context, page_cache

    context.register(app)
    page_cache.register(app)
    web.register(app)


def _configure(app: Flask) -> None:
    """Set what the environment says, and how cookies and bodies are handled."""
    app.config.from_mapping(
        DATABASE=os.environ.get("CHICAGO_DB") or str(ROOT / "instance" / "chicago.db"),
        SECRET_KEY=os.environ.get("SECRET_KEY") or None,
        LIMITS=os.environ.get("CHICAGO_LIMITS") != "off",
        # Whether this runs on the phone that it answers, without a network: app/phone.
        PHONE=False,
        # What phones take along, if it was built.
        KIT=str(ROOT / "build" / "offline"),
        PROXIES=read_proxies(os.environ.get("CHICAGO_PROXIES") or "0"),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        # Of an upload, all but its files.
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        PERMANENT_SESSION_LIFETIME=COOKIE_LIFETIME,
        SESSION_COOKIE_NAME="chicago",
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),
    )


def read_proxies(text: str) -> int:
    """How many servers in front are believed. Raises SystemExit, saying why, for no number."""
    if not re.fullmatch("[0-9]{1,2}", text.strip()):
        raise SystemExit(f"CHICAGO_PROXIES counts the servers in front, 0 to 99: {text!r} does not")
    return int(text)


def _register_server(app: Flask) -> None:
    """Add commands, pages and calls, and what guards a server."""
    from app import api, sync, web
    from app.cli import commands
    from app.http import compression, concurrency, errors, health, rate_limits, request, sse
    from app.kit import routes as kit

    commands.register(app)
    request.register(app)
    sse.register(app)
    health.register(app)
    register_pages(app)
    api.register(app)
    kit.register(app)
    sync.register(app)
    compression.register(app)
    rate_limits.register(app)
    concurrency.register(app)
    errors.register(app, page=web.error_page, json=api.http_error)
