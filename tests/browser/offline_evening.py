"""Evenings without a network: one phone with the kit, its server, and what lies between them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Worker, expect

from app.rules.game import replay
from app.rules.gamefile import decode_game, write_result
from tests.browser.conftest import TIMEOUT_MS, usual, watch
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import WORKER, end_workers, expect_nothing_waits
from tests.browser.proxy import Fate, Proxy, Swallower, proxied
from tests.browser.serving import HOST, PATIENCE, Server
from tests.browser.tables import Event, eventually, path_of

# Whoever is without a network meets its absence now and then.
TOLERATED = r"net::ERR_|the server responded with a status of 4\d\d"
HELD = """(link) => fetch("/offline/status").then((told) => told.json())
  .then(({ held }) => held.includes(link))"""
FILE = "(path) => fetch(path).then((file) => file.json())"

# A write comes no further than that: to the half of its transaction, or to just after it.
MID_WRITE = """() => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    if (this.name !== "state" || given[1] !== "state") return put.apply(this, given);
    const linger = () => { this.get("state").onsuccess = linger; };
    linger();
    globalThis.stopped = true;
    return {};
  };
}"""
COMMITTED = """() => {
  const { get, set } = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "oncomplete");
  Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
    get,
    set(told) {
      const writes = this.mode === "readwrite" && [...this.objectStoreNames].includes("chunks");
      set.call(this, writes ? () => { globalThis.stopped = true; } : told);
    },
  });
}"""

Game = dict[str, Any]


class Cabin:
    """A phone that has taken the kit along by the page's own button, and its server.

    The phone knows one address; behind it are the server, a network that does its worst, or nobody.
    `trouble` is what the phone's pages complained about.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        # What is told of an evening holds times of day, as the phone has them.
        self.server = Server(folder, TZ="Europe/Stockholm")
        self.server.start()
        self.port = self.server.port
        self.trouble: list[str] = []
        self._browser = browser
        self._swallower: Swallower | None = None
        self._stopping = False
        self.context = browser.new_context(**usual(self.server))
        self.context.set_default_timeout(TIMEOUT_MS)
        watch(self.context, self.trouble.append)
        self.page = self.context.new_page()

    def take_along(self) -> None:
        """Take the kit along with one tap."""
        self.page.goto("/")
        self.page.locator("#take-along").click()
        expect(self.page.locator("html")).to_have_attribute("data-kit", "taken")
        self.page.reload()
        eventually(self.page, WORKER)

    def close(self) -> None:
        """Put the phone away and end the server."""
        self.restore()
        self.context.close()
        self.server.stop()

    def kill(self) -> None:
        """Kill the server's processes, and wait until nobody is at its address."""
        self.server.kill()
        self.wait_until(lambda: is_free(self.server.port))

    def serve(self) -> None:
        """Serve again, at the address that the phone knows."""
        self.server.port = self.port
        self.server.start()

    @contextmanager
    def behind(self, fates: Sequence[Fate]) -> Iterator[Proxy]:
        """Serve again, behind a network that does its worst; at its end the server is killed."""
        self.server.port = 0
        self.server.start()
        with proxied(self.port, self.server, fates) as proxy:
            yield proxy
        self.server.kill()

    def meet_next_fate(self, proxy: Proxy) -> None:
        """Let what waits meet its next fate when somebody looks; then the server is killed."""
        proxy.let_next()
        self.look()
        self.wait_until(proxy.has_met)
        self.kill()

    @contextmanager
    def other_phone(self) -> Iterator[Page]:
        """Turn on another phone, without the kit, for the length of a block."""
        context = self._browser.new_context(**usual(self.server))
        context.set_default_timeout(TIMEOUT_MS)
        watch(context, self.trouble.append)
        yield context.new_page()
        context.close()

    def swallow(self) -> Swallower:
        """Let a network take every request, and never answer, where the server was."""
        self._swallower = Swallower(self.port)
        return self._swallower

    def end_swallowing(self) -> None:
        """Let go of what was swallowed."""
        if self._swallower is not None:
            self._swallower.close()
            self._swallower = None

    def restore(self) -> None:
        """Let all be as it is with a network, whatever was before."""
        self.end_swallowing()
        if self._stopping:
            self.end_worker()
        if not self.server.pid or self.server.port != self.port:
            self.server.kill()
            self.serve()

    def hold(self) -> None:
        """Wait until the phone has the table that it shows."""
        eventually(self.page, HELD, path_of(self.page).removeprefix("/t/"))

    def stop_worker_at(self, moment: str) -> None:
        """Let the worker come no further than to a moment of its next write."""
        self._stopping = True
        self._worker.evaluate(moment)

    def end_worker(self) -> None:
        """End the worker by force."""
        end_workers(self.page)
        self._stopping = False

    def wait_for_stop(self) -> None:
        """Wait until it has come there."""
        self.wait_until(lambda: bool(self._worker.evaluate("Boolean(globalThis.stopped)")))

    @property
    def _worker(self) -> Worker:
        return [each for each in self.context.service_workers if each.url.endswith("worker.js")][-1]

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true, while the phone goes on."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "This never came true."
            self.page.wait_for_timeout(50)

    def look(self) -> None:
        """Look at the start page, where a phone without a network looks for one, and come back."""
        table = path_of(self.page)
        self.page.goto("/")
        self.page.goto(table)

    def expect_handed_over(self) -> None:
        """Wait for what a person sees when all of it is on the server."""
        expect_nothing_waits(self.page)
        expect(self.page.locator("#live")).to_have_class("on")


def sit_down(
    keeper: Keeper, players: tuple[str, ...] = PLAYERS, preset: str = "huvudregler"
) -> None:
    """Open a table; the form knows what was played last."""
    keeper.page.goto("/")
    keeper.page.locator(f"input[name=preset][value={preset}]").check(force=True)
    keeper.type_names(players)
    keeper.page.locator("button.go").first.click()
    expect(keeper.page.locator("#table")).to_be_visible()
    keeper.players = players


def is_free(port: int) -> bool:
    """Return whether nobody listens at a port of this machine."""
    with socket.socket() as asking:
        return asking.connect_ex((HOST, port)) != 0


def games_here(page: Page, table: str, count: int) -> list[Game]:
    """Return the files of a table's games, as the phone answers them."""
    return [page.evaluate(FILE, f"{table}/games/{number}.json") for number in range(1, count + 1)]


def games_there(page: Page, table: str, count: int) -> list[Game]:
    """Return the files of a table's games, as the server has them."""
    address = "/".join(page.url.split("/", 3)[:3]) + table
    numbers = range(1, count + 1)
    return [page.request.get(f"{address}/games/{number}.json").json() for number in numbers]


def table_there(page: Page, table: str) -> Game:
    """Return the table as the server's API has it."""
    address = "/".join(page.url.split("/", 3)[:3])
    found: Game = page.request.get(f"{address}/api/tables/{table.removeprefix('/t/')}").json()
    return found


def result_of(file: Game) -> Game:
    """Return the result that the rules engine gives for a game's file."""
    game = decode_game(json.dumps(file).encode())
    result: Game = json.loads(json.dumps(write_result(replay(game.setup, game.events))))
    return result


def told_of_evening(page: Page, table: str) -> str:
    """Return all that the page of the evening says of games, debts and payments, times included."""
    page.goto(f"{table}/evening")
    said = page.locator("#evening").inner_text()
    page.goto(table)
    return said


def without_times(file: Game) -> list[Event]:
    """Return the events of a game's file, without their times."""
    return [{key: event[key] for key in event if key != "at"} for event in file["events"]]
