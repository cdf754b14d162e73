"""The score keeper observed: how many watch tables; and the home of the machine that runs it."""

from __future__ import annotations

from flask import Flask

from app import create_app
from app.http.context import pool

HOME = "192.168.1.20"


def observed() -> Flask:
    """Make an application that tells how many watch tables."""
    app = create_app()
    app.add_url_rule("/watching", "watching", lambda: str(pool().changes.subscribers))
    return app
