"""The table's pages: the grid, the protocol, amending a game, and sharing it."""

from __future__ import annotations

from flask import Flask

from app.web.table import amend, dialogs, page, protocol, recovery, share
from app.web.table.event_form import event_value

BLUEPRINTS = (
    page.bp,
    dialogs.bp,
    share.bp,
    recovery.bp,
    protocol.bp,
    amend.bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    app.add_template_filter(event_value)
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
