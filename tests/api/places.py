"""The score keeper under observation: its watchers and its yields; and the home of its machine."""

from __future__ import annotations

import logging
import time

import greenlet

from app import create_app
from app.http.application import Application
from app.http.context import db

HOME = "192.168.1.20"
YIELDED = "A transaction has let others go on"


def observed() -> Application:
    """Make an application that reports the number of watchers."""
    app = create_app()
    app.add_url_rule("/watching", "watching", lambda: str(db().changes.subscribers))
    return app


def one_thread() -> Application:
    """Make an application that logs an error where a transaction yields to another greenlet."""
    app = create_app()
    log = logging.getLogger("app.tests")

    def look(_event: str, _greenlets: object) -> None:
        database = vars(app).get("database")
        opened = database and vars(database)["_connection"]
        if opened and opened.conn.in_transaction:
            log.error(YIELDED)

    def yields() -> str:
        with db().transaction():
            time.sleep(0.001)
        return "yielded"

    greenlet.settrace(look)
    app.add_url_rule("/yields", "yields", yields)
    return app
