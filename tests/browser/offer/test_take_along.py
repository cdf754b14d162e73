"""The score keeper is taken along for where there is no network, and taken away again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AWAY, Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import cut, eventually, hold
from tests.browser.taking_along import expect_kit, stand, take_along

FETCHED = (
    "async () => (await (await caches.open('kit')).keys()).map(({url}) => url.split('/').at(-1))"
)
WORKER = "async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL ?? ''"
TOO_LITTLE = "navigator.storage.estimate = async () => ({quota: 5e6, usage: 2e6})"


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [*AWAY]


def test_one_tap_takes_it_along(phone: Page, judge: Judge) -> None:
    """It says how much, fetches every file, and says so when it is there, also on the next page."""
    phone.goto("/")
    expect(phone.locator("html")).to_have_attribute("data-kit", "none")
    expect(phone.locator("#take-along")).to_have_text("Ta med utan nät (5 MB)")
    phone.locator("#take-along").click()
    expect_kit(phone, "taken")
    expect(phone.get_by_text("Nu går det att spela utan nät.")).to_be_visible()
    expect(phone.locator("#take-along")).to_be_hidden()
    assert sorted(phone.evaluate(FETCHED)) == ["first", "second", "third"]
    judge(phone)
    phone.reload()
    expect_kit(phone, "taken")
    expect(phone.get_by_role("link", name="Med utan nät")).to_be_visible()
    assert phone.evaluate(WORKER).endswith("/offline/worker.js")


def test_it_is_offered_in_the_sheet_of_what_is_rare(phone: Page) -> None:
    """At the table too: the sheet offers it, and says that it is there."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    phone.get_by_role("link", name="Mer", exact=True).click()
    keeper.sheet.locator("#take-along").click()
    expect_kit(phone, "taken")
    expect(keeper.sheet.get_by_text("Nu går det att spela utan nät.")).to_be_visible()


def test_what_breaks_off_goes_on_where_it_was(phone: Page, judge: Judge) -> None:
    """On the next page, without a tap, and no file is fetched twice."""
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    hold(phone, "**/offline/second", times=1)
    phone.goto("/")
    phone.locator("#take-along").click()
    expect_kit(phone, "taking")
    expect(phone.locator(".far")).to_have_text("0,4 av 5,0 MB")
    expect(phone.get_by_text("Hämtar det som behövs utan nät.")).to_be_visible()
    judge(phone)
    phone.goto("/tables")
    expect_kit(phone, "taken")
    assert asked.count("first") == 1
    assert asked.count("third") == 1


def test_a_network_that_goes_away_is_told_of_and_waited_for(phone: Page) -> None:
    """Nothing to press: it goes on when the network is back."""
    phone.route("**/offline/second", lambda route: route.abort(), times=1)
    phone.goto("/")
    phone.locator("#take-along").click()
    expect(phone.get_by_text("Det fortsätter härifrån när nätet är tillbaka.")).to_be_visible()
    expect_kit(phone, "taking")
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect_kit(phone, "taken")


def test_a_file_that_is_not_what_it_should_be_is_not_taken(phone: Page) -> None:
    """It is told in words, and can be tried again."""
    phone.route("**/offline/first", lambda route: route.fulfill(body="spoilt"), times=1)
    phone.goto("/")
    phone.locator("#take-along").click()
    expect(phone.get_by_text("Det gick inte att hämta.")).to_be_visible()
    expect_kit(phone, "none")
    assert phone.evaluate(FETCHED) == []
    phone.locator("#take-along").click()
    expect_kit(phone, "taken")


def test_a_phone_without_room_is_told_how_much_it_needs(phone: Page) -> None:
    """Before anything is fetched."""
    phone.context.add_init_script(TOO_LITTLE)
    phone.goto("/")
    phone.locator("#take-along").click()
    expect(phone.locator(".along-said")).to_have_text(
        "Det behöver 7 MB på telefonen, och det finns plats för 3 MB."
    )
    expect_kit(phone, "none")
    assert phone.evaluate(FETCHED) == []


def test_it_can_be_stopped(phone: Page) -> None:
    """What has come is kept for the next time, and nothing goes on by itself."""
    hold(phone, "**/offline/third", times=1)
    phone.goto("/")
    phone.locator("#take-along").click()
    expect(phone.locator(".far")).to_have_text("1,3 av 5,0 MB")
    phone.get_by_role("button", name="Avbryt").click()
    expect(phone.locator("#take-along")).to_be_visible()
    phone.reload()
    expect(phone.locator("#take-along")).to_be_visible()
    expect_kit(phone, "none")


def test_a_browser_that_cannot_is_offered_nothing(new_phone: NewPhone) -> None:
    """Neither without WebAssembly nor without scripts."""
    for setting in ({}, {"java_script_enabled": False}):
        page = new_phone(**setting)
        if not setting:
            page.context.add_init_script("delete window.WebAssembly")
        page.goto("/")
        expect(page.locator("#start")).to_be_visible()
        expect(page.locator("#take-along")).to_be_hidden()


def test_the_page_of_it_says_how_it_stands(taken: Page, judge: Judge) -> None:
    """What it takes, whether the browser keeps it, and how it is put on the home screen."""
    taken.get_by_role("link", name="Med utan nät").click()
    expect(taken.get_by_role("heading", level=1)).to_have_text("Utan nät")
    expect(taken.locator("#room")).to_contain_text("MB på telefonen")
    expect(taken.get_by_text("Webbläsaren kan glömma det")).to_be_visible()
    expect(taken.get_by_text("Lägg till på hemskärmen")).to_be_visible()
    judge(taken)


def test_one_tap_takes_it_away_again(phone: Page) -> None:
    """Nothing of it is left, and the pages are kept as on any phone."""
    take_along(phone)
    phone.goto("/offline")
    phone.get_by_role("button", name="Ta bort det från den här telefonen").click()
    expect(phone.get_by_text("Det finns inte längre på den här telefonen.")).to_be_visible()
    expect_kit(phone, "none")
    assert phone.evaluate("async () => (await caches.keys()).includes('kit')") is False
    phone.goto("/")
    expect(phone.locator("#take-along")).to_be_visible()
    assert phone.evaluate(WORKER).endswith("/sw.js")


def test_it_stays_while_something_is_only_here(taken: Page) -> None:
    """The reason is told, and nothing is taken away."""
    taken.goto("/offline")
    expect_kit(taken, "taken")
    stand(taken, {"waiting": 2, "since": "2026-11-22T10:00:00+00:00", "only_here": ["x"]})
    expect(taken.locator("#waits")).to_be_visible()
    taken.get_by_role("button", name="Ta bort det från den här telefonen").click()
    expect(taken.get_by_text("Inte än: något finns bara på den här telefonen.")).to_be_visible()
    expect_kit(taken, "taken")
    assert len(taken.evaluate(FETCHED)) == 3


def test_without_a_network_it_is_not_taken_away(taken: Page) -> None:
    """The other worker could not be fetched: it says so, and all is as it was."""
    taken.goto("/offline")
    expect_kit(taken, "taken")
    cut(taken)
    taken.get_by_role("button", name="Ta bort det från den här telefonen").click()
    expect(taken.get_by_text("Det behöver nät. Allt är som det var.")).to_be_visible()
    eventually(taken, f"async () => (await ({WORKER})()).endsWith('/offline/worker.js')")
