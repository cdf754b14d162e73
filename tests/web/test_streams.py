"""A stream shows each phone what it may see at that moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask

from app.services import tables
from app.store.database import Pool
from tests.web.conftest import NewPhone
from tests.web.phone import Phone


@contextmanager
def watching(phone: Phone, page: str = "") -> Iterator[Callable[[], str]]:
    """Watch the table; what is given returns the next message."""
    with phone.client.get(f"{phone.table}{page}/live", headers=phone.headers) as answer:
        stream = answer.iter_encoded()
        next(stream)
        yield lambda: next(stream).decode()


@pytest.fixture
def other(keeper: Phone, new_phone: NewPhone, app: Flask) -> Phone:
    """Return a second phone that writes at the keeper's table."""
    phone = new_phone()
    phone.open("/")
    with phone.client.session_transaction() as cookie:
        pen = cookie["pen"] = tables.new_pen()
    pool: Pool = app.extensions["pool"]
    with pool.transaction() as connection:
        table = tables.find_table(connection, keeper.table.removeprefix("/t/"))
        sql = "INSERT INTO pens (table_id, secret_hash, granted_at) VALUES (?, ?, '')"
        connection.execute(sql, [table.id, tables.hash_secret(pen)])
    phone.open(keeper.table)
    return phone


def take_back(keeper: Phone) -> None:
    """Let only this phone write."""
    keeper.send(f"{keeper.table}/pen/back", {})
    assert keeper.answer.status_code == 303


def test_a_phone_whose_pen_is_taken_back_sees_what_readers_see(keeper: Phone, other: Phone) -> None:
    """At once, without any form; whoever still writes keeps the grid."""
    with watching(other) as theirs, watching(keeper) as mine:
        assert "<form" in theirs()
        assert "<form" in mine()
        take_back(keeper)
        assert "<form" not in theirs()
        assert "<form" in mine()
