"""A proxy that forwards every request to the server."""

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

# Headers for one connection, not for the server behind.
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}
# Closing this way resets the connection at once (RST).
ABORTED = struct.pack("ii", 1, 0)


class Proxy(ThreadingHTTPServer):
    """A proxy between phones and a server."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, port: int, server: Server) -> None:
        super().__init__((HOST, port), Passage)
        self.served = server

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a phone that closes its connection."""


class Passage(BaseHTTPRequestHandler):
    """A handler that forwards a request to the server, and returns its answer."""

    server: Proxy

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        """Forward a request."""
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


P = TypeVar("P", bound=Proxy)


@contextmanager
def running(proxy: P) -> Iterator[P]:
    """Run a proxy for the length of a block."""
    thread = threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
