"""One link copies a phone's tables to another one: it asks first, and works once."""

from __future__ import annotations

from datetime import timedelta

from app.store.database import Database
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import read_code
from tests.web.phone import Phone
from tests.web.transfers import age

PAGE = "/transfer"
ADD = "Add them here"
USED, EXPIRED = "works once, and what it brought", "within 15 minutes of being made"
GONE = "brings nothing any more"
BOTS = ("WhatsApp/2.2", "facebookexternalhit/1.1", "Slackbot-LinkExpanding 1.0")


def fill(seat: Seat, phone: Phone, other: Phone) -> list[str]:
    """Let a phone write at two tables and read at one of another's; return their addresses."""
    written = [seat(phone, players=[f"Eva {n}", "Fia"]).table for n in range(2)]
    read = seat(other, players=["Gun", "Hans"]).table
    phone.open(read)
    return [*written, read]


def make_link(phone: Phone) -> str:
    """Let a phone make a link, check it against its QR code, and return its path."""
    phone.open(PAGE)
    button = next(b for b in phone.page.buttons if b.action == PAGE)
    page = phone.submit(button)
    [address] = [field["value"] for field in page.elements("input.share[readonly]")]
    assert read_code(page) == address
    return "/" + address.split("/", 3)[3]


def rights(phone: Phone) -> dict[str, bool]:
    """Return the tables that a phone lists, each with the listed right to write there."""
    links = [link for link in phone.open("/tables").links if link.href.startswith("/t/")]
    return {link.href: "you write" in link.label for link in links}


def test_a_link_takes_three_tables_and_the_pens_to_another_phone(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """The page lists the tables, asks, and redirects to the list; both phones write afterwards."""
    written, written_too, read = fill(seat, phone, new_phone())
    path, other = make_link(phone), new_phone()
    assert "3 tables, 2 of them with the pen" in phone.open(PAGE).text
    assert "From another phone: 3 tables, 2 of them with the pen." in other.open(path).text
    other.press(ADD)
    assert other.answer.status_code == 303
    assert other.answer.headers["Location"] == "/tables"
    assert "On this phone now: 3 tables, 2 of them with the pen." in other.page.announcement
    assert rights(other) == rights(phone) == {written: True, written_too: True, read: False}
    for each, hand in ((other, "Pair"), (phone, "Flush")):
        each.open(written)
        each.press(f"Eva 0: {hand}")
        assert each.answer.status_code == 303


def test_looking_at_a_link_changes_nothing(
    keeper: Phone, new_phone: NewPhone, db: Database
) -> None:
    """A link preview uses nothing up, and shows no table."""
    path = make_link(keeper)
    before = db.connection.execute("PRAGMA data_version").fetchone()
    for agent in BOTS:
        bot = new_phone()
        bot.headers["User-Agent"] = agent
        assert bot.open(path).has(ADD)
        assert bot.client.head(path).status_code == 200
        assert rights(bot) == {}
        assert keeper.table not in bot.open(path).html
    assert db.connection.execute("PRAGMA data_version").fetchone() == before
    other = new_phone()
    other.open(path)
    other.press(ADD)
    assert rights(other) == {keeper.table: True}


def test_a_second_phone_is_told_that_the_link_was_used(keeper: Phone, new_phone: NewPhone) -> None:
    """The message comes to a page opened before the use and to one opened after it."""
    path, first, second = make_link(keeper), new_phone(), new_phone()
    second.open(path)
    first.open(path)
    first.press(ADD)
    second.press(ADD)
    assert USED in second.page.announcement
    assert USED in new_phone().open(path).announcement
    assert rights(second) == {}


def test_on_the_phone_that_made_it_the_link_does_nothing(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """Opened there it shows a message, and it still works on the other phone."""
    path = make_link(keeper)
    assert "your own link" in keeper.open(path).announcement
    assert keeper.page.forms == []
    keeper.send(path, {})
    other = new_phone()
    other.open(path)
    assert "On this phone now: 1 table, with the pen." in other.press(ADD).announcement


def test_a_link_that_is_too_old_says_so(keeper: Phone, new_phone: NewPhone, db: Database) -> None:
    """The message also comes to a phone that opened the link in time and taps too late."""
    path, late, later = make_link(keeper), new_phone(), new_phone()
    late.open(path)
    age(db, path, timedelta(minutes=16))
    late.press(ADD)
    for phone in (late, later):
        assert EXPIRED in phone.open(path).announcement
        assert rights(phone) == {}
    assert not keeper.open(PAGE).has("Withdraw the link")


def test_a_link_can_be_withdrawn(keeper: Phone, new_phone: NewPhone) -> None:
    """A withdrawn link is answered like one that never existed."""
    path, other = make_link(keeper), new_phone()
    other.open(path)
    assert keeper.open(PAGE).has("Withdraw the link")
    assert GONE in keeper.press("Withdraw the link").announcement
    told = other.press(ADD).announcement
    assert GONE in told
    assert other.open(f"{PAGE}/{'x' * 43}").announcement == told
    assert rights(other) == {}
    other.send(f"{PAGE}/off", {})
    assert other.answer.status_code == 303


def test_a_phone_without_tables_has_nothing_to_take_along(phone: Phone, db: Database) -> None:
    """The page explains the next step, and a form from elsewhere makes no link."""
    before = db.connection.execute("SELECT COUNT(*) FROM transfers").fetchone()
    assert "opened no table yet" in phone.open(PAGE).text
    assert not phone.page.has("Make a link")
    for path in (PAGE, "/install"):
        phone.send(path, {})
        assert phone.answer.headers["Location"] == path
    assert db.connection.execute("SELECT COUNT(*) FROM transfers").fetchone() == before


def test_a_link_is_told_to_nobody(keeper: Phone, new_phone: NewPhone) -> None:
    """No cache stores the page, and linked sites do not learn its address."""
    path, other = make_link(keeper), new_phone()
    assert keeper.answer.headers["Cache-Control"] == "no-store"
    for phone in (other, keeper):
        phone.open(path)
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"
