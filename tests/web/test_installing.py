"""On an iPhone's home screen the app has its own cookies, and opens with the phone's tables."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from app.store.database import Database
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone
from tests.web.transfers import age

TAKE = "Take my tables along to the home screen"
ADD = "Add them here"
LOST = "has been done or is too long ago"


def prepare(phone: Phone) -> str:
    """Prepare a browser for the home screen, and return the path of its redirect."""
    phone.open("/install")
    phone.press(TAKE)
    assert phone.answer.status_code == 303
    return phone.answer.headers["Location"]


def manifest_of(phone: Phone, page: str, reads: Phone) -> dict[str, Any]:
    """Return the manifest of a page, fetched without cookies as by a browser."""
    phone.open(page)
    [link] = phone.page.elements("link[rel=manifest]")
    reads.open(str(link["href"]))
    manifest: dict[str, Any] = json.loads(reads.answer.text)
    return manifest


def tables(phone: Phone) -> list[str]:
    """Return the tables that a phone lists."""
    return [link.href for link in phone.open("/tables").links if link.href.startswith("/t/")]


def scripts(phone: Phone) -> list[str]:
    """Return the page's scripts for a home screen's first start."""
    found = [str(tag["src"]) for tag in phone.page.elements("script[src]")]
    return [src for src in found if "first_start" in src]


def test_what_is_installed_opens_the_same_tables_without_a_cookie(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """The manifest's start and the page's own address both open the tables, with the pen."""
    opened = [seat(phone, players=[f"Eva {n}", "Fia"]).table for n in range(3)]
    page = prepare(phone)
    assert "without leaving this page" in phone.page.announcement
    assert manifest_of(phone, page, new_phone())["start_url"] == page
    app = new_phone()
    app.open(page)
    # On a home screen the script does this by itself.
    assert scripts(app)
    app.press(ADD)
    assert app.answer.headers["Location"] == "/"
    assert "On this phone now: 3 tables, all with the pen." in app.page.announcement
    assert sorted(tables(app)) == sorted(tables(phone)) == sorted(opened)
    app.open(opened[0])
    app.press("Eva 0: Pair")
    assert app.answer.status_code == 303


def test_every_later_start_is_the_start_page(keeper: Phone, new_phone: NewPhone) -> None:
    """The home screen keeps the address for ever; it redirects to the start, also long after."""
    page, app = prepare(keeper), new_phone()
    app.open(page)
    app.press(ADD)
    for _ in range(2):
        app.open(page)
        assert (app.answer.status_code, app.answer.headers["Location"]) == (303, "/")
        # After this the address is unknown.
        keeper.send("/install", {})


def test_in_the_browser_the_page_says_what_to_do(keeper: Phone) -> None:
    """With cookies that WebKit copied the script leads to the start; nothing is used up."""
    page = prepare(keeper)
    for _ in range(2):
        keeper.open(page)
        assert keeper.answer.status_code == 200
        assert scripts(keeper)
        assert not [form for form in keeper.page.forms if form.action == page]


def test_whoever_has_tables_already_is_asked(
    seat: Seat, keeper: Phone, new_phone: NewPhone
) -> None:
    """A link that opens an app with tables adds no tables without a question."""
    page = prepare(keeper)
    other = seat(new_phone())
    own = other.table
    other.open(page)
    assert other.page.has(ADD)
    assert not scripts(other)
    assert tables(other) == [own]


def test_looking_at_the_start_address_uses_nothing_up(
    keeper: Phone, new_phone: NewPhone, db: Database
) -> None:
    """Its manifest uses nothing up either, however often it is fetched."""
    page = prepare(keeper)
    before = db.connection.execute("PRAGMA data_version").fetchone()
    for _ in range(3):
        manifest_of(keeper, page, new_phone())
        assert new_phone().client.head(page).status_code == 200
        assert new_phone().open(page).has(ADD)
    assert db.connection.execute("PRAGMA data_version").fetchone() == before


def test_pages_make_no_start_address_by_themselves(keeper: Phone, db: Database) -> None:
    """The usual manifest opens the start, and reading pages and manifests writes no row."""
    before = db.connection.execute("SELECT COUNT(*) FROM transfers").fetchone()
    for page in ("/", "/tables", "/install", keeper.table):
        assert manifest_of(keeper, page, keeper)["start_url"] == "/"
    assert db.connection.execute("SELECT COUNT(*) FROM transfers").fetchone() == before


def test_the_manifest_is_stored_by_nobody_and_names_no_address_that_is_dead(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """A phone that fetches it late puts the usual start address on its home screen."""
    page, reads, app = prepare(keeper), new_phone(), new_phone()
    usual = manifest_of(keeper, "/", reads)
    assert manifest_of(keeper, page, reads) == usual | {"start_url": page}
    assert reads.answer.headers["Cache-Control"] == "private, no-store"
    assert reads.answer.headers["Referrer-Policy"] == "strict-origin"
    assert not reads.answer.headers.getlist("Set-Cookie")
    app.open(page)
    assert app.answer.headers["Cache-Control"] == "no-store"
    assert app.answer.headers["Referrer-Policy"] == "strict-origin"
    app.press(ADD)
    reads.open(f"{page}/app.webmanifest")
    assert json.loads(reads.answer.text) == usual


def test_a_first_start_that_comes_too_late_says_what_to_do(
    keeper: Phone, new_phone: NewPhone, db: Database
) -> None:
    """A link that is made in the browser and pasted into the app still brings the tables."""
    page, app = prepare(keeper), new_phone()
    age(db, page, timedelta(hours=25))
    assert LOST in app.open(page).announcement
    # The script would lead to the start, away from this message.
    assert not scripts(app)
    assert tables(app) == []


def test_a_start_address_is_no_link_for_another_phone_nor_the_other_way(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """Each has its own question and its own lifetime."""
    secret, other = prepare(keeper).rpartition("/")[2], new_phone()
    assert "brings nothing any more" in other.open(f"/transfer/{secret}").announcement
    assert other.open(f"/start/{secret}").has(ADD)


def test_a_browser_without_tables_just_installs(phone: Phone) -> None:
    """There are no tables to take along."""
    assert "no tables here yet" in phone.open("/install").text
    assert not phone.page.has(TAKE)
