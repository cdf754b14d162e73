"""One thread and one connection: no transaction may yield to other requests."""

from pathlib import Path
from urllib.parse import urlencode

from tests.api.network import new_table, send
from tests.api.places import YIELDED
from tests.bench.filling import cookie
from tests.browser.serving import Server
from tests.hard.cases import long_game, upload
from tests.hard.kills import begin

FACTORY = "tests.api.places:one_thread()"
FORM = "application/x-www-form-urlencoded"


def test_no_transaction_lets_others_go_on(tmp_path: Path) -> None:
    """Concurrent records, mends and reads, an import and an erasure do not yield within one."""
    server = Server(tmp_path, FACTORY)
    server.start()
    load = begin(server, 1)
    table, pen = new_table(server.port)
    body, kind = upload(long_game())
    assert send(server.port, "POST", "/files", body, **{"Content-Type": kind}).status == 303
    form = urlencode({"what": "name", "name": "Anna", "sure": "yes"}).encode()
    headers = {"Cookie": cookie(pen), "Content-Type": FORM}
    assert send(server.port, "POST", f"/t/{table}/forget", form, **headers).status == 303
    load.wait_for_more(30)
    load.stop()
    assert load.failures == []
    server.stop()
    assert YIELDED not in server.log.read_text()


def test_a_transaction_that_does_is_found(tmp_path: Path) -> None:
    """The check finds a transaction that yields, so that the test above can fail."""
    server = Server(tmp_path, FACTORY)
    server.start()
    assert send(server.port, "GET", "/yields").status == 200
    server.kill()
    server.stop()
    assert YIELDED in server.log.read_text()
