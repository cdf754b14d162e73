"""Codes to scan, read by an independent reader: their addresses answer."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from tests.api.certificate import Files
from tests.api.network import new_table, send
from tests.browser.serving import Server
from tests.codes import read_path, read_terminal


@contextmanager
def serving(folder: Path, factory: str = "", **environ: str) -> Iterator[Server]:
    """Serve within a block."""
    server = Server(folder, factory, **environ)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def view(server: Server, link: str, **headers: str) -> BeautifulSoup:
    """Open the sheet for readers, as the phone at the table does."""
    answer = send(server.port, "GET", f"/t/{link}/join", **headers)
    assert answer.status == 200
    return BeautifulSoup(answer.data, "html.parser")


def scanned(page: BeautifulSoup) -> str:
    """Return the address of the code on a sheet; the field beside it has the same one."""
    [code] = page.select("path.qrline")
    [field] = page.select("input.share")
    address = read_path(str(code["d"]))
    assert address == field["value"]
    return address


def answers(address: str, files: Files | None = None) -> bool:
    """Whether an address answers a phone with a page."""
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port
    connection = http.client.HTTPConnection(host, port)
    if parts.scheme == "https":
        trusting = files.trusting if files else None
        connection = http.client.HTTPSConnection(host, port, context=trusting)
    with closing(connection):
        connection.request("GET", parts.path or "/")
        return connection.getresponse().status == 200


def words(page: BeautifulSoup) -> str:
    """Return the text in the place of a code."""
    assert not page.select(".code svg")
    [told] = page.select(".code")
    return told.get_text()


def test_for_this_machine_alone_there_is_no_code(server: Server) -> None:
    """The network's address would not answer: the sheet says so instead."""
    link, _ = new_table(server.port)
    page = view(server, link, Host=f"localhost:{server.port}", **{"Accept-Language": "en"})
    assert "only this machine" in words(page)
    [field] = page.select("input.share")
    assert answers(str(field["value"]))


def test_a_configured_address_with_a_certificate_and_a_path(tmp_path: Path) -> None:
    """The terminal's code and the sheet's have the address, for any Host, and both answer."""
    files, url = Files(tmp_path), "https://localhost/x/chicago"
    with serving(tmp_path, CHICAGO_URL=url, **files.environment) as server:
        port = server.port

        def opens(address: str) -> bool:
            return answers(address.replace("localhost", f"localhost:{port}"), files)

        shown = read_terminal(server.log.read_text())
        assert shown == f"{url}/"
        assert opens(shown)
        connection = http.client.HTTPSConnection("localhost", port, context=files.trusting)
        with closing(connection):
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", "/", b"player=Anna&player=Bo&stake=1", kind)
            answer = connection.getresponse()
            answer.read()
            table = answer.headers["Location"]
            connection.request("GET", f"{table}/join", headers={"Host": f"127.0.0.1:{port}"})
            page = BeautifulSoup(connection.getresponse().read(), "html.parser")
        assert scanned(page) == f"{url}{table.removeprefix('/x/chicago')}"
        assert opens(scanned(page))
