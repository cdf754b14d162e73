"""A server in front of ours, which hands every request on."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

from tests.browser.serving import HOST, Server

# Between two machines only, not for the one behind.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}
# Closing so tells the other side at once that nothing will come (RST).
ABORTED = struct.pack("ii", 1, 0)


class Proxy(ThreadingHTTPServer):
    """Stands between phones and a server."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, server: Server) -> None:
        super().__init__((HOST, port), Passage)
        self.served = server

    def handle_error(self, request: object, client_address: object) -> None:
        """A phone that hangs up is no error."""


class Passage(BaseHTTPRequestHandler):
    """Carries a request to the server behind, and its answer back."""

    server: Proxy

    def log_message(self, *_: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        """Hand a request on."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self._answer(body)
        except (OSError, http.client.HTTPException):
            self._abort()

    do_POST = do_GET  # noqa: N815 - as the library calls it

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
