"""A phone with the offline bundle, and the failures that it may meet."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Worker, expect

from tests.browser.tables import Event, unfold

WORKER = "() => navigator.serviceWorker.controller?.scriptURL.endsWith('/worker.js?kit')"
# Resolves once the worker's status meets a condition; the status is fetched once, then pushed.
SAID = """(arg) => new Promise((done) => {
  const fits = %s;
  const look = async (told) => { if (await fits(told, arg)) done(); };
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


def status(page: Page) -> dict[str, Any]:
    """Return the status that the worker reports to the pages."""
    told: dict[str, Any] = page.evaluate("fetch('/offline/status').then((told) => told.json())")
    return told


def wait_for_worker(page: Page, condition: str, arg: object = None) -> None:
    """Wait until the worker's status meets a condition, a function of the status and of `arg`."""
    # A page that is reloaded meanwhile is asked again.
    page.wait_for_function(SAID % condition, arg=arg)


def end_workers(page: Page) -> None:
    """End the worker by force, as a phone does when it is short of memory."""
    session = page.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()


def recorded_here(page: Page, table: str) -> list[Event]:
    """Return the events of the table's first game from the phone's own answer, without times."""
    game = page.evaluate(
        "(path) => fetch(path).then((file) => file.json())", f"{table}/games/1.json"
    )
    return [{key: event[key] for key in event if key != "at"} for event in game["events"]]


def expect_nothing_waits(page: Page) -> None:
    """Wait until the server has acknowledged every entry that was only on the phone."""
    wait_for_worker(page, "(told) => !told.away && !told.waiting")
    expect(page.locator("#only-here")).to_have_count(0)


def fail_at(page: Page, path: str) -> None:
    """Let the server's answers to the worker fail below a path, for as long as the worker runs."""
    _worker(page).evaluate(
        """(path) => {
      const whole = fetch;
      const isBelow = ({ pathname }) => pathname.startsWith(path);
      self.fetch = (asked, ...options) => isBelow(new URL(asked.url ?? asked, origin))
        ? Promise.resolve(new Response("", { status: 500 })) : whole(asked, ...options);
    }""",
        path,
    )


def _worker(page: Page) -> Worker:
    return [each for each in page.context.service_workers if each.url.endswith("?kit")][-1]
