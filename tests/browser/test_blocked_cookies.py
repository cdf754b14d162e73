"""A browser that keeps neither cookies nor anything else says so before a table is made."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper

NOTHING_KEPT = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError"); },
});"""


def _strip(route: Route) -> None:
    """Let no cookie come to the browser."""
    answer = route.fetch(max_redirects=0)
    # Playwright has kept it already.
    route.request.frame.page.context.clear_cookies()
    kept = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
    route.fulfill(response=answer, headers=kept)


def test_who_blocks_cookies_is_told_at_the_form(new_phone: NewPhone) -> None:
    """With what is typed still there; once they are allowed the same form opens a table."""
    page = new_phone(service_workers="block")
    page.add_init_script(NOTHING_KEPT)
    page.route("**/*", _strip)
    page.goto("/")
    Keeper(page).type_names(["Åsa", "Bo"])
    page.locator("#start .go").last.tap()
    expect(page.locator("#said")).to_contain_text("sparar inga kakor")
    expect(page.locator("#start input[name=player]").first).to_have_value("Åsa")
    page.unroute_all(behavior="wait")
    page.locator("#start button[value=look]").evaluate("(button) => button.click()")
    page.locator("#start .go").last.tap()
    expect(page.locator("#table")).to_be_visible()
