"""The bundle is installed by itself, reports unsent entries, and can be removed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bundle import WORKER
from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import eventually

PLAIN = """navigator.serviceWorker.getRegistration()
    .then((found) => Boolean(found?.active?.scriptURL.endsWith('/worker.js')))"""
TOLD = "Fungerar nu utan nät"
NOTHING: dict[str, object] = {"waiting": 0, "line": ""}
LINE = """<aside id="only-here" class="only-here {urgency}" data-of="{words}"
    aria-label="Bara här"><link rel="stylesheet" href="/static/kit.css">
    <a href="/offline">{words}</a></aside>"""
STAND = "(status) => navigator.serviceWorker.controller.postMessage({type: 'stand', status})"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper with the stand-in for a bundle."""
    served = Server(tmp_path_factory.mktemp("kit"), "tests.browser.bundle_stand_in:create_app()")
    served.start()
    yield served
    served.stop()


@pytest.fixture
def phone(new_phone: NewPhone) -> Page:
    """Return a phone with the bundle turned on."""
    return new_phone(storage_state=None)


def expect_bundle(page: Page, state: str) -> None:
    """Wait until the page has this state of the bundle."""
    expect(page.locator("html")).to_have_attribute("data-kit", state)


def waiting(count: int, words: str, urgency: str = "minutes") -> dict[str, object]:
    """Return a worker's status with some entries that are only on the phone."""
    return {"waiting": count, "line": LINE.format(words=words, urgency=urgency)}


def stand(page: Page, status: dict[str, object]) -> None:
    """Set the worker's status."""
    page.evaluate(STAND, status)


def test_a_phone_that_keeps_score_takes_it_along_and_it_can_be_turned_off(phone: Page) -> None:
    """The first fact installs it, with one message; one tap removes it once nothing is unsent.

    What is only on the phone is told in the bar meanwhile.
    """
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    eventually(phone, PLAIN)
    expect_bundle(phone, "none")
    keeper.tap("pair", "Anna")
    expect(keeper.said).to_have_text(TOLD)
    phone.wait_for_function(WORKER)
    table = phone.url
    phone.reload()
    what_is_only_here_has_its_place_in_the_bar(phone)
    expect_bundle(phone, "taken")
    stand(phone, waiting(3, "3 tryck är sparade här."))
    off = phone.get_by_role("button", name="Stäng av på den här telefonen")
    off.click()
    expect(phone.get_by_text("Inte än: något finns bara på den här telefonen.")).to_be_visible()
    stand(phone, NOTHING)
    off.click()
    expect(phone.get_by_text("Avstängt")).to_be_visible()
    expect_bundle(phone, "off")
    eventually(phone, "async () => !(await caches.keys()).includes('kit')")
    phone.goto(table)
    keeper.tap("flush", "Bo")
    eventually(phone, PLAIN)
    expect_bundle(phone, "off")


def what_is_only_here_has_its_place_in_the_bar(phone: Page) -> None:
    """Check that the line moves nothing, gets more urgent, links to the setting, then goes."""
    expect_bundle(phone, "taken")
    heads = phone.locator(".head, .where a, .row, .bar > a")
    before = [box.bounding_box() for box in heads.all()]
    line = phone.locator("#only-here")
    stand(phone, waiting(1, "1 tryck är sparat här och skickas när nätet är tillbaka."))
    expect(line).to_have_class("only-here minutes")
    stand(phone, waiting(28, "28 tryck är sparade här.", "days"))
    expect(line).to_have_class("only-here days")
    assert [box.bounding_box() for box in heads.all()] == before
    box, undo = line.bounding_box(), phone.locator(".undo").bounding_box()
    assert box
    assert undo
    assert all(each and each["y"] + each["height"] <= box["y"] for each in before[:-2])
    assert undo["x"] >= box["x"] + box["width"]
    phone.set_viewport_size({"width": 360, "height": 664})
    assert phone.locator(".undo").evaluate("(undo) => undo.scrollWidth <= undo.clientWidth")
    line.get_by_role("link").click()
    expect(phone).to_have_url("/offline")
    stand(phone, NOTHING)
    expect(line).to_have_count(0)
