"""The pages on which house rules are changed, read and passed on."""

from __future__ import annotations

from flask import Flask

from app.web.rules import routes

BLUEPRINTS = (routes.bp,)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
