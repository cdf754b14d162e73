"""A phone with the offline bundle, and the failures that it may meet."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.tables import unfold

WORKER = "() => navigator.serviceWorker.controller?.scriptURL.endsWith('/worker.js?kit')"
# Resolves once the worker says that nothing waits: its status is fetched once, then pushed.
PUSHED = """() => new Promise((done) => {
  const look = (told) => { if (!told.away && !told.waiting) done(); };
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data.type === "status") look(data);
  });
  fetch("/offline/status").then((told) => told.json()).then(look);
})"""


def install_offline(page: Page, home: str = "/") -> None:
    """Install the bundle built by `make offline` with one tap."""
    page.goto(home)
    unfold(page, "mer")
    page.locator("#take-along").click()
    expect(page.locator("html")).to_have_attribute("data-kit", "taken")
    page.wait_for_function(WORKER)


def end_workers(page: Page) -> None:
    """End the worker by force, as a phone does when it is short of memory."""
    session = page.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()


def expect_nothing_waits(page: Page) -> None:
    """Wait until the server has acknowledged every entry that was only on the phone."""
    # A page that is reloaded meanwhile is asked again.
    page.wait_for_function(PUSHED)
    expect(page.locator("#only-here")).to_have_count(0)
