"""On an iPhone's home screen the app has its own cookies, and opens with the phone's tables."""

from __future__ import annotations

import json
from typing import Any

from tests.web.conftest import NewPhone
from tests.web.phone import Phone
from tests.web.test_transfers import ADD, make_link, rights, sends_itself


def manifest_of(phone: Phone, page: str, reads: Phone) -> dict[str, Any]:
    """Return the manifest of a page, fetched without cookies as by a browser."""
    [link] = phone.open(page).elements("link[rel=manifest]")
    reads.open(str(link["href"]))
    manifest: dict[str, Any] = json.loads(reads.answer.text)
    return manifest


def test_the_page_with_the_steps_names_itself_as_the_start_until_it_was_taken(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """Nobody keeps that manifest, which is fetched without cookies; later it is the usual one."""
    start, reads, app = make_link(keeper, "/install"), new_phone(), new_phone()
    assert "without leaving this page" in keeper.page.announcement
    # With cookies that WebKit copied, the script leads to the start.
    assert sends_itself(keeper)
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


def test_every_later_start_is_the_start_page(keeper: Phone, new_phone: NewPhone) -> None:
    """The home screen keeps the address for ever, also once it is unknown, or if cookies go."""
    start, app = make_link(keeper, "/install"), new_phone()
    app.open(start)
    app.press(ADD)
    with app.client.session_transaction() as cookie:
        del cookie["tables"]
    for _ in range(2):
        app.open(start)
        assert (app.answer.status_code, app.answer.headers["Location"]) == (303, "/")
        make_link(keeper, "/install")
    assert rights(app) == {keeper.table: True}
