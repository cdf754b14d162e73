"""A page or a form without an answer: the worker shows the app's own page, and keeps no others."""

import re
from http import HTTPStatus

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AWAY
from tests.browser.keeper import Keeper
from tests.browser.tables import cut, hasten

TOLERATED = [*AWAY, "server error 50[23]"]

ELSEWHERE = """
    <form method="post" action="%s/undo"><input name="seq" value="2"><button>Win!</button></form>
"""


def ours(page: Page) -> Locator:
    """Return the page that stands in for a missing one, with the app's styles."""
    found = page.locator("main.lost")
    expect(found).to_have_css("max-width", "544px")
    return found


def in_control(page: Page) -> str:
    """Wait until the phone's worker answers for the page; return the table's address."""
    page.wait_for_function("() => navigator.serviceWorker.controller")
    return page.url


def test_a_page_without_an_answer_says_so_in_our_words(keeper: Keeper) -> None:
    """It loads by itself once there is a network; nothing of a table has been kept meanwhile."""
    phone, table = keeper.page, in_control(keeper.page)
    cut(phone)
    for end in ("", "/pen/nowhere", "/evening"):
        phone.goto(f"{table}{end}")
        expect(ours(phone)).to_contain_text("går inte att nå just nu")
    expect(phone.locator("html")).to_have_attribute("lang", "sv")
    assert phone.evaluate("caches.keys()") == []
    cut(phone, off=False)
    hasten(phone)
    expect(phone).to_have_title(re.compile("Kvällen"))
    # Of a form without an answer the result is unknown, and a link leads back.
    phone.goto(f"{table}/join")
    cut(phone)
    phone.get_by_role("button", name="Ta tillbaka pennan").click()
    expect(ours(phone)).to_contain_text("det blev kanske inte skrivet")
    cut(phone, off=False)
    phone.get_by_role("link", name="Tillbaka").click()
    expect(phone).to_have_url(f"{table}/join")


def test_the_worker_sends_nothing_in_the_name_of_another_site(
    keeper: Keeper, tolerated: list[str]
) -> None:
    """A form on another site's page is refused as it is without the worker."""
    tolerated.append("403")
    phone, table = keeper.page, in_control(keeper.page)
    keeper.tap("pair", "Anna")
    phone.route(
        "http://elsewhere.test/",
        lambda route: route.fulfill(content_type="text/html", body=ELSEWHERE % table),
    )
    phone.goto("http://elsewhere.test/")
    with phone.expect_response(f"{table}/undo") as answer:
        phone.get_by_role("button").click()
    assert answer.value.status == HTTPStatus.FORBIDDEN
    phone.goto(table)
    keeper.expect_scores(1, 0, 0, 0)
