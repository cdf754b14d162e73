"""The application for one phone: the same pages and rules, and none of a server's guards."""

from __future__ import annotations

from collections.abc import Mapping

from app import make_app, register_pages, web
from app.http import errors
from app.http.application import Application
from app.http.errors import Render
from app.phone import calls, pages


def create_phone_app(config: Mapping[str, object]) -> Application:
    """Make the application; `config` names at least the DATABASE."""
    app = make_app({"LIMITS": False, "PHONE": True, "INSTANCE": None, **config})
    calls.register(app)
    register_pages(app)
    pages.register(app)
    page: Render = web.error_page
    errors.register(app, page=page, json=page)
    return app
