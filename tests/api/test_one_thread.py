"""One thread and one connection: no transaction may yield to other requests."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from urllib.parse import urlencode

from flask import Flask
from werkzeug.serving import make_server

from tests.api.calling import shut_down
from tests.api.network import new_table, send
from tests.api.places import YIELDED
from tests.bench.filling import cookie
from tests.browser.serving import UNWANTED, Server
from tests.hard.cases import long_game, upload
from tests.hard.keepers import begin

FORM = "application/x-www-form-urlencoded"


def test_no_transaction_lets_others_go_on(observed: Server) -> None:
    """Concurrent records, mends and reads, an import and an erasure do not yield within one."""
    before, load = len(observed.log.read_text()), begin(observed.port)
    table, pen = new_table(observed.port)
    body, kind = upload(long_game())
    assert send(observed.port, "POST", "/files", body, **{"Content-Type": kind}).status == 303
    form = urlencode({"what": "name", "name": "Anna", "sure": "yes"}).encode()
    headers = {"Cookie": cookie(pen), "Content-Type": FORM}
    assert send(observed.port, "POST", f"/t/{table}/forget", form, **headers).status == 303
    load.wait_for_more(30)
    assert load.stop() == []
    assert not UNWANTED.search(observed.log.read_text(), before)
    # A transaction that does yield is found.
    assert send(observed.port, "GET", "/yields").status == 200
    observed.until(lambda log: YIELDED in log[before:])


@contextmanager
def served(app: Flask, *, threaded: bool) -> Iterator[int]:
    """Serve by Flask's own server for the length of a block, and yield its port."""
    server = make_server("127.0.0.1", 0, app, threaded=threaded)

    def serve() -> None:
        server.serve_forever()
        shut_down(app)

    serving = threading.Thread(target=serve)
    serving.start()
    yield server.port
    server.shutdown()
    serving.join()


def test_a_server_with_threads_is_refused_in_a_sentence(alone: Flask) -> None:
    """Each request gets the same answer, pages and calls of programs alike."""
    with served(alone, threaded=True) as port, ThreadPoolExecutor(8) as pool:
        paths = ["/", "/rules", "/nothing", "/healthz", "/api/openapi.json"] * 8
        answers = {(each.status, each.data) for each in pool.map(partial(send, port, "GET"), paths)}
    [(status, sentence)] = answers
    assert status == 503
    assert b"make run" in sentence


def test_a_server_without_threads_is_good_enough(alone: Flask) -> None:
    """What it asks for is one thread, not gunicorn."""
    with served(alone, threaded=False) as port:
        assert [send(port, "GET", path).status for path in ("/rules", "/healthz")] == [200, 200]
