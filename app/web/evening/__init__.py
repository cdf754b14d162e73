"""The evening: won and lost, who pays whom, and who is who."""

from __future__ import annotations

from flask import Flask

from app.web.evening import page, payments, people

BLUEPRINTS = (
    page.bp,
    payments.bp,
    people.bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
