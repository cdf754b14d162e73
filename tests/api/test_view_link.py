"""The link alone reads: it writes by no route, method or header."""

import hashlib
import itertools
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.calling import NOBODY, OFF, PLAYERS, Caller, Table, best_hand, correction, stored

UNSAFE = ["POST", "PUT", "PATCH", "DELETE"]
METHODS = ["GET", "HEAD", "OPTIONS", "TRACE", *UNSAFE]
# Fields of a form, valid for some addresses.
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
def app(alone: Flask) -> Flask:
    """Return an application with an empty database."""
    return alone


@pytest.fixture
def table(caller: Caller) -> Table:
    """Return a table with one undone event, so that there is a redo."""
    new = caller.open(best_hand("Anna"), NOBODY)
    new.write("DELETE", "/events/last")
    return new


@pytest.fixture
def ended(caller: Caller) -> Table:
    """Return a table with a finished game, so that the next could begin."""
    return caller.open(best_hand("Anna"), OFF)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """Return a browser that keeps a table of its own."""
    client = app.test_client()
    client.post("/", data={"player": PLAYERS, "preset": "huvudregler"})
    return client


def addresses(app: Flask, table: Table) -> Iterator[str]:
    """Yield every address of this table, with its link for every text parameter."""
    for rule in app.url_map.iter_rules():
        if "<link>" in rule.rule:
            path = re.sub(r"<int:\w+>", "0", rule.rule)
            yield re.sub(r"<(?:\w+:)?\w+>", table.link, path)


def ways(table: Table, other: Table) -> list[dict[str, str]]:
    """Return the headers by which a client might try to pass for the keeper."""
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
    """Send every method to every address, with a valid body.

    With pretending headers: one address of each kind, as the guards read headers only there.
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
    """The database stays as it was."""
    other = caller.open()
    before = stored(app)
    for headers in ways(table, other):
        sweep(app, table, app.test_client(use_cookies="Cookie" not in headers), headers)
        assert stored(app) == before, headers


def test_neither_the_link_nor_another_table_s_cookie_begins_a_game(
    app: Flask, ended: Table, stranger: FlaskClient
) -> None:
    """The pen of another table gives no right here, even after a visit to this table."""
    stranger.get(f"/t/{ended.link}")
    before = stored(app)
    sweep(app, ended, app.test_client(), {"Authorization": f"Bearer {ended.link}"})
    sweep(app, ended, stranger, {"HX-Request": "true"})
    assert stored(app) == before


def test_an_address_says_no_more_than_its_path(app: Flask, table: Table) -> None:
    """The query names neither a method nor a pen."""
    before = stored(app)
    for question in (f"pen={table.link}", "_method=DELETE", f"access_token={table.link}"):
        path = f"/api/tables/{table.link}/events/last?{question}"
        for method in METHODS:
            answer = app.test_client().open(path, method=method)
            assert answer.status_code in (200, 401, 404, 405)
    assert stored(app) == before


def test_the_pen_would_have_written(app: Flask, table: Table, ended: Table) -> None:
    """The same requests with the pen change the database, so that the tests above could fail."""
    for path, method in (("/events", "POST"), ("/events/0", "PUT"), ("/events/last", "DELETE")):
        before = stored(app)
        assert table.write(method, path, BODIES[path]).status_code < 300
        assert stored(app) != before
    assert ended.write("POST", "/games").status_code == 201
