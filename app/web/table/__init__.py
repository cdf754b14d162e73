"""The table's pages: the grid, the protocol, amending a game, and sharing it."""

from __future__ import annotations

from flask import Flask

from app.web.table import amend, dialogs, page, protocol, share

BLUEPRINTS = (
    page.bp,
    dialogs.bp,
    share.bp,
    protocol.bp,
    amend.bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
