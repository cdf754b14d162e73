"""A link that gives the pen: to one phone, within a quarter of an hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.services.pens import LINK_LIFETIME
from app.services.tables import hash_secret
from app.store.database import Database
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone, writes

USED = "Another phone has taken the pen"
EXPIRED = "within 15 minutes"
REVOKED = "does not give the pen any more"
ALREADY = "writes at the table already"
FEW = 3


def hand_over(keeper: Phone) -> str:
    """Let a keeper hand over the pen, and return the path of the link."""
    keeper.open(f"{keeper.table}/join")
    page = keeper.press("Let somebody else write too")
    [address] = [field["value"] for field in page.elements("input.share")]
    keeper.home()
    return "/" + address.split("/", 3)[3]


def created(db: Database, path: str, ago: timedelta) -> None:
    """Set a link's creation time to some time ago, by the current clock."""
    when = (datetime.now(UTC) - ago).isoformat(timespec="milliseconds")
    sql = "UPDATE pens SET granted_at = ? WHERE secret_hash = ?"
    db.connection.execute(sql, [when, hash_secret(path.rpartition("/")[2])])


def test_looking_at_a_link_changes_nothing(
    keeper: Phone, new_phone: NewPhone, db: Database
) -> None:
    """The page asks; before a tap nothing is written."""
    path = hand_over(keeper)
    before = db.connection.execute("PRAGMA data_version").fetchone()
    other = new_phone()
    for _ in range(3):
        assert other.open(path).has("Take the pen")
        assert other.client.head(path).status_code == 200
    assert db.connection.execute("PRAGMA data_version").fetchone() == before
    assert not writes(other, keeper.table)


def reads_at(phone: Phone, table: str) -> bool:
    """Whether a phone was redirected to a table, and shows it without a form."""
    return (
        phone.answer.request.path == table
        and phone.answer.status_code == 200
        and phone.page.has("Score sheet")
        and not phone.page.forms
    )


def look(phone: Phone, path: str) -> None:
    """Open a link that redirects, and follow the redirect."""
    phone.open(path)
    assert phone.answer.status_code == 303
    phone.open(phone.answer.headers["Location"])


def test_a_second_phone_is_told_that_the_link_was_used(keeper: Phone, new_phone: NewPhone) -> None:
    """Opening and tapping redirect to the table, which shows the reason once, to readers."""
    path, first, second = hand_over(keeper), new_phone(), new_phone()
    second.open(path)
    first.open(path)
    first.press("Take the pen")
    second.press("Take the pen")
    assert second.answer.status_code == 303
    assert USED in second.page.announcement
    for phone in (second, new_phone()):
        look(phone, path)
        assert reads_at(phone, keeper.table)
        assert USED in phone.page.announcement
        assert USED not in phone.home().announcement
    assert not writes(second, keeper.table)


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


@pytest.mark.parametrize(
    ("ago", "works"),
    [
        (timedelta(minutes=14), True),
        (timedelta(minutes=16), False),
        # The clock was set back since.
        (-timedelta(seconds=30), True),
        (-timedelta(minutes=16), False),
    ],
)
def test_a_link_holds_for_a_quarter_of_an_hour(
    keeper: Phone, new_phone: NewPhone, db: Database, ago: timedelta, works: bool
) -> None:
    """Even with a changed clock no link lives longer than twice that time."""
    path, other, late = hand_over(keeper), new_phone(), new_phone()
    late.open(path)
    created(db, path, ago)
    assert other.open(path).has("Take the pen") == works
    late.press("Take the pen")
    assert works or EXPIRED in late.page.announcement
    assert writes(late, keeper.table) == works
    if not works:
        look(other, path)
        assert EXPIRED in other.page.announcement
        assert reads_at(other, keeper.table)
    assert timedelta(minutes=15) == LINK_LIFETIME


def test_a_link_taken_back_gives_nothing_and_leads_on(keeper: Phone, new_phone: NewPhone) -> None:
    """Opening and tapping redirect to the table, with the same message as for an unknown link."""
    path, other = hand_over(keeper), new_phone()
    other.open(path)
    keeper.send(f"{keeper.table}/pen/back", {})
    other.press("Take the pen")
    assert other.answer.status_code == 303
    told = other.page.announcement
    assert REVOKED in told
    for opened in (path, f"{keeper.table}/pen/never-was"):
        look(other, opened)
        assert reads_at(other, keeper.table)
        assert other.page.announcement == told
    assert not writes(other, keeper.table)


def test_a_link_gives_the_pen_of_its_own_table_only(
    keeper: Phone, new_phone: NewPhone, seat: Seat
) -> None:
    """The same secret is invalid at another table."""
    path, other = hand_over(keeper), new_phone()
    elsewhere = seat(new_phone()).table
    other.send(f"{elsewhere}/pen/{path.rpartition('/')[2]}", {})
    assert REVOKED in other.page.announcement
    assert not writes(other, elsewhere)


def test_a_pen_link_is_told_to_nobody(keeper: Phone, new_phone: NewPhone) -> None:
    """No cache stores the page, and linked sites do not learn its address."""
    path, other = hand_over(keeper), new_phone()
    for phone in (other, keeper):
        phone.open(path)
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"


def test_a_table_has_so_many_links_at_a_time(
    keeper: Phone, new_phone: NewPhone, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Repeated requests fill no disk; the newest links work."""
    monkeypatch.setattr("app.services.pens.MAX_LINKS", FEW)
    first = hand_over(keeper)
    [table_id] = db.connection.execute(
        "SELECT table_id FROM pens WHERE secret_hash = ?",
        [hash_secret(first.rpartition("/")[2])],
    ).fetchone()
    for _ in range(FEW):
        keeper.client.post(f"{keeper.table}/pen", headers=keeper.headers)
    count = "SELECT COUNT(*) FROM pens WHERE table_id = ? AND kind = 'link'"
    assert db.connection.execute(count, [table_id]).fetchone() == (FEW,)
    other = new_phone()
    look(other, first)
    assert REVOKED in other.page.announcement
    other.open(hand_over(keeper))
    other.press("Take the pen")
    assert writes(other, keeper.table)


@pytest.mark.parametrize("obstacle", ["", "here"])
def test_nothing_is_said_of_a_code_where_there_is_none(
    keeper: Phone, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    """The page offers no code to scan, and gives the lifetime of the link instead."""
    monkeypatch.setattr("app.http.context.obstacle", lambda: obstacle)
    page = keeper.open(f"{keeper.table}/join")
    assert ("Scan the code" in page.text) is not bool(obstacle)
    page = keeper.press("Let somebody else write too")
    assert bool(page.elements(".code svg")) is not bool(obstacle)
    assert ("The code works once" in page.text) is not bool(obstacle)
    assert ("The link works once" in page.text) is bool(obstacle)
