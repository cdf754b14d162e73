"""The start, the list of tables, and seating a new table or a table's next game."""

from __future__ import annotations

from flask import Flask

from app.web.setup import new_table, next_game, revise, table_list

BLUEPRINTS = (
    new_table.bp,
    next_game.bp,
    revise.bp,
    table_list.bp,
    table_list.row_bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)
