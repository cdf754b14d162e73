"""The table's pages: the grid, the protocol, amending a game, and sharing it."""

from __future__ import annotations

from flask import Flask

from app.web.table import amend, dialogs, games, page, protocol, recovery, settings, share
from app.web.table.event_form import event_value
from app.web.table.grid_row import aloud

BLUEPRINTS = (
    page.bp,
    dialogs.bp,
    share.bp,
    recovery.bp,
    protocol.bp,
    games.bp,
    settings.bp,
    amend.bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    app.add_template_filter(event_value)
    app.add_template_filter(aloud)
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
