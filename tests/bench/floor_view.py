"""The barest Flask view that does what a change and a page cannot do without.

`POST /insert` is on disk once it is answered, by the same SQLite with the same settings. `GET /`
reads one row and sends a page that was made and compressed beforehand, set by `PUT /`. Served as
the score keeper is: `gunicorn "tests.bench.floor_view:create_app()"`.
"""

from __future__ import annotations

import os
import threading
from contextlib import closing

from flask import Flask, Response, request
from sqlite_utils.utils import sqlite3

from app.http.in_progress import RequestsInProgress

SCHEMA = "CREATE TABLE IF NOT EXISTS facts (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"


def create_app() -> Flask:
    """Make the application; the connections of its threads wait in a list, as ours do."""
    app, path, turn = Flask("floor"), os.environ["FLOOR_DB"], threading.Lock()
    idle: list[sqlite3.Connection] = []
    page = Response()
    with closing(_connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(SCHEMA)
    # What the server looks at before it serves, of any application: it locks that database.
    app.config.update(LIMITS=False, PROXIES=0, DATABASE=os.environ["CHICAGO_DB"])
    app.extensions |= {"pool": None, "recording": RequestsInProgress()}

    @app.post("/insert")
    def insert() -> str:
        connection = idle.pop() if idle else _connect(path)
        with turn:
            row = [request.get_data(as_text=True)]
            connection.execute("INSERT INTO facts (body) VALUES (?)", row)
        idle.append(connection)
        return "{}"

    @app.put("/")
    def set_page() -> str:
        page.set_data(request.get_data())
        page.headers["Content-Encoding"] = request.headers["X-Encoding"]
        return "{}"

    @app.get("/")
    def read() -> Response:
        connection = idle.pop() if idle else _connect(path)
        connection.execute("SELECT id, body FROM facts WHERE id = 1").fetchone()
        idle.append(connection)
        return Response(page.data, headers=page.headers)

    return app


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous=FULL")
    return connection
