"""Load on a server: requests made beforehand, on connections that stay open."""

from __future__ import annotations

import json
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

import msgspec
from msgspec.structs import astuple

from tests.bench.served import processor_seconds
from tests.browser.serving import Server

# As a phone asks for a page over HTTPS.
PHONE = {"Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "sv"}
Headers = Mapping[str, str]


class Cost(msgspec.Struct, frozen=True):
    """Cost of a request: processor time of the server in µs, and its median latency in ms.

    `rate` is how many were answered in a second.
    """

    processor: float
    rate: float
    latency: float


class Answer(msgspec.Struct, frozen=True):
    """An answer as it came, its body still compressed; names of headers are in small letters."""

    headers: Headers
    body: bytes


class Connection:
    """A connection that stays open from one request to the next."""

    def __init__(self, server: Server) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, request: bytes) -> Answer:
        """Send a request and read its answer. Raises SystemExit for a refusal."""
        self._socket.sendall(request)
        data = bytearray()
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self._receive()
        first, *lines = data[:end].decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = data[end + 4 :]
        while len(body) < int(headers.get("content-length", 0)):
            body += self._receive()
        if int(first.split()[1]) >= 400:
            raise SystemExit(f"{request[:80]!r} was refused: {first}")
        return Answer(headers, bytes(body))

    def _receive(self) -> bytes:
        if not (part := self._socket.recv(65536)):
            raise SystemExit("the server closed a connection")
        return part

    def close(self) -> None:
        """Close it."""
        self._socket.close()


def ask(server: Server, request: bytes) -> Answer:
    """Send one request on a connection of its own."""
    connection = Connection(server)
    answer = connection.send(request)
    connection.close()
    return answer


def get(path: str, cookie: str = "") -> bytes:
    """A request for a page, as a phone sends it."""
    return _request("GET", path, {**PHONE, "Cookie": cookie} if cookie else PHONE)


def call(path: str, body: object, pen: str = "") -> bytes:
    """A call of a program."""
    headers = {"Authorization": f"Bearer {pen}", "Content-Type": "application/json"}
    return _request("POST", path, headers, json.dumps(body).encode())


def put(page: Answer) -> bytes:
    """Set the page that the floor sends."""
    headers = {"X-Encoding": page.headers.get("content-encoding", "identity")}
    return _request("PUT", "/", headers, page.body)


def form(path: str, fields: Mapping[str, str], cookie: str) -> bytes:
    """A form, as htmx sends it."""
    kind = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
    return _request("POST", path, {**PHONE, **kind, "Cookie": cookie}, urlencode(fields).encode())


def _request(method: str, path: str, headers: Headers, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def measure(server: Server, *loads: Sequence[bytes]) -> Cost:
    """Send each load on a connection of its own, all at the same time."""
    connections = [Connection(server) for _ in loads]
    with ThreadPoolExecutor(len(loads)) as pool:
        before, began = processor_seconds(server), time.perf_counter()
        latencies = [each for sent in pool.map(_send, connections, loads) for each in sent]
        took, computed = time.perf_counter() - began, processor_seconds(server) - before
    count = len(latencies)
    return Cost(computed / count * 1e6, count / took, statistics.median(latencies) * 1e3)


def _send(connection: Connection, requests: Sequence[bytes]) -> list[float]:
    latencies = []
    for request in requests:
        began = time.perf_counter()
        connection.send(request)
        latencies.append(time.perf_counter() - began)
    connection.close()
    return latencies


@contextmanager
def watched(server: Server, path: str, cookie: str = "") -> Iterator[None]:
    """Let a phone watch a page's stream of events."""
    with socket.create_connection(("127.0.0.1", server.port)) as phone:
        phone.sendall(get(path, cookie))

        def read() -> None:
            with suppress(OSError):
                while phone.recv(65536):
                    pass

        threading.Thread(target=read, daemon=True).start()
        yield
        phone.shutdown(socket.SHUT_RDWR)


def interleave(rounds: int, *measures: Callable[[int], Cost]) -> list[list[Cost]]:
    """Measure each in turn, round after round: of each all rounds but the first, a warm-up."""
    costs: list[list[Cost]] = [[] for _ in measures]
    for turn in range(rounds + 1):
        for measured, into in zip(measures, costs, strict=True):
            cost = measured(turn)
            if turn:
                into.append(cost)
    return costs


def middle(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    return Cost(*map(statistics.median, zip(*map(astuple, costs), strict=True)))


def ratio(figure: Callable[[Cost], float], over: Sequence[Cost], under: Sequence[Cost]) -> float:
    """The median of a figure's ratio, round by round."""
    return statistics.median(figure(a) / figure(b) for a, b in zip(over, under, strict=True))
