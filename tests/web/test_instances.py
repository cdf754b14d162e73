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
from tests.empty_database import copy_empty_database
from tests.web.conftest import PLAYERS
from tests.web.phone import Phone

NAMES = ("a", "b")
FORM = {"player": PLAYERS, "stake": "1", "dealer": "0"}
NAMED = re.compile(r"/(?:t|transfer|start)/([a-z0-9]+)\.")


class Instances:
    """Servers with one database each, independent of each other."""

    def __init__(self, folder: Path) -> None:
        self.apps = {
            name: create_app(
                {
                    "DATABASE": str(copy_empty_database(folder / name / "chicago.db")),
                    "LIMITS": False,
                    "INSTANCE": name,
                }
            )
            for name in NAMES
        }
        # The proxy sends requests without a name to this server, perhaps another one each time.
        self.home = "a"

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Forward a request to the server that its link names."""
        named = NAMED.match(environ["PATH_INFO"])
        return self.apps[named[1] if named else self.home].wsgi_app(environ, start)

    def turn_on(self) -> Phone:
        """Return a new phone in English, with its own cookies."""
        return Phone(cast("FlaskClient", Client(self, TestResponse)))


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instances]:
    """Return two servers behind a proxy."""
    several = Instances(tmp_path_factory.mktemp("instances"))
    yield several
    for app in several.apps.values():
        shut_down(app)


@pytest.fixture
def phone(instances: Instances) -> Phone:
    """Return a phone that has opened a table at each server, the last one at b."""
    phone = instances.turn_on()
    for instances.home in NAMES:
        phone.send("/", {**FORM, "name": f"At {instances.home}"})
    return phone


def test_a_table_of_another_server_fetches_its_row_from_there(
    instances: Instances, phone: Phone
) -> None:
    """Without scripts, and while that server is down, the row is a link that says so."""
    instances.home = "a"
    page = phone.open("/tables")
    assert "At a" in page.text
    assert "At b" not in page.text
    [row] = page.elements("li[hx-get]")
    assert row["hx-get"] == f"{phone.table}/row"
    assert [link.href for link in page.links if link.href == phone.table]
    assert "At b" in phone.open(str(row["hx-get"])).text


def test_the_start_goes_on_at_the_table_opened_last(instances: Instances, phone: Phone) -> None:
    """Either server links to it."""
    for instances.home in NAMES:
        assert phone.table in [link.href for link in phone.open("/").links]


def test_tables_of_another_server_are_put_away_and_taken_along(
    instances: Instances, phone: Phone
) -> None:
    """The link of a table is enough for both; the pen comes along from the transfer's server."""
    instances.home = "a"
    phone.send("/tables", {"table": phone.table.removeprefix("/t/"), "do": "away"})
    assert "Tables put away" in phone.open("/tables").text
    page = phone.submit(next(b for b in phone.open("/transfer").buttons if b.action == "/transfer"))
    [address] = [field["value"] for field in page.elements("input.share[readonly]")]
    other, instances.home = instances.turn_on(), "b"
    other.open("/" + str(address).split("/", 3)[3])
    assert "2 tables, 1 of them with the pen" in other.page.text
    other.press("Add them here")
    assert {str(row["hx-get"])[:5] for row in other.page.elements("li[hx-get]")} == {"/t/a."}
    assert "Tables put away" in other.page.text
