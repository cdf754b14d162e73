"""The page that compares hands."""

from __future__ import annotations

from flask import Flask

from app.web.compare import page

BLUEPRINTS = (page.bp,)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
