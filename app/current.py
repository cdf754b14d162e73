"""What the request at hand works with: the database, and the pen that came with it."""

from __future__ import annotations

from threading import Lock

from flask import Flask, current_app, session

from app.store import Store

_opening = Lock()


def register(app: Flask) -> None:
    """Lend each request a connection, and take it back when the request is over."""
    app.teardown_appcontext(lambda _: _give_back(app))


def store() -> Store:
    """The database of this application, opened when it is first asked for."""
    with _opening:
        if "store" not in current_app.extensions:
            current_app.extensions["store"] = Store(current_app.config["DATABASE"])
    kept: Store = current_app.extensions["store"]
    return kept


def pen() -> str | None:
    """The secret this browser writes with, None for one that has only read."""
    secret = session.get("pen")
    return secret if isinstance(secret, str) else None


def _give_back(app: Flask) -> None:
    if "store" in app.extensions:
        app.extensions["store"].give_back()
