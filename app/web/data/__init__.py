"""Files out and in, the ledger for a spreadsheet, and erasure."""

from __future__ import annotations

from flask import Flask

from app.web.data import erasure, files

BLUEPRINTS = (
    files.bp,
    erasure.bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
