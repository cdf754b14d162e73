"""Rules that are being changed and not yet used: the phone keeps them, and says so."""

from __future__ import annotations

from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.tables import unfold

STOP = "select[name=exchange_stop]"
# A phone on which scripts may store nothing.
NO_STORAGE = """
    for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { get() { throw new Error("SecurityError"); } });
    }
"""

UNREADABLE = (
    "{",
    "null",
    "[]",
    "7",
    '{"at": 1e15, "fields": "[1]"}',
    '{"at": 1e15, "fields": "{"}',
)
BREAK_DRAFTS = """
    const [key, text] = JSON.parse(window.name);
    for (const kept of [sessionStorage, localStorage]) kept.setItem(key, text);
"""


def to_the_form(page: Page) -> None:
    """Go from the start page to the form, with the main rules chosen there."""
    page.goto("/")
    unfold(page, "sets")
    page.locator("input[name=preset][value=huvudregler]").check()
    page.locator("button[value=rules]").tap()
    expect(page.locator("#rules")).to_be_visible()


def choose_stop(page: Page, value: str) -> None:
    """Set the exchange stop, and wait until the form has taken it in."""
    page.locator(STOP).select_option(value)
    expect(page.locator("#differs")).to_contain_text(value)


def expect_stop(page: Page, value: str, *, restored: bool) -> None:
    """The form holds this exchange stop, and tells whether it was brought back."""
    expect(page.locator(STOP)).to_have_value(value)
    expect(page.locator(".restored a")).to_have_count(int(restored))
    expect(page.locator("#f-exchange_stop.changed")).to_have_count(int(restored))


def test_changes_survive_reloading_leaving_and_closing(phone: Page, new_phone: NewPhone) -> None:
    """Whichever way the page went, the form is as it was left, and it says so."""
    to_the_form(phone)
    choose_stop(phone, "47")
    phone.reload()
    expect_stop(phone, "47", restored=True)
    phone.locator(".close").tap()
    expect(phone.locator("#start")).to_be_visible()
    phone.go_back()
    expect_stop(phone, "47", restored=True)
    later = phone.context.new_page()
    phone.close()
    to_the_form(later)
    expect_stop(later, "47", restored=True)
    expect(later.locator(".restored")).to_contain_text("finns kvar")
    what_cannot_be_read_is_passed_over(later)
    where_nothing_can_be_stored_leaving_asks(new_phone())


def what_cannot_be_read_is_passed_over(page: Page) -> None:
    """Whatever stands where a draft should be, the form opens as if nothing did."""
    page.add_init_script(BREAK_DRAFTS)
    for text in UNREADABLE:
        page.evaluate("text => { window.name = JSON.stringify([KEY, text]) }", text)
        page.reload()
        expect_stop(page, "45", restored=False)


def where_nothing_can_be_stored_leaving_asks(page: Page) -> None:
    """Changed rules are not left without a question; unchanged and used ones are."""
    page.context.add_init_script(NO_STORAGE)
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    to_the_form(page)
    page.reload()
    choose_stop(page, "47")
    assert asked == []
    page.reload()
    assert asked == ["beforeunload"]
    expect_stop(page, "45", restored=False)
    choose_stop(page, "47")
    page.locator("button[value=use]").tap()
    expect(page.locator("#start")).to_be_visible()
    assert asked == ["beforeunload"]
