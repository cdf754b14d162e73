"""Evenings without a network: a phone with the bundle, its server, and a proxy between them."""

from __future__ import annotations

import http.client
import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from playwright.sync_api import Browser, Error, Page, expect

from tests.browser.bundle import end_workers, expect_nothing_waits, install_offline, wait_for_worker
from tests.browser.conftest import TIMEOUT_MS, usual, watch
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import HOST, Server
from tests.browser.tables import Event, path_of, unfold

HELD = "(told, link) => told.held.includes(link)"
FILE = "(path) => fetch(path).then((file) => file.json())"


Game = dict[str, Any]

# The losses of pushes, one after the other.
LOSSES = ("never arrives", "is not answered", "is answered in half", "kills the server")
SEND = "fetch('/offline/status').then((told) => told.ok)"


# Headers for one connection, not for the server behind.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}
# Closing this way resets the connection at once (RST).
ABORTED = struct.pack("ii", 1, 0)


class Losing(ThreadingHTTPServer):
    """A proxy between a phone and its server that loses a push in each way; `met` reports them."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, server: Server) -> None:
        super().__init__((HOST, port), _Passage)
        self.served = server
        self.losses = [*LOSSES]
        self.met = SimpleQueue[str]()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a phone that closes its connection."""


class _Passage(BaseHTTPRequestHandler):
    """A handler that forwards a request to the server, and returns its answer."""

    server: Losing

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        """Forward a request, or lose a push."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/offline/tables/") and self.server.losses:
            loss = self.server.losses.pop(0)
            if loss != "never arrives":
                self._hand_on(body, loss)
            self._abort()
            self.server.met.put(loss)
            return
        try:
            self._answer(body)
        except (OSError, http.client.HTTPException):
            self._abort()

    do_POST = do_GET  # noqa: N815 - as the library calls it

    def _hand_on(self, body: bytes, loss: str) -> None:
        with closing(self._connect(body)) as connection:
            if loss == "kills the server":
                self.server.served.kill()
                return
            answer = connection.getresponse().read()
        if loss == "is answered in half":
            self.send_response_only(HTTPStatus.OK)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer[: len(answer) // 2])

    def _connect(self, body: bytes) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(HOST, self.server.served.port)
        headers = {name: value for name, value in self.headers.items() if not _is_hop(name)}
        try:
            connection.request(self.command, self.path, body or None, headers)
        except OSError:
            connection.close()
            raise
        return connection

    def _answer(self, body: bytes) -> None:
        """Forward a request, and return the answer part by part."""
        with closing(self._connect(body)) as connection, connection.getresponse() as found:
            self.send_response_only(found.status)
            for name, value in found.getheaders():
                if not _is_hop(name):
                    self.send_header(name, value)
            self.end_headers()
            while part := found.read1(65536):
                self.wfile.write(part)
                self.wfile.flush()

    def _abort(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORTED)
        self.connection.close()
        self.close_connection = True


def _is_hop(header: str) -> bool:
    return header.lower() in HOP_BY_HOP


class Cabin:
    """A phone with the bundle, and its server.

    The phone knows one address, with the server or nothing behind it.
    `trouble` is the list of errors on the phone's pages.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        # The page of an evening has times of day, in the phone's time zone.
        self.server = Server(folder, TZ="Europe/Stockholm")
        self.server.start()
        self.port = self.server.port
        self.trouble: list[str] = []
        self._browser = browser
        self.context = browser.new_context(**usual(self.server.url))
        self.context.set_default_timeout(TIMEOUT_MS)
        watch(self.context, self.trouble.append)
        self.page = self.context.new_page()
        install_offline(self.page)

    def close(self) -> None:
        """Close the phone and end the server."""
        self.restore()
        self.context.close()
        self.server.stop()

    def kill(self) -> None:
        """Kill the server's processes, and wait until its address is free."""
        self.server.kill()
        wait_until_free(self.server.port)

    def serve(self) -> None:
        """Start the server again, at the address that the phone knows."""
        self.server.port = self.port
        self.server.start()

    @contextmanager
    def other_phone(self) -> Iterator[Page]:
        """Turn on another phone, without the bundle, for the length of a block."""
        context = self._browser.new_context(**usual(self.server.url))
        context.set_default_timeout(TIMEOUT_MS)
        watch(context, self.trouble.append)
        yield context.new_page()
        context.close()

    def pen_link(self) -> str:
        """Return a link for the pen of the open table, which only the server can make.

        On a slow machine the worker may take the server for down meanwhile.
        """
        form: dict[str, str | float | bool] = {
            "seq": str(self.page.locator("#table").get_attribute("data-seq"))
        }
        told = self.context.request.post(f"{self.page.url}/pen", form=form).text()
        found = re.search(rf"{path_of(self.page)}/pen/[\w-]+", told)
        assert found, told
        return f"{self.server.url}{found[0]}"

    def restore(self) -> None:
        """Restore the network and the server from any state."""
        if not self.server.pid or self.server.port != self.port:
            self.server.kill()
            self.serve()

    def hold(self) -> None:
        """Wait until the phone holds the table on its screen."""
        wait_for_worker(self.page, HELD, path_of(self.page).removeprefix("/t/"))

    def end_worker(self) -> None:
        """End the worker by force."""
        end_workers(self.page)

    def crash(self) -> Page:
        """Kill the page's process, and open the page again."""
        address = self.page.url
        with self.page.expect_event("crash"), suppress(Error):
            self.page.goto("chrome://crash")
        self.page.close()
        self.page = self.context.new_page()
        self.page.goto(address)
        return self.page

    @contextmanager
    def losing_pushes(self) -> Iterator[SimpleQueue[str]]:
        """Serve behind a proxy that loses the first pushes; the queue reports each loss."""
        self.server.port = 0
        self.server.start()
        with Losing(self.port, self.server) as proxy:
            thread = threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True)
            thread.start()
            try:
                yield proxy.met
            finally:
                proxy.shutdown()
                thread.join()
        self.kill()

    def restart(self) -> None:
        """Start the server again if it was killed."""
        if not self.server.pid:
            self.server.start()

    def expect_pushed(self) -> None:
        """Wait until the page shows that all entries are on the server."""
        expect_nothing_waits(self.page)
        expect(self.page.locator("#live")).to_have_class("on")


def sit_down(
    keeper: Keeper, players: tuple[str, ...] = PLAYERS, preset: str = "huvudregler"
) -> None:
    """Open a table with a chosen rule set; otherwise the form offers the last one."""
    keeper.page.goto("/")
    keeper.type_names(players)
    unfold(keeper.page, "sets")
    keeper.page.locator(f"input[name=preset][value={preset}]").check()
    keeper.page.locator("button.go").click()
    apart = keeper.page.get_by_role("button", name="Nytt bord ändå")
    expect(keeper.page.locator("#table").or_(apart)).to_be_visible()
    if apart.is_visible():
        apart.click()
    expect(keeper.page.locator("#table")).to_be_visible()
    keeper.players = players


def wait_until_free(port: int) -> None:
    """Wait until nobody listens at a port of this machine any more; a server there is ending."""
    while True:
        try:
            with socket.create_connection((HOST, port)) as asking:
                # This ends together with the server that listens.
                asking.recv(1)
        except ConnectionRefusedError:
            return
        except ConnectionError:
            continue


def games_here(page: Page, table: str, count: int) -> list[Game]:
    """Return the files of a table's games from the phone's own answers."""
    return [page.evaluate(FILE, f"{table}/games/{number}.json") for number in range(1, count + 1)]


def games_there(page: Page, table: str, count: int) -> list[Game]:
    """Return the files of a table's games from the server."""
    address = "/".join(page.url.split("/", 3)[:3]) + table
    numbers = range(1, count + 1)
    return [page.request.get(f"{address}/games/{number}.json").json() for number in numbers]


def table_there(page: Page, table: str) -> Game:
    """Return the table from the server's API."""
    address = "/".join(page.url.split("/", 3)[:3])
    found: Game = page.request.get(f"{address}/api/tables/{table.removeprefix('/t/')}").json()
    return found


def text_of_evening(page: Page, table: str) -> str:
    """Return the text of the evening's page: games, debts and payments, with their times."""
    page.goto(f"{table}/evening")
    said = page.locator("#evening").text_content() or ""
    page.goto(table)
    return said


def without_times(file: Game) -> list[Event]:
    """Return the events of a game's file, without their times."""
    return [{key: event[key] for key in event if key != "at"} for event in file["events"]]
