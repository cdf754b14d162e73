"""House rules set by thumb on a real phone, with the taps counted."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from app.rules.presets import read_code, read_rules, write_code
from tests.browser.conftest import NewPhone
from tests.browser.tables import unfold
from tests.rules.test_rule_values import ALLOWED

FACTS = {
    "scale": "4",
    "exchange_stop": "47",
    "win_needs_chicago": "won",
    "last_trick_with_two": "10",
}


class Stranger:
    """A person who has never seen the form, and taps by its labels."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap once, where a thumb would."""
        what.evaluate("what => what.scrollIntoView({ block: 'center' })")
        what.tap(force=True)
        self.taps += 1

    def open(self, group: str) -> None:
        """Open a group of rules, unless it is open."""
        details = self.page.locator(f"#g-{group}")
        if details.get_attribute("open") is None:
            self.tap(details.locator("> summary"))

    def choose(self, field: str, value: str) -> None:
        """Tap the value."""
        self.tap(self.page.locator(f"input[name='{field}'][value='{value}']"))


def to_the_form(page: Page) -> None:
    """Go from the start page to the rules."""
    page.goto("/")
    page.locator("input[name=player]").first.fill("Anna")
    unfold(page, "sets")
    page.locator("button[value=rules]").tap()
    expect(page.locator("#rules")).to_be_visible()


def own_rules(page: Page) -> str:
    """Return the rules that the start page will use."""
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("input[name=player]").first).to_have_value("Anna")
    assert page.locator("input[name=preset]:checked").input_value() == "own"
    return page.locator("input[name=own]").input_value()


def test_a_stranger_sets_four_rules_in_five_taps(phone: Page) -> None:
    """Stop at 47, a usual scale, Chicago must be made, ten for a two: a tap each."""
    page, stranger = phone, Stranger(phone)
    to_the_form(page)
    for field, value in FACTS.items():
        stranger.choose(field, value)
    stranger.tap(page.locator("button[value=use]"))
    preset, rules = read_code(own_rules(page))
    assert preset == "huvudregler"
    assert (rules.exchange_stop, rules.win_needs_chicago) == (47, "won")
    assert rules.last_trick_with_two == 10
    assert [rules.hand_points[hand] for hand in list(rules.hand_points)[-4:]] == [8, 11, 20, 52]
    assert stranger.taps == 5
    to_the_form(page)
    a_refused_button_leads_to_what_is_wrong(stranger)


def a_refused_button_leads_to_what_is_wrong(stranger: Stranger) -> None:
    """Check that a fault in a folded part is in sight with its reason and has the focus."""
    phone = stranger.page
    stranger.open("hands")
    stranger.tap(phone.locator("#g-hands .hands .rest > summary"))
    pair = phone.locator("input[name='hand_points.pair.other']")
    pair.fill("x")
    stranger.tap(phone.locator("#g-hands > summary"))
    expect(pair).to_be_hidden()
    stranger.tap(phone.locator("button[value=use]"))
    expect(pair).to_be_focused()
    expect(phone.locator(".fault")).to_be_in_viewport()
    expect(pair).to_have_accessible_description("Skriv ett heltal från 0 till 1000.")


def test_the_rule_page_prints_on_one_page(new_phone: NewPhone) -> None:
    """Rules that differ from a published set in everything fit one sheet of A4."""
    page = new_phone(locale="fi-FI")
    differ = {field: values[-1] for field, values in ALLOWED.items()}
    code = write_code(*read_rules({**differ, "preset": "pagat"}))
    page.goto(f"/r/{code}")
    expect(page.locator(".rulepage")).to_be_visible()
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1
