"""The pages on which house rules are changed, read and passed on."""

from __future__ import annotations

from flask import Flask

from app.web.rules import filters, page, routes

BLUEPRINTS = (routes.bp, page.bp)


def register(app: Flask) -> None:
    """Add these pages to the application, and to every template what they put into words."""
    app.jinja_env.filters.update(filters.FILTERS)
    app.jinja_env.tests["low_hand"] = filters.is_low_hand
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
