"""Calling a server over the network, as another program does."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from tests.api.calling import PLAYERS


@dataclass
class Answer:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    data: bytes
    cookies: str = ""

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever JSON holds
        """The body, read."""
        return json.loads(self.data)


def send(
    port: int,
    method: str,
    path: str,
    body: object = None,
    pen: str | None = None,
    **headers: str,
) -> Answer:
    """Call and wait for the answer. Raises OSError or HTTPException when there is none."""
    if pen is not None:
        headers["Authorization"] = f"Bearer {pen}"
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        cookies = answer.headers.get_all("Set-Cookie") or []
        sent_back = "; ".join(cookie.partition(";")[0] for cookie in cookies)
        return Answer(answer.status, dict(answer.headers), answer.read(), sent_back)
    finally:
        connection.close()


def new_table(port: int) -> tuple[str, str]:
    """Open a table, and return its link and its pen."""
    reply = send(port, "POST", "/api/tables", {"players": PLAYERS}).json
    return reply["table"], reply["pen"]


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection, from one of this machine's own addresses."""
    return socket.create_connection(("127.0.0.1", port), source_address=(source, 0))


def raw(port: int, *parts: bytes, source: str = "127.0.0.1", shut: bool = False) -> bytes:
    """Send bytes as they are, as long as they are taken, and return what comes back.

    With `shut` the server hears that nothing follows.
    """
    with connect(port, source) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            for part in parts:
                connection.sendall(part)
            if shut:
                connection.shutdown(socket.SHUT_WR)
        return read(connection)


def read(connection: socket.socket) -> bytes:
    """Return what comes until the server closes the connection."""
    answered = b""
    with suppress(ConnectionResetError):
        while data := connection.recv(65536):
            answered += data
    return answered


@dataclass
class Message:
    """One server-sent event."""

    event: str = ""
    id: int = 0
    data: dict[str, Any] = field(default_factory=dict)


class Watcher:
    """Somebody who watches a table; `close` hangs up."""

    def __init__(self, port: int, link: str, **headers: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        lines = [f"GET /api/tables/{link}/live HTTP/1.0", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._messages: queue.Queue[Message] = queue.Queue()
        self._file = self._socket.makefile("rb")
        self.head = self._head()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _head(self) -> list[str]:
        return [line.decode().strip() for line in iter(self._file.readline, b"\r\n")]

    def _listen(self) -> None:
        message = Message()
        try:
            for line in self._file:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    message.event = value
                elif name == "id":
                    message.id = int(value)
                elif name == "data":
                    message.data = json.loads(value)
                elif not name and message.event:
                    self._messages.put(message)
                    message = Message()
        except (OSError, ValueError):
            return

    def next(self) -> Message:
        """Wait for the next message."""
        return self._messages.get()

    def close(self) -> None:
        """Hang up, as a phone does that is put away."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._file.close()
        self._socket.close()

    def __enter__(self) -> Self:
        """Watch for the length of a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self.close()
