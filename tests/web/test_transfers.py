"""One link copies a phone's tables to another one, or to its home screen: it asks, and once."""

from __future__ import annotations

import pytest

from app.store.database import Database
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import read_code
from tests.web.phone import Phone

ADD = "Add them here"
BUTTON = {"/transfer": "Make a link", "/install": "Take my tables along to the home screen"}
# Why a link, and a home screen's start, bring nothing.
GONE = {"/transfer": "brings nothing any more", "/install": "has been done or is too long ago"}


def make_link(phone: Phone, page: str) -> str:
    """Let a phone make a link for another phone, or a start address; return its path."""
    phone.open(page)
    phone.press(BUTTON[page])
    if page == "/install":
        return phone.answer.headers["Location"]
    [address] = [field["value"] for field in phone.page.elements("input.share[readonly]")]
    assert read_code(phone.page) == address
    return "/" + address.split("/", 3)[3]


def rights(phone: Phone) -> dict[str, bool]:
    """Return the tables that a phone lists, each with the listed right to write there."""
    links = [link for link in phone.open("/tables").links if link.href.startswith("/t/")]
    return {link.href: "you write" in link.label for link in links}


def sends_itself(phone: Phone) -> bool:
    """Whether the page on a phone's screen has the script of a home screen's first start."""
    return any("first_start" in str(tag["src"]) for tag in phone.page.elements("script[src]"))


@pytest.mark.parametrize(("page", "leads"), [("/transfer", "/tables"), ("/install", "/")])
def test_a_link_takes_the_tables_and_the_pens_along_once(
    seat: Seat, keeper: Phone, new_phone: NewPhone, page: str, leads: str
) -> None:
    """It asks, and leads to the tables; a third phone learns why it gets nothing."""
    written, read = keeper.table, seat(new_phone()).table
    keeper.open(read)
    path, other, third = make_link(keeper, page), new_phone(), new_phone()
    third.open(path)
    other.open(path)
    assert sends_itself(other) == (page == "/install")
    other.press(ADD)
    assert (other.answer.status_code, other.answer.headers["Location"]) == (303, leads)
    assert "The tables are on this phone now." in other.page.announcement
    assert rights(other) == rights(keeper) == {written: True, read: False}
    for shown in (third.press(ADD), third.open(path)):
        assert GONE[page] in shown.announcement
    # It would lead a home screen to the start, away from the message.
    assert not sends_itself(third)
    assert rights(third) == {}


@pytest.mark.parametrize("page", GONE)
def test_looking_at_a_link_changes_nothing_and_tells_nobody(
    seat: Seat, keeper: Phone, new_phone: NewPhone, db: Database, page: str
) -> None:
    """Nor does the phone that it is from use it up; who has tables already keeps them."""
    path, other = make_link(keeper, page), seat(new_phone())
    before = db.connection.execute("PRAGMA data_version").fetchone()
    for phone in (new_phone(), other, keeper):
        assert phone.open(path).has(ADD) == (phone is not keeper)
        assert phone is keeper or keeper.table not in phone.page.html
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"
        assert phone.client.head(path).status_code == 200
    assert db.connection.execute("PRAGMA data_version").fetchone() == before
    keeper.send(path, {})
    other.open(path)
    assert not sends_itself(other)
    other.press(ADD)
    assert rights(other) == {other.table: True, keeper.table: True}


@pytest.mark.parametrize("page", GONE)
def test_a_phone_without_tables_has_nothing_to_take_along(
    phone: Phone, db: Database, page: str
) -> None:
    """A form from elsewhere makes no link."""
    before = db.connection.table("transfers").count
    assert not phone.open(page).has(BUTTON[page])
    phone.send(page, {})
    assert phone.answer.headers["Location"] == page
    assert db.connection.table("transfers").count == before
