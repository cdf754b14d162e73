"""Links that give the pen: when they expire, what is said of them, and who sees them."""

from __future__ import annotations

import pytest
from flask import Flask

from app.services import access
from app.services.access import Write
from app.store.database import Database
from tests.api.calling import Stream
from tests.web.conftest import NewPhone
from tests.web.evenings import hand_over, store_of
from tests.web.phone import Phone, writes


@pytest.mark.parametrize("page", ["/join", "/recovery"])
def test_looking_at_a_link_changes_nothing_and_tells_nobody(
    keeper: Phone, new_phone: NewPhone, db: Database, page: str
) -> None:
    """The page asks; no cache stores it, and linked sites do not learn its address."""
    path, other = hand_over(keeper, page), new_phone()
    before = db.connection.execute("PRAGMA data_version").fetchone()
    for phone in (other, keeper):
        phone.open(path)
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"
        assert phone.client.head(path).status_code == 200
    assert db.connection.execute("PRAGMA data_version").fetchone() == before


def test_a_link_that_expired_gives_no_pen(keeper: Phone, new_phone: NewPhone, db: Database) -> None:
    """It leads to where one reads, with the reason."""
    path, late = hand_over(keeper), new_phone()
    late.open(path)
    db.connection.execute("UPDATE pens SET granted_at = '2020-01-01T00:00Z' WHERE kind = 'link'")
    late.press("Take the pen")
    assert late.answer.status_code == 303
    assert "within 15 minutes" in late.page.announcement
    assert not writes(late, keeper.table)


@pytest.mark.parametrize("obstacle", ["", "here"])
def test_nothing_is_said_of_a_code_where_there_is_none(
    keeper: Phone, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    """The page offers no code to scan, and gives the lifetime of the link instead."""
    monkeypatch.setattr("app.http.context.obstacle", lambda: obstacle)
    keeper.open(f"{keeper.table}/join")
    page = keeper.press("Let somebody else write too")
    assert bool(page.elements(".code svg")) is not bool(obstacle)
    assert ("The code works once" in page.text) is not bool(obstacle)
    assert ("The link works once" in page.text) is bool(obstacle)


def test_an_open_page_whose_pen_is_revoked_reads_on(app: Flask, keeper: Phone) -> None:
    """With the next change it offers nothing that writes."""
    link, db = keeper.table[3:], store_of(app)
    stream = Stream(keeper.client, f"{keeper.table}/live")
    before = stream.next()
    with db.transaction() as connection:
        access.add_pen(connection, access.find_access(connection, link, None).id, "another")
    access.revoke_others(db, Write(link, "another"))
    after = stream.next()
    stream.close()
    assert [b"<form" in told for told in (before, after)] == [True, False]
