"""The barest Flask view that does what a change and a page cannot do without.

`POST /insert` is on disk once it is answered, by the same SQLite with the same settings. `GET /`
reads one row and sends a page that was made and compressed beforehand, set by `PUT /`. Served as
the score keeper is: `gunicorn "tests.bench.floor_view:create_app()"`.
"""

import os

from flask import Flask, Response, request
from sqlite_utils.utils import sqlite3

SCHEMA = "CREATE TABLE IF NOT EXISTS facts (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"


def create_app() -> Flask:
    """Make the application, with one connection, as ours has."""
    app, page = Flask("floor"), Response()
    connection = _connect(os.environ["FLOOR_DB"])
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(SCHEMA)

    @app.post("/insert")
    def insert() -> str:
        row = [request.get_data(as_text=True)]
        connection.execute("INSERT INTO facts (body) VALUES (?)", row)
        return "{}"

    @app.put("/")
    def set_page() -> str:
        page.set_data(request.get_data())
        page.headers["Content-Encoding"] = request.headers["X-Encoding"]
        return "{}"

    @app.get("/")
    def read() -> Response:
        connection.execute("SELECT id, body FROM facts WHERE id = 1").fetchone()
        return Response(page.data, headers=page.headers)

    return app


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    return connection
