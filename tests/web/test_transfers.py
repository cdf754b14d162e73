"""One link copies a phone's tables to another one, or to its home screen: it asks, and once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.store.database import Database
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import hand_over, read_code
from tests.web.phone import Phone

ADD = "Add them here"
BUTTON = {"/transfer": "Make a link", "/install": "Take my tables along to the home screen"}
# Why a link, and a home screen's start, bring nothing.
GONE = {"/transfer": "no longer brings anything", "/install": "has been done or was too long ago"}


def make_link(phone: Phone, page: str) -> str:
    """Let a phone make a link for another phone, or a start address; return its path."""
    if page == "/install":
        phone.open(page)
        phone.press(BUTTON[page])
        return phone.answer.headers["Location"]
    path = hand_over(phone, page)
    assert read_code(phone.page).endswith(path)
    return path


def rights(phone: Phone) -> dict[str, bool]:
    """Return the tables that a phone lists, each with the listed right to write there."""
    cards = phone.open("/tables").soup.select("li.card")
    return {str(card.select(".facts")[0]["href"]): "data-table" in card.attrs for card in cards}


def sends_itself(phone: Phone) -> bool:
    """Whether the page on a phone's screen has the script of a home screen's first start."""
    return any("first_start" in str(tag["src"]) for tag in phone.page.elements("script[src]"))


@pytest.mark.parametrize(("page", "leads"), [("/transfer", "/tables"), ("/install", "/")])
def test_a_link_takes_the_tables_and_the_pens_along_once(
    seat: Seat, keeper: Phone, new_phone: NewPhone, db: Database, page: str, leads: str
) -> None:
    """It asks, and to look at it changes nothing; who comes too late learns why it brings nothing.

    By itself it is taken from a home screen alone that knows no table.
    """
    written, read = keeper.table, seat(new_phone()).table
    keeper.open(read)
    path, other, late = make_link(keeper, page), seat(new_phone()), new_phone()
    own, before = other.table, db.connection.execute("PRAGMA data_version").fetchone()
    for phone in (late, other, keeper):
        assert phone.open(path).has(ADD) == (phone is not keeper)
        assert sends_itself(phone) == (page == "/install" and phone is not other)
        assert phone is keeper or written not in phone.page.html
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"
        assert phone.client.head(path).status_code == 200
    assert db.connection.execute("PRAGMA data_version").fetchone() == before
    # The phone that it is from does not use it up.
    keeper.send(path, {})
    other.press(ADD)
    assert (other.answer.status_code, other.answer.headers["Location"]) == (303, leads)
    assert "The tables are now on this phone." in other.page.announcement
    assert rights(keeper) == {written: True, read: False}
    assert rights(other) == {own: True, **rights(keeper)}
    for shown in (late.press(ADD), late.open(path)):
        assert GONE[page] in shown.announcement
    assert not sends_itself(late)
    assert rights(late) == {}


def manifest_of(phone: Phone, page: str, reads: Phone) -> dict[str, Any]:
    """Return the manifest of a page, fetched without cookies as by a browser."""
    [link] = phone.open(page).elements("link[rel=manifest]")
    reads.open(str(link["href"]))
    manifest: dict[str, Any] = json.loads(reads.answer.text)
    return manifest


def test_a_home_screen_opens_with_the_tables_once_and_then_the_start_page(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """The page with the steps names itself as the start until it was taken; nobody keeps that.

    A home screen keeps the address for ever, also once it is unknown, or if cookies go.
    """
    start, reads, app = make_link(keeper, "/install"), new_phone(), new_phone()
    assert "without leaving this page" in keeper.page.announcement
    # Other pages make no start address by themselves.
    usual = manifest_of(keeper, "/install", reads)
    assert usual["start_url"] == "/"
    assert manifest_of(keeper, start, reads) == usual | {"start_url": start}
    assert reads.answer.headers["Cache-Control"] == "private, no-store"
    assert reads.answer.headers["Referrer-Policy"] == "strict-origin"
    assert not reads.answer.headers.getlist("Set-Cookie")
    app.open(start)
    app.press(ADD)
    reads.open(f"{start}/app.webmanifest")
    assert json.loads(reads.answer.text) == usual
    with app.client.session_transaction() as cookie:
        del cookie["tables"]
    for _ in range(2):
        app.open(start)
        assert (app.answer.status_code, app.answer.headers["Location"]) == (303, "/")
        make_link(keeper, "/install")
    assert rights(app) == {keeper.table: True}
