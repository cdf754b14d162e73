"""The calls by which a phone that went on without a network and the server come together again."""

from __future__ import annotations

from flask import Flask

from app.sync import routes


def register(app: Flask) -> None:
    """Add the calls to the application."""
    app.register_blueprint(routes.bp)
