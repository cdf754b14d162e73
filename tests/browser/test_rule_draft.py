"""Rules that are being changed and not yet used: the phone keeps them, and says so."""

from __future__ import annotations

import json

from playwright.sync_api import Dialog, Page, Route, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper

STOP = "input[name=exchange_stop]"
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
    page.locator("input[name=preset][value=huvudregler]").check(force=True)
    page.locator("button[value=rules]").tap()
    expect(page.locator("#rules")).to_be_visible()


def choose_stop(page: Page, value: str) -> None:
    """Set the exchange stop, and wait until the form has taken it in."""
    if page.locator("#g-stop").get_attribute("open") is None:
        page.locator("#g-stop > summary").tap()
    page.locator(f"{STOP}[value='{value}']").tap(force=True)
    expect(page.locator("#g-stop > summary")).to_contain_text(f"{value} poäng")


def expect_stop(page: Page, value: str, *, restored: bool) -> None:
    """The form holds this exchange stop, and tells whether it was brought back."""
    expect(page.locator(f"{STOP}[value='{value}']")).to_be_checked()
    expect(page.locator(".restored a")).to_have_count(int(restored))
    expect(page.locator("#f-exchange_stop.changed")).to_have_count(int(restored))


def test_changes_survive_reloading_leaving_and_closing(phone: Page) -> None:
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


def test_what_was_brought_back_can_be_dropped(phone: Page, judge: Judge) -> None:
    """One tap leads to the rules one began with, and the changes stay away."""
    to_the_form(phone)
    choose_stop(phone, "47")
    phone.reload()
    expect_stop(phone, "47", restored=True)
    judge(phone)
    phone.get_by_role("link", name="Börja om från Huvudregler").tap()
    expect_stop(phone, "45", restored=False)
    phone.reload()
    expect_stop(phone, "45", restored=False)


def test_a_number_half_written_and_an_answer_that_is_lost_are_kept(
    phone: Page, tolerated: list[str]
) -> None:
    """What never reached the score keeper is there all the same."""
    tolerated += ["net::ERR_FAILED", "Failed to fetch"]
    to_the_form(phone)
    phone.route("**/rules", lose_posts)
    phone.locator("#g-stop > summary").tap()
    phone.locator(f"{STOP}[value=other]").tap(force=True)
    phone.locator("input[name='exchange_stop.other']").fill("39")
    phone.locator("button[value=use]").tap()
    expect(phone.locator("#said")).to_contain_text("Inget svar")
    phone.unroute("**/rules")
    phone.reload()
    expect(phone.locator("input[name='exchange_stop.other']")).to_have_value("39")
    expect(phone.locator("#g-stop > summary")).to_contain_text("39 poäng")


def test_rules_in_use_are_no_draft_any_more(phone: Page) -> None:
    """Who starts from the same rules again finds these, not what was made of them last time."""
    to_the_form(phone)
    choose_stop(phone, "47")
    phone.locator("button[value=use]").tap()
    expect(phone.locator("input[name=preset]:checked")).to_have_value("own")
    to_the_form(phone)
    expect_stop(phone, "45", restored=False)


def test_each_place_and_each_start_has_a_draft_of_its_own(phone: Page) -> None:
    """A table's next rules know nothing of a new table's, and another rule set nothing of both."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    keeper.win_at_once("Anna")
    expect(phone.locator(".result")).to_be_visible()
    next_rules = f"{phone.url}/rules/change"
    phone.goto(next_rules)
    choose_stop(phone, "44")
    to_the_form(phone)
    expect_stop(phone, "45", restored=False)
    choose_stop(phone, "47")
    phone.goto("/")
    phone.locator("input[name=preset][value=wikipedia]").check(force=True)
    phone.locator("button[value=rules]").tap()
    expect_stop(phone, "42", restored=False)
    phone.goto(next_rules)
    expect_stop(phone, "44", restored=True)
    phone.locator("button[value=use]").tap()
    expect(phone.locator("#table")).to_be_visible()
    to_the_form(phone)
    expect_stop(phone, "47", restored=True)


def test_two_tabs_keep_their_own(phone: Page) -> None:
    """What is changed in one is not swept away by reloading the other, nor by using it."""
    to_the_form(phone)
    other = phone.context.new_page()
    to_the_form(other)
    choose_stop(phone, "47")
    choose_stop(other, "44")
    phone.reload()
    expect_stop(phone, "47", restored=True)
    phone.locator("button[value=use]").tap()
    expect(phone.locator("#start")).to_be_visible()
    other.reload()
    expect_stop(other, "44", restored=True)


def test_what_cannot_be_read_is_passed_over(phone: Page) -> None:
    """Whatever stands where a draft should be, the form opens as if nothing did."""
    to_the_form(phone)
    choose_stop(phone, "47")
    phone.reload()
    expect_stop(phone, "47", restored=True)
    phone.add_init_script(BREAK_DRAFTS)
    for text in UNREADABLE:
        phone.evaluate("text => { window.name = JSON.stringify([KEY, text]) }", text)
        phone.reload()
        expect_stop(phone, "45", restored=False)


def test_what_another_version_kept_is_passed_over_and_goes_with_time(phone: Page) -> None:
    """A draft of another form lies unused, and is removed when it is old."""
    to_the_form(phone)
    old = {"at": 0, "fields": json.dumps([["exchange_stop", "47"]])}
    phone.evaluate("old => localStorage.setItem('rules:/rules:other', old)", json.dumps(old))
    phone.reload()
    expect_stop(phone, "45", restored=False)
    assert phone.evaluate("Object.keys(localStorage).filter(key => /^rules:/.test(key))") == []


def test_where_nothing_can_be_stored_leaving_asks(new_phone: NewPhone) -> None:
    """Changed rules are not left without a question; unchanged and used ones are."""
    page = new_phone()
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


def lose_posts(route: Route) -> None:
    """Let nothing that is sent get through."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()
