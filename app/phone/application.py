"""The application for one phone: the same pages and rules, and none of a server's guards."""

from __future__ import annotations

from collections.abc import Mapping

from jinja2 import ModuleLoader

from app import ROOT, make_app, register_pages, web
from app.http import errors
from app.http.application import Application
from app.http.errors import Render
from app.phone import calls, pages

# A folder beside the application, where a phone carries its templates as modules.
COMPILED_TEMPLATES = "compiled_templates"


def create_phone_app(config: Mapping[str, object]) -> Application:
    """Make the application; `config` names at least the DATABASE."""
    app = make_app({"LIMITS": False, "PHONE": True, "INSTANCE": None, **config})
    calls.register(app)
    register_pages(app)
    pages.register(app)
    page: Render = web.error_page
    errors.register(app, page=page, json=page)
    if (ROOT / COMPILED_TEMPLATES).exists():
        app.jinja_env.loader = ModuleLoader(ROOT / COMPILED_TEMPLATES)
    return app
