"""The link alone reads: it writes by no route, method or header."""

import hashlib
import re
from collections.abc import Iterable
from contextlib import closing
from itertools import product

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlite_utils import Database

from tests.api.calling import NOBODY, OFF, PLAYERS, Caller, correction, every_address, fill
from tests.api.network import REQUESTS

UNSAFE = ["POST", "PUT", "PATCH", "DELETE"]
METHODS = ["GET", "HEAD", "OPTIONS", "TRACE", *UNSAFE]
# Who reads may pull, say something, and ask for the code of a payment; where a secret gives the
# pen, any other leads to the table.
OF_READERS = re.compile("^/offline|/(doubt|to|pen/1|recovery/1)$")


def sweep(client: FlaskClient, calls: Iterable[tuple[str, str]], **headers: str) -> None:
    """Send these calls, each with a valid body; the database stays as it was."""
    with closing(Database(client.application.config["DATABASE"])) as database:
        [before] = database.query("PRAGMA data_version")
        for path, method in calls:
            body = {"data": REQUESTS["form"]}
            if path.startswith("/api"):
                body = {"json": correction(5)}
            with client.open(path, method=method, headers=headers, **body) as answer:
                if method in UNSAFE and not OF_READERS.search(path):
                    assert answer.status_code in (401, 404, 405), (method, path, headers)
        assert [*database.query("PRAGMA data_version")] == [before], headers


@pytest.mark.parametrize("ended", [False, True])
def test_the_link_alone_writes_by_no_route_method_or_header(alone: Flask, ended: bool) -> None:
    """Nor does the pen of another table, even after a visit to this one, or what a query names.

    An event was undone, so that there is a redo; or the game has ended, and the next could begin.
    """
    caller, stranger = Caller(alone.test_client()), alone.test_client()
    table, other = (caller.open(correction(1), NOBODY) for _ in range(2))
    table.write("DELETE", "/events/last")
    if ended:
        table.record(OFF)
    addresses = every_address(alone, link=table.link, index=0)
    below = [(path, rule.methods or ()) for rule, path in addresses if "link" in rule.arguments]
    taken = [(path, method) for path, methods in below for method in methods]
    every, few = taken, [f"{table.path}/games"]
    if not ended:
        few += [f"/t/{table.link}/events", f"{table.path}/events", f"{table.path}/events/0"]
        every = [*product([path for path, _ in below], METHODS)]
    asking = [f"pen={table.link}", "_method=DELETE", f"access_token={table.link}"]
    asked = product([f"{few[-1]}?{query}" for query in asking], METHODS)
    sweep(alone.test_client(), [*every, *asked])
    stranger.post("/", data={"player": PLAYERS})
    stranger.get(f"/t/{table.link}")
    sweep(stranger, taken, **{"HX-Request": "true"})
    known = {"OTHER-PEN": other.pen, "OTHER-LINK": other.link, "LINK": table.link}
    known["DIGEST"] = hashlib.sha256(table.link.encode()).hexdigest()
    for headers in fill(REQUESTS["pretending"], **known):
        client = alone.test_client(use_cookies="Cookie" not in headers)
        sweep(client, product(few, METHODS), **headers)
    # The same requests with the pen would have written.
    assert table.record(correction(5)).status_code == (422 if ended else 201)
