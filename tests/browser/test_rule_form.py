"""House rules set by thumb on a real phone, with scripts and without, and counted in taps."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from app.rules.presets import read_code
from tests.browser.conftest import NewPhone

FACTS = {
    "exchange_stop": "47",
    "win_needs_chicago": "won",
    "last_trick_with_two": "10",
}
GROUP = {"exchange_stop": "stop", "win_needs_chicago": "end", "last_trick_with_two": "trick"}


class Stranger:
    """Somebody who has never seen the form, and taps what it says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap once, where a thumb would."""
        what.scroll_into_view_if_needed()
        what.tap(force=True)
        self.taps += 1

    def open(self, group: str) -> None:
        """Open a group of rules, unless it stands open."""
        details = self.page.locator(f"#g-{group}")
        if details.get_attribute("open") is None:
            self.tap(details.locator("> summary"))

    def choose(self, field: str, value: str) -> None:
        """Open a rule's group and tap the value."""
        self.open(GROUP[field])
        self.tap(self.page.locator(f"input[name='{field}'][value='{value}']"))


def to_the_form(page: Page) -> None:
    """Go from the start page to the rules."""
    page.goto("/")
    page.locator("input[name=player]").first.fill("Anna")
    page.locator("button[value=rules]").tap()
    expect(page.locator("#rules")).to_be_visible()


def own_rules(page: Page) -> str:
    """Return what the start page will play."""
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("input[name=player]").first).to_have_value("Anna")
    assert page.locator("input[name=preset]:checked").input_value() == "own"
    return page.locator("input[name=own]").input_value()


def test_a_stranger_sets_four_rules_in_nine_taps(new_phone: NewPhone, scripts: bool) -> None:
    """Stop at 47, scale 4, Chicago must be won, ten for a two: a tap for each group and value."""
    page = new_phone(java_script_enabled=scripts)
    to_the_form(page)
    stranger = Stranger(page)
    # Without scripts the scale reloads the page, and only its own group stands open after that.
    stranger.open("hands")
    stranger.tap(page.locator("button[value='scale:4']"))
    expect(page.locator("button[value='scale:4']")).to_have_attribute("aria-pressed", "true")
    for field, value in FACTS.items():
        stranger.choose(field, value)
    stranger.tap(page.locator("button[value=use]"))
    preset, rules = read_code(own_rules(page))
    assert preset == "huvudregler"
    assert (rules.exchange_stop, rules.win_needs_chicago) == (47, "won")
    assert rules.last_trick_with_two == 10
    assert [rules.hand_points[hand] for hand in list(rules.hand_points)[-4:]] == [8, 11, 20, 52]
    assert stranger.taps == 9


def test_every_tap_shows_what_differs_without_moving_the_page(phone: Page) -> None:
    """The list grows, the group is marked, what is open stays open, and nothing jumps."""
    to_the_form(phone)
    stranger = Stranger(phone)
    stranger.open("chicago")
    once = phone.locator("input[name=chicago_once][value=yes]")
    once.scroll_into_view_if_needed()
    before = once.bounding_box()
    stranger.tap(once)
    expect(phone.locator(".count")).to_have_text("1 ändring")
    expect(phone.locator("#g-chicago .dot")).to_have_text("1")
    expect(phone.locator("#f-chicago_once .was")).to_be_visible()
    assert once.bounding_box() == before
    stranger.open("end")
    stranger.tap(phone.locator("input[name=win_needs_chicago][value=won]"))
    expect(phone.locator("#f-win_needs_chicago .note")).to_be_visible()
    expect(phone.locator("#g-chicago")).to_have_attribute("open", "")
    stranger.tap(phone.locator("#f-chicago_once .was button"))
    expect(phone.locator("input[name=chicago_once][value=no]")).to_be_checked()
    expect(phone.locator(".note")).to_have_count(0)


def test_writing_a_number_chooses_it_and_a_chip_wipes_it(phone: Page) -> None:
    """With scripts the free number appears when asked for, and is never left behind."""
    to_the_form(phone)
    stranger = Stranger(phone)
    stranger.open("stop")
    free = phone.locator("input[name='exchange_stop.other']")
    expect(free).to_be_hidden()
    stranger.tap(phone.locator("input[name=exchange_stop][value=other]"))
    expect(free).to_be_focused()
    free.fill("39")
    free.blur()
    expect(phone.locator("#g-stop > summary")).to_contain_text("39 poäng")
    stranger.tap(phone.locator("input[name=exchange_stop][value='44']"))
    expect(phone.locator("#g-stop > summary")).to_contain_text("44 poäng")
    expect(free).to_be_hidden()


def test_scale_and_start_reach_every_control(phone: Page) -> None:
    """Whatever a button changes is what the chips show, also where a thumb has been before."""
    to_the_form(phone)
    stranger = Stranger(phone)
    stranger.choose("exchange_stop", "47")
    stranger.tap(phone.locator(".bases > summary"))
    stranger.tap(phone.locator("button[value='base:wikipedia']"))
    expect(phone.locator("input[name=exchange_stop][value='42']")).to_be_checked()
    stranger.tap(phone.locator("button[value=restore]"))
    expect(phone.locator("input[name=exchange_stop][value='47']")).to_be_checked()


def test_a_refused_button_leads_to_what_is_wrong(phone: Page) -> None:
    """However far away and folded up, the field is there, with the reason, ready to be mended."""
    to_the_form(phone)
    stranger = Stranger(phone)
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


def test_the_buttons_at_the_bottom_stand_in_one_row(phone: Page) -> None:
    """They lie on a bar as wide as the page, through which nothing of the form is seen."""
    to_the_form(phone)
    bar = phone.locator(".ruling .bar")
    box = bar.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 360)
    assert box["height"] < 80
    assert bar.evaluate("bar => getComputedStyle(bar).backgroundColor") != "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize(("locale", "scheme"), [("sv-SE", "dark"), ("fi-FI", "light")])
def test_nobody_is_shut_out(
    new_phone: NewPhone,
    barriers: Callable[[Page], list[str]],
    screenshot: Callable[[Page, str], Path],
    scheme: str,
    locale: str,
) -> None:
    """The form with everything open and the rule page meet WCAG 2.2 AA on a small phone."""
    page = new_phone(locale=locale, color_scheme=scheme)
    to_the_form(page)
    stranger = Stranger(page)
    stranger.open("end")
    stranger.tap(page.locator("input[name=win_needs_chicago][value=won]"))
    stranger.open("chicago")
    stranger.tap(page.locator("input[name=chicago_once][value=yes]"))
    expect(page.locator("#f-chicago_once .note")).to_be_visible()
    for summary in page.locator("details:not([open]) > summary").all():
        if summary.is_visible():
            summary.tap(force=True)
    screenshot(page, f"rules-form-{locale}-{scheme}")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("button[value=words]").tap()
    expect(page.locator(".rulepage")).to_be_visible()
    screenshot(page, f"rules-page-{locale}-{scheme}")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("locale", ["sv-SE", "en-GB"])
def test_the_rule_page_prints_on_one_page(new_phone: NewPhone, locale: str) -> None:
    """However much a table has changed, its rules fit one sheet of A4."""
    page = new_phone(locale=locale)
    to_the_form(page)
    for field, value in {
        "blind_chicago": "some",
        "win_needs_chicago": "won",
        "chicago_once": "yes",
        "lay_aside": "yes",
        "open_card": "yes",
        "redeal_low_hand": "below_ten",
        "exchange_stop_style": "six_cards",
        "ties": "suits",
        "after_zeroing": "deal_goes_on",
        "finish": "trick_later_deal",
        "tied_winners": "tie_break",
        "false_claim_loses": "yes",
        "negative_scores": "yes",
        "negative_pays_double": "yes",
        "chicago_with_two": "30",
        "last_trick_with_two": "10",
        "chicago_breaker_bonus": "8",
        "scored_exchanges": "some",
    }.items():
        chip = page.locator(f"input[name='{field}'][value='{value}']")
        chip.evaluate("chip => { chip.checked = true }")
    page.locator("button[value=words]").tap()
    expect(page.locator(".rulepage")).to_be_visible()
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1
