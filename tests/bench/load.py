"""Load on a server and what it costs: requests on connections that stay open, and its processes."""

import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from email.message import Message
from functools import partial
from http.client import HTTPResponse
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

import gevent
from gevent import socket

from tests.browser.serving import Server
from tests.hard.figures import served

# As a phone asks for a page over HTTPS.
PHONE = {"Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "sv"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
# A log would be a file on the disk under measurement; code is found compiled but for a first start.
APART = {"CHICAGO_LOG": "off", "PYTHONDONTWRITEBYTECODE": ""}
# Of a request: processor time of the server in µs, and its median latency in ms.
Cost = tuple[float, float]
# The headers of an answer, and its body, still compressed.
Answer = tuple[Message, bytes]
Measured = TypeVar("Measured")


def serve(folder: Path) -> AbstractContextManager[Server]:
    """Serve the score keeper."""
    return served(folder, **APART)


@contextmanager
def serve_floor() -> Iterator[Server]:
    """Serve the barest view, by the same server with the same settings."""
    view = "tests.bench.floor_view:create_app()"
    with tempfile.TemporaryDirectory() as folder:
        # The server locks a database of ours before it serves, which is not what the view writes.
        database = f"{folder}/floor.db"
        with served(Path(folder), factory=view, FLOOR_DB=database, **APART) as server:
            yield server


def read_processes(server: Server, file: str) -> list[str]:
    """Read a file of /proc for each process of a server: the leader and its worker."""
    leader = Path(f"/proc/{server.pid}")
    workers = (leader / f"task/{server.pid}/children").read_text("utf-8").split()
    return [(leader.with_name(pid) / file).read_text("utf-8") for pid in (leader.name, *workers)]


def processor_seconds(server: Server) -> float:
    """Processor time of all its processes and threads so far."""
    stats = [text.rpartition(")")[2].split() for text in read_processes(server, "stat")]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def memory(server: Server, kind: str, file: str = "status") -> float:
    """Memory of all its processes in MB; `VmHWM` is the most."""
    found = re.findall(rf"(?m)^{kind}:\s+(\d+)", "".join(read_processes(server, file)))
    return sum(map(int, found)) * 1024 / 1_000_000


def connect(server: Server) -> socket.socket:
    """Open a connection, which stays open from one request to the next."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def write_request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Write a request as it is sent."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def get(path: str, cookie: str = "") -> bytes:
    """A request for a page, as a phone sends it."""
    return write_request("GET", path, {**PHONE, "Cookie": cookie} if cookie else PHONE)


def call(path: str, body: object, pen: str = "") -> bytes:
    """A call of a program."""
    headers = {"Authorization": f"Bearer {pen}", "Content-Type": "application/json"}
    return write_request("POST", path, headers, json.dumps(body).encode())


def form(path: str, fields: Mapping[str, object], cookie: str) -> bytes:
    """A form, as htmx sends it."""
    headers = {**PHONE, **FORM, "Cookie": cookie}
    return write_request("POST", path, headers, urlencode(fields).encode())


def ask(connection: socket.socket, request: bytes) -> Answer:
    """Send a request and read its answer. Raises SystemExit for a refusal."""
    connection.sendall(request)
    answer = HTTPResponse(connection)
    answer.begin()
    body = answer.read()
    if answer.status >= 400:
        raise SystemExit(f"{request[:80]!r} was refused: {answer.status}")
    return answer.headers, body


def measure(server: Server, requests: Iterator[bytes], count: int, of: int = 0) -> Cost:
    """Send the next so many requests; the cost of each, or `of` so many that they are parts of."""
    connection, latencies, before = connect(server), list[float](), processor_seconds(server)
    for request in islice(requests, count):
        began = time.perf_counter()
        ask(connection, request)
        latencies.append(time.perf_counter() - began)
    computed = processor_seconds(server) - before
    return computed / (of or count) * 1e6, statistics.median(latencies) * 1e3


@contextmanager
def watched(server: Server, request: bytes) -> Iterator[None]:
    """Let a phone watch a page's stream of events."""
    phone = connect(server)
    phone.sendall(request)
    reading = gevent.spawn(lambda: [*iter(partial(phone.recv, 65536), b"")])
    yield
    reading.kill()
    phone.close()


def in_turns(rounds: int, *measures: Callable[[], Measured]) -> list[list[Measured]]:
    """Measure each in turn, round after round: of each all rounds but the first, a warm-up."""
    rows = [[measured() for measured in measures] for _ in range(rounds + 1)]
    return [*map(list, zip(*rows[1:], strict=True))]


def medians(costs: Sequence[Cost]) -> list[float]:
    """The median of each figure."""
    return [*map(statistics.median, zip(*costs, strict=True))]


class Row(NamedTuple):
    """What was measured, against what; the figure, the most that it may be; what is beside it."""

    name: str
    measured: str
    against: str
    figure: float
    goal: float
    beside: str = ""

    def __str__(self) -> str:
        figure = f"{self.figure:.{2 if self.figure < 10 else 0}f}"
        met = "yes" if self.figure <= self.goal else "no"
        cells = (self.name, self.measured, self.against, figure, f"{self.goal:g}", met, self.beside)
        return f"| {' | '.join(cells)} |"


def compare(
    name: str,
    other: str,
    goal: float,
    rounds: int,
    ours: Callable[[], Cost],
    others: Callable[[], Cost],
) -> Row:
    """A row of our processor time over that of another request, latency beside it."""
    costs = in_turns(rounds, ours, others)
    (mine, soon), (its, later) = map(medians, costs)
    ratio = statistics.median(one / another for (one, _), (another, _) in zip(*costs, strict=True))
    beside = f"latency {soon:.1f} of {later:.1f} ms"
    return Row(name, f"{mine:.0f} µs", f"{other}: {its:.0f} µs", ratio, goal, beside)
