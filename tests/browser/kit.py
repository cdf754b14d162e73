"""A phone that has taken the score keeper along, and what can befall it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, Worker, expect

from tests.browser.serving import ROOT, Server
from tests.browser.tables import Event, eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import SharedPhone

# As a page does it, without its button.
TAKE_ALONG = """async () => {
  await navigator.serviceWorker.ready;
  const { files } = await (await fetch("/offline/kit.json")).json();
  const kit = await caches.open("kit");
  await Promise.all(files.map(({ url }) => kit.add(url)));
  const options = { type: "module", scope: "/" };
  const found = await navigator.serviceWorker.register("/offline/worker.js", options);
  const worker = found.installing ?? found.waiting ?? found.active;
  await new Promise((done) => {
    const look = () => worker.state === "activated" && done();
    worker.addEventListener("statechange", look);
    look();
  });
}"""
WORKER = "navigator.serviceWorker.controller?.scriptURL.endsWith('/offline/worker.js')"
FORGET = """async () => {
  const over = (asked) => new Promise((give, refuse) => {
    asked.onsuccess = asked.oncomplete = () => give(asked.result);
    asked.onerror = () => refuse(asked.error);
  });
  localStorage.clear();
  if (!(await indexedDB.databases()).some(({ name }) => name === "chicago")) return;
  const database = await over(indexedDB.open("chicago"));
  const stores = [...database.objectStoreNames];
  const all = database.transaction(stores, "readwrite");
  for (const name of stores.filter((each) => each !== "state")) all.objectStore(name).clear();
  for (const key of ["state", "away"]) all.objectStore("state").delete(key);
  await over(all);
  database.close();
}"""
# Whoever is without a server meets its absence now and then.
UNREACHABLE = r"net::ERR_(CONNECTION_(REFUSED|RESET)|INCOMPLETE_CHUNKED_ENCODING|FAILED|TIMED_OUT)"


def take_along(page: Page) -> None:
    """Let a phone take the kit along, which `make offline` has built."""
    assert (ROOT / "build/offline/kit.json").exists(), "There is no kit: make offline builds it."
    page.goto("/")
    page.evaluate(TAKE_ALONG)
    page.reload()
    eventually(page, WORKER)


def status(page: Page) -> dict[str, Any]:
    """Return what the worker tells the pages."""
    told: dict[str, Any] = page.evaluate("fetch('/offline/status').then((told) => told.json())")
    return told


def end_workers(page: Page) -> None:
    """End the worker by force, as a phone does that is short of memory."""
    session = page.context.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()


def forget_all(page: Page) -> None:
    """Let a phone with the kit hold nothing; what it has compiled of the pages stays."""
    # A worker that was still writing may write once more.
    for _ in range(3):
        page.goto("/")
        end_workers(page)
        page.evaluate(FORGET)
        page.goto("/")
        eventually(page, WORKER)
        told = status(page)
        if (told["away"], told["waiting"], told["held"]) == (False, 0, []):
            return
    raise AssertionError(told)


def take_along_once(phone: SharedPhone) -> None:
    """Let a phone that several tests share take the kit along."""
    page = phone.context.new_page()
    take_along(page)
    page.close()


@contextmanager
def page_with_server(phone: SharedPhone, server: Server, tolerated: list[str]) -> Iterator[Page]:
    """Open a page of a phone with the kit, which holds nothing yet, while there is a server."""
    if not server.pid:
        server.start()
    with phone.page(tolerated) as page:
        forget_all(page)
        yield page


def recorded_here(page: Page, table: str) -> list[Event]:
    """Return the events of the table's first game as the phone answers them, without times."""
    game = page.evaluate(
        "(path) => fetch(path).then((file) => file.json())", f"{table}/games/1.json"
    )
    return [{key: event[key] for key in event if key != "at"} for event in game["events"]]


def expect_nothing_waits(page: Page) -> None:
    """Wait until the server has acknowledged all that was only on the phone."""
    eventually(
        page, "fetch('/offline/status').then((t) => t.json()).then((t) => !t.away && !t.waiting)"
    )
    expect(page.locator("#only-here")).to_have_count(0)


def fill_storage(page: Page) -> None:
    """Let the worker meet a storage that is full, for as long as it runs."""
    _worker(page).evaluate("""() => {
      const full = new DOMException("full", "QuotaExceededError");
      IDBObjectStore.prototype.put = () => { throw full; };
    }""")


def fail_at(page: Page, path: str) -> None:
    """Let the worker meet a server that fails at an address and below, for as long as it runs."""
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
    return [each for each in page.context.service_workers if each.url.endswith("worker.js")][-1]
