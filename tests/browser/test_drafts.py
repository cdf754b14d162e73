"""What was typed into a form and not yet sent: the phone keeps it, and says so."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.keeper import Keeper
from tests.browser.tables import unfold

STOP = "[name=exchange_stop]"
NAME = "#start input[name=player]"
ANSWER = "#start [name='zeroing.four_of_a_kind'][value=none]"


def change_rules(page: Page) -> None:
    """Open the form of the rules from one that seats a game."""
    unfold(page, "sets")
    page.locator("button[value=rules]").tap()
    expect(page.locator("#rules")).to_be_visible()


def fill_seats(page: Page) -> None:
    """Type two names and a stake, and answer a question."""
    Keeper(page).type_names(["Åsa", "Bo & Co"])
    page.locator("label.other", has=page.locator("[name=point]")).tap()
    page.locator("[name=stake]").fill("2,50")
    unfold(page, "sets")
    page.locator(ANSWER).check(force=True)
    expect(page.locator("#f-zeroing\\.four_of_a_kind .hint")).not_to_contain_text("fyrtal")


def expect_seats(page: Page, there: bool = True) -> None:
    """Check whether the form has what was typed, and says so."""
    if there:
        expect(page.locator(NAME).first).to_have_value("Åsa")
        expect(page.locator(NAME).nth(1)).to_have_value("Bo & Co")
        expect(page.locator("[name=stake]")).to_have_value("2,50")
        expect(page.locator(ANSWER)).to_be_checked()
    else:
        expect(page.locator(NAME).first).not_to_have_value("Åsa")


def fill_rules(page: Page) -> None:
    """Choose another stop, and wait until the form shows it among the changes."""
    page.locator(f"{STOP}[value='47']").check(force=True)
    expect(page.locator("#differs")).to_contain_text("47")


def expect_rules(page: Page, there: bool = True) -> None:
    """Check whether the form has what was chosen."""
    expect(page.locator(f"{STOP}:checked")).to_have_value("47" if there else "45")
    expect(page.locator("#f-exchange_stop.changed")).to_have_count(int(there))


def test_what_was_typed_survives_until_it_is_dropped_or_used(phone: Page) -> None:
    """After a reload, on the way back, and on a new page it is there; one tap drops it."""
    phone.goto("/")
    change_rules(phone)
    later = outlives_its_page(phone, fill_rules, expect_rules)
    later.goto("/")
    later = outlives_its_page(later, fill_seats, expect_seats)
    names_and_rules_go_along_until_the_game_begins(later)


def outlives_its_page(
    phone: Page, fill: Callable[[Page], None], check: Callable[..., None]
) -> Page:
    """Check what a form keeps until it is dropped; return the page that it is then on."""
    address = phone.url
    fill(phone)
    phone.reload()
    check(phone)
    expect(phone.locator(".restored")).to_contain_text("finns kvar")
    phone.goto("/how")
    phone.go_back()
    check(phone)
    later = phone.context.new_page()
    phone.close()
    later.goto(address)
    check(later)
    later.locator("[data-drop]").tap()
    expect(later.locator("[data-drop]")).to_have_count(0)
    check(later, there=False)
    later.reload()
    check(later, there=False)
    return later


def names_and_rules_go_along_until_the_game_begins(phone: Page) -> None:
    """Check that both are there by way of the rules, after a reload and Back; then nothing is."""
    phone.goto("/")
    fill_seats(phone)
    change_rules(phone)
    fill_rules(phone)
    phone.reload()
    expect_rules(phone)
    phone.locator("button[value=use]").tap()
    expect_seats(phone)
    expect(phone.locator(f"{STOP}:checked")).to_have_value("47")
    phone.reload()
    expect_seats(phone)
    expect(phone.locator(f"{STOP}:checked")).to_have_value("47")
    phone.go_back()
    expect(phone.locator("#rules")).to_be_visible()
    phone.go_forward()
    expect_seats(phone)
    phone.locator("#start .go").tap()
    expect(phone.locator("#table")).to_be_visible()
    phone.goto("/")
    expect_seats(phone, there=False)
