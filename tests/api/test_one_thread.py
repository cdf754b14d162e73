"""One thread and one connection: no transaction may yield to other requests."""

from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.test import create_environ, run_wsgi_app

from tests.api.network import new_table, send
from tests.api.places import YIELDED
from tests.bench.filling import cookie
from tests.browser.serving import UNWANTED, Server
from tests.hard.cases import long_game, upload
from tests.hard.neighbour import Neighbour

FORM = "application/x-www-form-urlencoded"


def test_no_transaction_lets_others_go_on(observed: Server) -> None:
    """Concurrent records, edits and reads, an import and an erasure do not yield within one."""
    before, port = len(observed.log.read_text("utf-8")), observed.port
    with Neighbour(port) as one, Neighbour(port) as other:
        table, pen = new_table(port)
        body, kind = upload(long_game())
        assert send(port, "POST", "/files", body, **{"Content-Type": kind}).status == 303
        form = urlencode({"what": "name", "name": "Anna", "sure": "yes"}).encode()
        headers = {"Cookie": cookie(pen), "Content-Type": FORM}
        assert send(port, "POST", f"/t/{table}/forget", form, **headers).status == 303
    assert (one.refused, other.refused) == (0, 0)
    assert not UNWANTED.search(observed.log.read_text("utf-8"), before)
    # A transaction that does yield is found.
    assert send(port, "GET", "/yields").status == 200
    observed.until(lambda log: YIELDED in log[before:])


@pytest.mark.parametrize("path", ["/", "/rules", "/nothing", "/healthz", "/api/openapi.json"])
def test_a_server_with_threads_is_refused_in_a_sentence(app: Flask, path: str) -> None:
    """One that says that it has none is good enough, and so is one that says nothing of them."""
    usual = create_environ(path)
    del usual["wsgi.multithread"]
    for told in ({"wsgi.multithread": False}, {}):
        _, status, _ = run_wsgi_app(app.wsgi_app, usual | told, buffered=True)
        assert not status.startswith("503")
    body, status, _ = run_wsgi_app(app.wsgi_app, usual | {"wsgi.multithread": True}, buffered=True)
    assert status.startswith("503")
    assert b"make run" in b"".join(body)
