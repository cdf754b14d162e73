"""Codes to scan, read by an independent reader: their addresses answer."""

from __future__ import annotations

import http.client
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from tests.api.certificate import Files
from tests.api.network import new_table, send
from tests.browser.serving import Server
from tests.codes import read_path, read_terminal

URL = "https://localhost/x/chicago"


def test_for_this_machine_alone_there_is_no_code(server: Server) -> None:
    """The network's address would not answer: the sheet says so instead."""
    link, _ = new_table(server.port)
    headers = {"Host": f"localhost:{server.port}", "Accept-Language": "en"}
    page = BeautifulSoup(send(server.port, "GET", f"/t/{link}/join", **headers).data, "html.parser")
    [told], [field] = page.select(".code"), page.select("input.share")
    assert not told.select("svg")
    assert "only this machine" in told.text
    assert send(server.port, "GET", urlsplit(str(field["value"])).path).status == 200


def test_a_configured_address_with_a_certificate_and_a_path(tmp_path: Path) -> None:
    """The terminal's code and the sheet's have the address, for any Host, and both answer."""
    files = Files(tmp_path)
    server = Server(tmp_path, CHICAGO_URL=URL, **files.environment)
    server.start()
    link, host = "", {"Host": f"127.0.0.1:{server.port}"}
    connection = http.client.HTTPSConnection("localhost", server.port, context=files.trusting)
    with closing(connection):

        def read(path: str, **headers: str) -> bytes:
            connection.request("GET", urlsplit(path).path, headers=headers)
            answer = connection.getresponse()
            assert answer.status == 200
            return answer.read()

        shown = read_terminal(server.log.read_text())
        assert shown == f"{URL}/"
        read(shown)
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/", b"player=Anna&player=Bo&stake=1", kind)
        with connection.getresponse() as answer:
            answer.read()
            link = answer.headers["Location"].removeprefix("/x/chicago")
        page = BeautifulSoup(read(f"{URL}{link}/join", **host), "html.parser")
        [code], [field] = page.select("path.qrline"), page.select("input.share")
        assert read_path(str(code["d"])) == field["value"] == f"{URL}{link}"
        read(str(field["value"]))
    server.stop()
