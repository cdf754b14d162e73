"""Load on a server: requests made beforehand, on connections that stay open."""

from __future__ import annotations

import json
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.message import Message
from functools import partial
from http.client import HTTPResponse
from urllib.parse import urlencode

import msgspec
from msgspec.structs import astuple

from tests.bench.served import processor_seconds
from tests.browser.serving import Server

# As a phone asks for a page over HTTPS.
PHONE = {"Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "sv"}
Headers = Mapping[str, str]
# The headers of an answer, and its body, still compressed.
Answer = tuple[Message, bytes]


class Cost(msgspec.Struct, frozen=True):
    """Cost of a request: processor time of the server in µs, and its median latency in ms."""

    processor: float
    latency: float


def connect(server: Server) -> socket.socket:
    """Open a connection, which stays open from one request to the next."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask(connection: socket.socket, request: bytes) -> Answer:
    """Send a request and read its answer. Raises SystemExit for a refusal."""
    connection.sendall(request)
    answer = HTTPResponse(connection)
    answer.begin()
    body = answer.read()
    if answer.status >= 400:
        raise SystemExit(f"{request[:80]!r} was refused: {answer.status}")
    return answer.headers, body


def get(path: str, cookie: str = "") -> bytes:
    """A request for a page, as a phone sends it."""
    return _request("GET", path, {**PHONE, "Cookie": cookie} if cookie else PHONE)


def call(path: str, body: object, pen: str = "") -> bytes:
    """A call of a program."""
    headers = {"Authorization": f"Bearer {pen}", "Content-Type": "application/json"}
    return _request("POST", path, headers, json.dumps(body).encode())


def put(page: Answer) -> bytes:
    """Set the page that the floor sends."""
    headers, body = page
    return _request("PUT", "/", {"X-Encoding": headers["Content-Encoding"]}, body)


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
    with ThreadPoolExecutor(len(loads)) as pool:
        connections, before = [connect(server) for _ in loads], processor_seconds(server)
        latencies = [each for sent in pool.map(_send, connections, loads) for each in sent]
        computed = processor_seconds(server) - before
    return Cost(computed / len(latencies) * 1e6, statistics.median(latencies) * 1e3)


def _send(connection: socket.socket, requests: Sequence[bytes]) -> list[float]:
    latencies = []
    for request in requests:
        began = time.perf_counter()
        ask(connection, request)
        latencies.append(time.perf_counter() - began)
    return latencies


@contextmanager
def watched(server: Server, path: str, cookie: str = "") -> Iterator[None]:
    """Let a phone watch a page's stream of events."""
    with connect(server) as phone:
        phone.sendall(get(path, cookie))
        threading.Thread(target=lambda: [*iter(partial(phone.recv, 65536), b"")]).start()
        yield
        phone.shutdown(socket.SHUT_RDWR)


def interleave(rounds: int, *measures: Callable[[int], Cost]) -> list[list[Cost]]:
    """Measure each in turn, round after round: of each all rounds but the first, a warm-up."""
    costs = [[measured(turn) for measured in measures] for turn in range(rounds + 1)]
    return [*map(list, zip(*costs[1:], strict=True))]


def middle(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    return Cost(*map(statistics.median, zip(*map(astuple, costs), strict=True)))


def ratio(over: Sequence[Cost], under: Sequence[Cost]) -> float:
    """The median of the ratio of processor time, round by round."""
    pairs = zip(over, under, strict=True)
    return statistics.median(one.processor / other.processor for one, other in pairs)
