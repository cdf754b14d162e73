"""Several servers behind a proxy, with the tables divided among them by their link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from flask.testing import FlaskClient
from werkzeug.test import Client, TestResponse

from app import create_app
from tests.api.calling import shut_down
from tests.web.phone import Phone
from tests.web.test_transfers import ADD, make_link

NAMED = re.compile(r"/(?:t|transfer)/(\w)\.")


class Proxy:
    """Servers by their names; those without one in the address come to that at home."""

    def __init__(self, folder: Path) -> None:
        configured = {"LIMITS": False}
        self.apps = {
            name: create_app({**configured, "DATABASE": str(folder / name), "INSTANCE": name})
            for name in ("a", "b")
        }
        self.home = "a"

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Forward a request to the server that its link names."""
        named = NAMED.match(environ["PATH_INFO"])
        return self.apps[named[1] if named else self.home].wsgi_app(environ, start)

    def phone(self) -> Phone:
        """Return a new phone in English, with its own cookies."""
        return Phone(cast("FlaskClient", Client(self, TestResponse)))


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    """Return two servers behind a proxy."""
    made = Proxy(tmp_path)
    yield made
    for app in made.apps.values():
        shut_down(app)


def test_tables_of_two_servers_are_one_list(proxy: Proxy) -> None:
    """A row comes from its table's server; the start, putting away and a transfer know the link."""
    phone, other = proxy.phone(), proxy.phone()
    for proxy.home in ("b", "a", "b"):
        phone.send("/", {"player": ["Anna", proxy.home], "stake": "1"})
    proxy.home = "a"
    assert phone.table in [link.href for link in phone.open("/").links]
    rows = phone.open("/tables").elements("li[hx-get]")
    assert len(rows) == 2
    # Without scripts, and while that server is down, the row is a link.
    assert phone.table in [link.href for link in phone.page.links]
    assert "Anna, b" not in phone.page.text
    assert "Anna, b" in phone.open(f"{phone.table}/row").text
    phone.send("/tables", {"table": phone.table.removeprefix("/t/"), "do": "away"})
    assert "Tables put away" in phone.open("/tables").text
    path, proxy.home = make_link(phone, "/transfer"), "b"
    other.open(path)
    listed = other.press(ADD)
    assert [str(row["hx-get"])[:5] for row in listed.elements("li[hx-get]")] == ["/t/a."]
    assert "Tables put away" in listed.text
