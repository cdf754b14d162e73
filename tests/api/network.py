"""Requests to a server over the network, as another program sends them."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.api.calling import PLAYERS
from tests.browser.serving import Server

REQUESTS = json.loads(Path(__file__).with_name("requests.json").read_text("utf-8"))


def read(text: str) -> bytes:
    """Return a request as it is sent: its first word may be a head, `<2 <3 a>b>` is `aaabaaab`."""
    head, _, rest = text.partition(" ")
    text = REQUESTS["heads"][head] + rest if head in REQUESTS["heads"] else text
    for _ in range(2):
        text = re.sub(r"<(\d+) ([^<>]+)>", lambda found: int(found[1]) * found[2], text)
    return text.encode("latin-1")


@dataclass
class Answer:
    """An answer of a server."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        """The body as JSON."""
        return json.loads(self.data)


def send(
    port: int,
    method: str,
    path: str,
    body: object = None,
    pen: str | None = None,
    **headers: str,
) -> Answer:
    """Send a request, and return its answer; raise OSError or HTTPException when there is none."""
    if pen is not None:
        headers["Authorization"] = f"Bearer {pen}"
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.headers), answer.read())
    finally:
        connection.close()


def new_table(port: int) -> tuple[str, str]:
    """Open a table, and return its link and its pen."""
    reply = send(port, "POST", "/api/tables", {"players": PLAYERS}).json
    return reply["table"], reply["pen"]


def connect(port: int) -> socket.socket:
    """Open a connection."""
    return socket.create_connection(("127.0.0.1", port))


def raw(port: int, *parts: bytes, shut: bool = False) -> bytes:
    """Send raw bytes, as long as the server reads them, and return the answer.

    With `shut` the sending side is closed afterwards.
    """
    with connect(port) as connection:
        with suppress(OSError):
            for part in parts:
                connection.sendall(part)
            if shut:
                connection.shutdown(socket.SHUT_WR)
        answered = b""
        with suppress(ConnectionResetError):
            while data := connection.recv(65536):
                answered += data
        return answered


def log_since(server: Server, before: int) -> str:
    """Return what a served log has after so many letters, with all requests until now."""
    last = send(server.port, "GET", "/rules").headers["X-Request-Id"]
    return server.until(lambda log: log[before:] if last in log else None)
