"""A network that does its worst, between a phone and its server."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, TypeVar

from tests.browser.serving import HOST, Server

# What becomes of a request. passed: answered. lost: it reaches the server, the answer nobody.
# twice: it reaches the server two times. late: it reaches the server after the next one, and the
# answer nobody. killed: the server is killed as soon as it has it; done: once it has answered.
# cut: it does not get through.
Fate = Literal["passed", "lost", "twice", "late", "killed", "done", "cut"]
HANDING_OVER = "/offline/tables/"
# Between two machines only, not for the one behind.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}
# Closing so tells the other side at once that nothing will come (RST).
ABORTED = struct.pack("ii", 1, 0)


class Proxy(ThreadingHTTPServer):
    """Stands at the server's address; what is handed over meets one fate after the other.

    Each when it is let; until then nothing gets through, and after the last one everything.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, server: Server, fates: Sequence[Fate]) -> None:
        super().__init__((HOST, port), Passage)
        self.served = server
        self._fates = list(fates)
        self._allowed = threading.Semaphore(0)
        self._met = threading.Event()
        self._late: list[Callable[[], object]] = []
        self._lock = threading.Lock()

    def handle_error(self, request: object, client_address: object) -> None:
        """A phone that hangs up is no error."""

    def draw_fate(self, path: str) -> Fate:
        """Return what becomes of a request."""
        with self._lock:
            if not path.startswith(HANDING_OVER) or not self._fates:
                return "passed"
            return self._fates.pop(0) if self._allowed.acquire(blocking=False) else "cut"

    def let_next(self) -> None:
        """Let what is handed over next meet its fate."""
        self._met.clear()
        self._allowed.release()

    def wait_met(self) -> None:
        """Wait until the fate that was let is over."""
        self._met.wait()

    def note_met(self) -> None:
        """Note that a fate is over."""
        self._met.set()

    def keep(self, send: Callable[[], object]) -> None:
        """Keep a request for after the next one."""
        self._late.append(send)

    def send_late(self) -> None:
        """Let go of what was kept."""
        while self._late:
            self._late.pop()()


class Passage(BaseHTTPRequestHandler):
    """Carries a request to the server behind, as far as its fate lets it."""

    server: Proxy

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Let the request meet its fate."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fate = self.server.draw_fate(self.path)
        try:
            self._meet(fate, body)
        except (OSError, http.client.HTTPException):
            self._abort()
        if fate not in ("passed", "cut"):
            self.server.note_met()

    do_POST = do_GET  # noqa: N815 - as the library calls it

    def _meet(self, fate: Fate, body: bytes) -> None:
        if fate == "cut":
            return self._abort()
        if fate == "late":
            self.server.keep(lambda: self._forward(body))
            return self._abort()
        if fate == "killed":
            self._forward(body, self.server.served.kill)
            return self._abort()
        if fate == "done":
            self._forward(body)
            self.server.served.kill()
            return self._abort()
        if fate in ("lost", "twice"):
            self._forward(body)
        if fate == "lost":
            return self._abort()
        self._answer(body)
        return None

    def _forward(self, body: bytes, after: Callable[[], object] | None = None) -> None:
        """Hand a request on; its answer is thrown away, or `after` is done instead of waiting."""
        with closing(self._connect(body)) as connection:
            if after is None:
                connection.getresponse().read()
            else:
                after()

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
        """Hand a request on, and its answer back, as it comes."""
        with closing(self._connect(body)) as connection, connection.getresponse() as found:
            if self.path.startswith(HANDING_OVER):
                self.server.send_late()
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


P = TypeVar("P", bound=Proxy)


@contextmanager
def proxied(port: int, server: Server, fates: Sequence[Fate]) -> Iterator[Proxy]:
    """Stand at a port before a server that is at another, for the length of a block."""
    with running(Proxy(port, server, fates)) as proxy:
        yield proxy


@contextmanager
def running(proxy: P) -> Iterator[P]:
    """Let a proxy stand there for the length of a block."""
    thread = threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
