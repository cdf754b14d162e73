"""A link that gives the pen: it asks, gives it by a tap, or says why it does not."""

from __future__ import annotations

import pytest

from app.store.database import Database
from tests.web.conftest import NewPhone
from tests.web.evenings import shared_path
from tests.web.phone import Phone, writes

USED = "Another phone has taken the pen"
EXPIRED = "within 15 minutes"
REVOKED = "no longer gives the pen"
ALREADY = "already writes at the table"


def hand_over(keeper: Phone) -> str:
    """Let a keeper hand over the pen, and return the path of the link."""
    keeper.open(f"{keeper.table}/join")
    path = shared_path(keeper.press("Let somebody else write too"))
    keeper.home()
    return path


def test_looking_at_a_link_changes_nothing_and_tells_nobody(
    keeper: Phone, new_phone: NewPhone, db: Database
) -> None:
    """The page asks; no cache stores it, and linked sites do not learn its address."""
    path, other = hand_over(keeper), new_phone()
    before = db.connection.execute("PRAGMA data_version").fetchone()
    for phone in (other, keeper):
        assert phone.open(path).has("Take the pen") == (phone is other)
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"
        assert phone.client.head(path).status_code == 200
    assert db.connection.execute("PRAGMA data_version").fetchone() == before
    assert not writes(other, keeper.table)


@pytest.mark.parametrize("told", [USED, EXPIRED, REVOKED])
def test_a_link_that_gives_no_pen_leads_to_where_one_reads(
    keeper: Phone, new_phone: NewPhone, db: Database, told: str
) -> None:
    """Opening and tapping redirect to the table, which shows the reason once, to readers."""
    path, first, late = hand_over(keeper), new_phone(), new_phone()
    late.open(path)
    first.open(path)
    if told is USED:
        first.press("Take the pen")
    elif told is EXPIRED:
        db.connection.execute(
            "UPDATE pens SET granted_at = '2020-01-01T00:00Z' WHERE kind = 'link'"
        )
    else:
        keeper.send(f"{keeper.table}/pen/back", {})
    late.press("Take the pen")
    assert late.answer.status_code == 303
    assert told in late.page.announcement
    for phone in (late, new_phone()):
        phone.open(path)
        assert phone.answer.status_code == 303
        page = phone.open(phone.answer.headers["Location"])
        assert phone.answer.request.path == keeper.table
        assert (page.has("Score sheet"), page.forms) == (True, [])
        assert told in page.announcement
        assert told not in phone.home().announcement
    assert not writes(late, keeper.table)


def test_the_same_phone_may_tap_twice(keeper: Phone, new_phone: NewPhone) -> None:
    """A repeated tap whose answer was lost is one tap, and so is opening the link again."""
    path, other = hand_over(keeper), new_phone()
    other.open(path)
    button = other.page.button("Take the pen")
    sent = other.client.get_cookie("chicago")
    assert sent
    other.submit(button)
    other.client.set_cookie("chicago", sent.value)
    other.submit(button)
    assert other.answer.status_code == 303
    assert writes(other, keeper.table)
    assert ALREADY in other.open(path).text
    assert other.answer.status_code == 200


def test_the_keeper_s_own_phone_uses_no_link_up(keeper: Phone, new_phone: NewPhone) -> None:
    """A keeper who opens the own code reads a message, and the code still works."""
    path = hand_over(keeper)
    assert ALREADY in keeper.open(path).text
    assert keeper.page.forms == []
    keeper.send(path, {})
    assert keeper.answer.status_code == 303
    other = new_phone()
    other.open(path)
    other.press("Take the pen")
    assert writes(other, keeper.table)


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
