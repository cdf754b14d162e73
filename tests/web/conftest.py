"""Fixtures of the page tests: phones, and tables with recorded events."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from app.http.application import Application
from app.rules.gamefile import read_setup
from app.services import access, opening
from app.services.access import Write
from app.services.commit import commit
from app.services.play import Record
from app.store.database import Database
from tests.rules.table import Rules, write_facts
from tests.web.phone import Phone

NewPhone = Callable[..., Phone]
Seat = Callable[..., Phone]

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return the application that all tests share; each test has its own phones and tables."""
    served = serve(tmp_path_factory.mktemp("web") / "chicago.db")
    yield served
    served.close()


def serve(database: Path) -> Application:
    """Start an application that raises its exceptions instead of showing an error page."""
    return create_app({"DATABASE": str(database), "LIMITS": False, "PROPAGATE_EXCEPTIONS": True})


@pytest.fixture(scope="session")
def db(app: Flask) -> Iterator[Database]:
    """Return the application's database, opened a second time."""
    opened = Database(app.config["DATABASE"])
    yield opened
    opened.close()


@pytest.fixture
def new_phone(app: Flask) -> NewPhone:
    """Return a function that makes phones, in English, each with its own cookies."""

    def turn_on(*, htmx: bool = False, language: str = "en") -> Phone:
        return Phone(app.test_client(), htmx, language)

    return turn_on


@pytest.fixture
def phone(new_phone: NewPhone) -> Phone:
    """Return a phone that has sent no request yet."""
    return new_phone()


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def either(request: pytest.FixtureRequest, new_phone: NewPhone) -> Phone:
    """Return a phone, once without scripts and once with them."""
    return new_phone(htmx=request.param)


@pytest.fixture
def seat(db: Database) -> Seat:
    """Return a function that opens a table for a phone, with any rules and recorded events."""

    def sit(
        phone: Phone,
        *happened: str | Rules,
        players: list[str] | None = None,
        **setup: object,
    ) -> Phone:
        seated = players or PLAYERS
        raw = {"players": seated, "dealer": seated[-1], **setup}
        with phone.client.session_transaction() as cookie:
            pen = cookie["pen"] = cookie.get("pen") or access.new_pen()
            link = opening.open_table(db, read_setup(raw), "", pen)
            cookie["tables"] = {link: False} | cookie.get("tables", {})
        for event in write_facts(*happened):
            commit(db, Write(link, pen), Record(event))
        phone.sit(f"/t/{link}")
        return phone

    return sit


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table of four under the default rules."""
    return seat(phone)


@pytest.fixture
def reader(keeper: Phone, new_phone: NewPhone) -> Phone:
    """Return a second phone, which has opened the link of that table."""
    other = new_phone()
    other.open(keeper.table)
    return other
