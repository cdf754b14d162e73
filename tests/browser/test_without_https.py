"""Without HTTPS some features are missing: a phone is told once, and the rest works by hand."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import eventually, link, path_of

MARKED = """() => {
    const {selectionStart, selectionEnd, value} = document.querySelector("input.share");
    return value && selectionStart === 0 && selectionEnd === value.length;
}"""
TOLD = "Sidan kom utan HTTPS"


@pytest.fixture
def tolerated() -> list[str]:
    """Return Chromium's message about a header that has no meaning without HTTPS."""
    return ["Cross-Origin-Opener-Policy header has been ignored"]


@pytest.fixture
def home(server: Server) -> str:
    """Return the server's address with a local name."""
    return f"http://home.test:{server.port}"


def test_a_phone_is_told_once(new_phone: NewPhone, home: str, judge: Judge) -> None:
    """The message lists the missing features, and the phone's own setting for its screen."""
    page = new_phone(base_url=home)
    page.goto("/")
    assert not page.evaluate("isSecureContext")
    told = page.locator(".note", has_text=TOLD)
    expect(told).to_contain_text("Autolås")
    expect(told).to_contain_text("Skärmens tidsgräns")
    judge(page)
    told.get_by_role("button", name="Okej").click()
    expect(page).to_have_url(f"{home}/")
    expect(told).to_have_count(0)
    page.reload()
    expect(told).to_have_count(0)
    a_link_is_copied_by_hand(page, home)


def a_link_is_copied_by_hand(page: Page, home: str) -> None:
    """Check that a link is copied without share sheet and clipboard, or else is selected."""
    Keeper(page).open_table(*PLAYERS)
    assert page.evaluate("[navigator.share, navigator.clipboard].every((it) => !it)")
    page.goto(f"{link(page)}/join")
    page.get_by_role("button", name="Kopiera").click()
    field = page.locator("input.share")
    expect(field).to_have_value(re.compile(f"^{home}.*{path_of(page).removesuffix('/join')}$"))
    eventually(page, MARKED)
    page.reload()
    page.evaluate("document.execCommand = () => false")
    button = page.locator("[data-share]")
    button.click()
    expect(button).to_have_text("Kopiera")
    eventually(page, MARKED)
