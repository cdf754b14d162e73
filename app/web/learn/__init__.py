"""The pages for who learns the game; the sample game is registered where it is carried."""

from __future__ import annotations

from flask import Flask

from app.web.learn import how


def register(app: Flask) -> None:
    """Add how Chicago is played to the application."""
    app.register_blueprint(how.bp)
