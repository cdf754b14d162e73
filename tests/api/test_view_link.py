"""Whoever has only the link of a table reads: no route, method or header writes."""

import hashlib
import itertools
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from app.services import tables
from tests.api.calling import (
    NOBODY,
    PLAYERS,
    Caller,
    Table,
    best_hand,
    correction,
    database_tables,
)

UNSAFE = ["POST", "PUT", "PATCH", "DELETE"]
METHODS = ["GET", "HEAD", "OPTIONS", "TRACE", *UNSAFE]
# Whatever stands for a number in an address; and what a form may hold, right for some of them.
NUMBER = "0"
FORM = {
    "seq": "4",
    "event": "correction",
    "player": "Anna",
    "points": "5",
    "sign": "+",
    "hand": "pair",
    "name": "Eva",
    "settle": "1",
    "preset": "pagat",
    "do": "save",
    "_method": "DELETE",
}
BODIES = {
    "/events": correction(5),
    "/events/0": best_hand("Bo"),
    "/events/last": None,
    "/games": None,
}


@pytest.fixture
def table(caller: Caller) -> Table:
    """Return a table where one event has been undone, so that there is something to redo."""
    new = caller.open(best_hand("Anna"), NOBODY)
    new.write("DELETE", "/events/last")
    return new


@pytest.fixture
def ended(caller: Caller) -> Table:
    """Return a table whose game is over, so that the next could begin."""
    return caller.open(best_hand("Anna"), {"event": "break_off", "settle": True})


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """Return a browser that keeps a table of its own, and has opened the other's view."""
    client = app.test_client()
    client.post("/", data={"player": PLAYERS, "preset": "huvudregler"})
    return client


def rows_of(app: Flask, table: Table) -> dict[str, list[object]]:
    """Return everything that is on disk about a table."""
    pool = app.extensions["pool"]
    connection = pool.connection
    number = tables.read_table_id(pool, table.link)
    rows = connection.execute("SELECT * FROM tables WHERE id = ?", [number])
    rows_by_name = {"tables": rows.fetchall()}
    games = "SELECT id FROM games WHERE table_id = ?"
    where = {"table_id": "table_id = ?", "game_id": f"game_id IN ({games})"}
    for name in database_tables(connection):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        for column in where.keys() & columns:
            rows = connection.execute(f"SELECT * FROM {name} WHERE {where[column]}", [number])
            rows_by_name[name] = rows.fetchall()
    pool.release()
    return rows_by_name


def addresses(app: Flask, table: Table) -> Iterator[str]:
    """Return every address there is at this table, and those where tables are opened."""
    for rule in app.url_map.iter_rules():
        if "<link>" in rule.rule or rule.rule in ("/", "/api/tables"):
            yield filled(rule, table)


def filled(rule: Rule, table: Table) -> str:
    """Return a rule's address with the link wherever a text belongs."""
    path = re.sub(r"<int:\w+>", NUMBER, rule.rule)
    return re.sub(r"<(?:\w+:)?\w+>", table.link, path)


def ways(table: Table, other: Table) -> list[dict[str, str]]:
    """Return the headers by which somebody might try to pass for the keeper."""
    digest = hashlib.sha256(table.link.encode()).hexdigest()
    secrets = [table.link, digest, other.pen, other.link, "null", "undefined", "*"]
    overriding = ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")
    return [
        {},
        *({"Authorization": f"Bearer {secret}"} for secret in secrets),
        {"Authorization": f"Basic {table.link}"},
        {"Authorization": table.link},
        {"X-Pen": table.link, "Pen": table.link, "Cookie": f"pen={table.link}"},
        {"Cookie": f"chicago={table.link}; session={table.link}"},
        *({header: method} for header in overriding for method in ("POST", "DELETE")),
        {"X-Original-URL": f"/api/tables/{table.link}/events/last", "X-Rewrite-URL": "/"},
        {"HX-Request": "true", "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": "127.0.0.1"},
        {"Idempotency-Key": "view"},
    ]


def sweep(app: Flask, table: Table, client: FlaskClient, headers: dict[str, str]) -> None:
    """Call every address by every method, with a body that would do.

    With headers that pretend something: one address of each kind, as the guards ask only there.
    """
    methods, paths = METHODS, list(addresses(app, table))
    if headers:
        methods = ["GET", *UNSAFE]
        paths = [f"/t/{table.link}/events", *(f"/api/tables/{table.link}{path}" for path in BODIES)]
    for path, method in itertools.product(paths, methods):
        below = path.removeprefix(f"/api/tables/{table.link}")
        body = {"json": BODIES.get(below)} if path.startswith("/api") else {"data": FORM}
        payload = body if method in UNSAFE else {}
        with client.open(path, method=method, headers=headers, **payload) as answer:
            if path.startswith("/api/tables/") and method in UNSAFE:
                assert answer.status_code in (401, 404, 405), (method, path, headers)


def test_the_link_alone_writes_by_no_route_method_or_header(
    app: Flask, caller: Caller, table: Table
) -> None:
    """Everything on disk about the table stays as it was."""
    before = rows_of(app, table)
    for headers in ways(table, caller.open()):
        sweep(app, table, app.test_client(use_cookies="Cookie" not in headers), headers)
        assert rows_of(app, table) == before, headers


def test_the_link_alone_begins_no_game(app: Flask, ended: Table) -> None:
    """Nor does it write where the game is over."""
    before = rows_of(app, ended)
    sweep(app, ended, app.test_client(), {"Authorization": f"Bearer {ended.link}"})
    assert rows_of(app, ended) == before


def test_the_cookie_of_another_table_does_not_write_either(
    app: Flask, table: Table, ended: Table, stranger: FlaskClient
) -> None:
    """Having a pen, and having seen the table, is not having its pen."""
    for watched in (table, ended):
        stranger.get(f"/t/{watched.link}")
        before = rows_of(app, watched)
        sweep(app, watched, stranger, {} if watched is table else {"HX-Request": "true"})
        assert rows_of(app, watched) == before


def test_an_address_says_no_more_than_its_path(app: Flask, table: Table) -> None:
    """Neither a method nor a pen can be asked for behind a question mark."""
    before = rows_of(app, table)
    client = app.test_client()
    for question in (f"pen={table.link}", "_method=DELETE", f"access_token={table.link}"):
        for method in METHODS:
            path = f"/api/tables/{table.link}/events/last?{question}"
            assert client.open(path, method=method).status_code in (200, 401, 404, 405)
    assert rows_of(app, table) == before


def test_the_pen_would_have_written(app: Flask, table: Table, ended: Table) -> None:
    """The same calls with the pen change what is on disk: the tests above could fail."""
    for path, method in (("/events", "POST"), ("/events/0", "PUT"), ("/events/last", "DELETE")):
        before = rows_of(app, table)
        assert table.write(method, path, BODIES[path]).status_code < 300
        assert rows_of(app, table) != before
    assert ended.write("POST", "/games").status_code == 201


def test_a_browser_with_the_pen_would_have_written(app: Flask, stranger: FlaskClient) -> None:
    """So would its own table's forms."""
    with stranger.session_transaction() as cookie:
        own = Table(Caller(stranger), next(iter(cookie["tables"])), "")
    before = rows_of(app, own)
    stranger.post(f"/t/{own.link}/events", data={**FORM, "seq": str(own.seq)})
    stranger.post(f"/t/{own.link}/pen", data={"seq": str(own.seq)})
    assert rows_of(app, own) != before
