"""Unsaved changes of the rules: the phone keeps them, and says so."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.tables import unfold

STOP = "select[name=exchange_stop]"


def to_the_form(page: Page) -> None:
    """Go from the start page to the form, with the main rules chosen there."""
    page.goto("/")
    unfold(page, "sets")
    page.locator("input[name=preset][value=huvudregler]").check()
    page.locator("button[value=rules]").tap()
    expect(page.locator("#rules")).to_be_visible()


def choose_stop(page: Page, value: str) -> None:
    """Set the exchange stop, and wait until the form shows it among the changes."""
    page.locator(STOP).select_option(value)
    expect(page.locator("#differs")).to_contain_text(value)


def expect_stop(page: Page, value: str, *, restored: bool) -> None:
    """Check the exchange stop in the form, and the mark for restored changes."""
    expect(page.locator(STOP)).to_have_value(value)
    expect(page.locator(".restored a")).to_have_count(int(restored))
    expect(page.locator("#f-exchange_stop.changed")).to_have_count(int(restored))


def test_changes_survive_reloading_leaving_and_closing(phone: Page) -> None:
    """After a reload, Back and a new page the form has its changes, and says so."""
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
