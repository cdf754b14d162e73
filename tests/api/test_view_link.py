"""The link alone reads: it writes by no route, method or header."""

import hashlib
import json
import re
from collections.abc import Iterable
from itertools import product

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.calling import (
    NOBODY,
    OFF,
    PLAYERS,
    Caller,
    Table,
    best_hand,
    correction,
    every_address,
    stored,
)
from tests.api.network import REQUESTS

UNSAFE = ["POST", "PUT", "PATCH", "DELETE"]
METHODS = ["GET", "HEAD", "OPTIONS", "TRACE", *UNSAFE]
BODIES = {"/events": correction(5), "/events/0": best_hand("Bo")}


# Where a secret gives the pen; any other leads to the table.
GIVING = re.compile("/(pen|recovery)/1$")
# What who reads may say, once they have said who they are; and the code of a payment.
NOTING = re.compile("/(doubt|to)$")


def pretend(table: Table, other: Table) -> list[dict[str, str]]:
    """Return the headers by which a client might try to pass for the keeper."""
    text = json.dumps(REQUESTS["pretending"])
    known = {"OTHER-PEN": other.pen, "OTHER-LINK": other.link, "LINK": table.link}
    known["DIGEST"] = hashlib.sha256(table.link.encode()).hexdigest()
    for word, value in known.items():
        text = text.replace(word, value)
    read: list[dict[str, str]] = json.loads(text)
    return read


def sweep(
    app: Flask,
    table: Table,
    client: FlaskClient,
    calls: Iterable[tuple[str, str]],
    **headers: str,
) -> None:
    """Send these calls, each with a valid body; the database stays as it was."""
    before = stored(app)
    for path, method in calls:
        body = BODIES.get(path.removeprefix(table.path))
        payload = {"json": body} if path.startswith("/api") else {"data": REQUESTS["form"]}
        with client.open(path, method=method, headers=headers, **payload) as answer:
            if method in UNSAFE and not path.startswith("/offline"):
                refused: tuple[int, ...] = (401, 404, 405)
                if NOTING.search(path):
                    refused = (303, 404, 405, 422)
                elif GIVING.search(path):
                    refused = (303, 405)
                assert answer.status_code in refused, (method, path, headers)
    assert stored(app) == before, headers


@pytest.mark.parametrize("ended", [False, True])
def test_the_link_alone_writes_by_no_route_method_or_header(alone: Flask, ended: bool) -> None:
    """Nor does the pen of another table, even after a visit to this one, or what a query names.

    An event was undone, so that there is a redo; or the game has ended, and the next could begin.
    """
    caller, stranger = Caller(alone.test_client()), alone.test_client()
    table, other = (caller.open(best_hand("Anna"), NOBODY) for _ in range(2))
    table.write("DELETE", "/events/last")
    if ended:
        table.record(OFF)
    addresses = every_address(alone, link=table.link, index=0)
    below = [(rule, path) for rule, path in addresses if "link" in rule.arguments]
    taken = [(path, method) for rule, path in below for method in rule.methods or ()]
    every, few = taken, [f"{table.path}/games"]
    if not ended:
        few += [f"/t/{table.link}/events", f"{table.path}/events", f"{table.path}/events/0"]
        every = [*product([path for _, path in below], METHODS)]
    asking = [f"pen={table.link}", "_method=DELETE", f"access_token={table.link}"]
    asked = product([f"{few[-1]}?{query}" for query in asking], METHODS)
    sweep(alone, table, alone.test_client(), [*every, *asked])
    stranger.post("/", data={"player": PLAYERS})
    stranger.get(f"/t/{table.link}")
    sweep(alone, table, stranger, taken, **{"HX-Request": "true"})
    for headers in pretend(table, other):
        client = alone.test_client(use_cookies="Cookie" not in headers)
        sweep(alone, table, client, product(few, METHODS), **headers)
    # The same requests with the pen would have written.
    assert table.record(correction(5)).status_code == (422 if ended else 201)
