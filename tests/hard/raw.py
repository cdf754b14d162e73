"""Bytes over sockets to the program as it is served: broken framing, odd heads and hosts."""

from __future__ import annotations

import random
import re
import select
import socket
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.api.network import new_table
from tests.browser.serving import UNWANTED, Server
from tests.hard.making import HOSTS, ODD

PATIENCE = 10.0
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
# How many connections are made before a plain request must be answered.
BETWEEN = 200
LINES = [
    *(b"GET / HTTP/1.1", b"GET / HTTP/1.0", b"GET /", b"GET  / HTTP/1.1", b"GET / HTTP/9.9"),
    *(b"POST / HTTP/1.1", b"PUT /api/tables/x/events/0 HTTP/1.1", b"OPTIONS * HTTP/1.1"),
    *(b"CONNECT a:1 HTTP/1.1", b"GET http://a.example/ HTTP/1.1", b"PRI * HTTP/2.0", b"", b"\0"),
    *(b"get / http/1.1", b"GET /%zz%00%ff HTTP/1.1", b"GET /" + b"a" * 9000 + b" HTTP/1.1"),
    *(b"GET /\xff\xfe HTTP/1.1", b"GET /?\r HTTP/1.1", b"DELETE //x HTTP/1.1", b"GET / HTTP/x"),
]
FRAMES = [
    (b"Content-Length: 5\r\n", b"a=b&c"),
    (b"Content-Length: 50\r\n", b"a=b"),
    (b"Content-Length: -1\r\n", b"x"),
    (b"Content-Length: 1_0\r\n", b"0123456789"),
    (b"Content-Length: 3\r\nContent-Length: 4\r\n", b"abcd"),
    (b"Content-Length: " + b"9" * 5000 + b"\r\n", b""),
    (b"Transfer-Encoding: chunked\r\n", b"5\r\na=b&c\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"zz\r\nabc\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"5\r\nab\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"-1\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\n", b"ffffffffffffffffff\r\nabc"),
    (b"Transfer-Encoding: chunked\r\n", b"3;x=\xff\r\nabc\r\n0\r\nTrailer: \0\r\n\r\n"),
    (b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", b"3\r\nabc\r\n0\r\n\r\n"),
    (b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"),
    (b"Transfer-Encoding: identity\r\n", b"abc"),
    (b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"),
    (b"Expect: 100-continue\r\nContent-Length: 3\r\n", b"a=b"),
    (b"Expect: x\r\n", b""),
    (b"Upgrade: websocket\r\nConnection: Upgrade\r\n", b""),
    (b"Cookie: " + b"x" * 9000 + b"\r\n", b""),
    (b"X: y\r\n" * 120, b""),
    (b" folded\r\n", b""),
    (b"No colon\r\n", b""),
    (b"Na me: x\r\n", b""),
    (b"X: \0\r\n", b""),
    (b"", b""),
]


@dataclass
class Outcome:
    """What came of them."""

    sent: int = 0
    statuses: Counter[int | str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def blame(self, promise: str, example: object) -> None:
        """Note a broken promise; the first of its kind is kept."""
        self.broken[promise] += 1
        self.examples.setdefault(promise, repr(example)[:1500])


def made_up(chance: random.Random, path: str) -> bytes:
    """Make up what is sent on one connection: a request or several, perhaps spoilt."""
    parts = []
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        line = chance.choice([*LINES, f"GET {path} HTTP/1.1".encode()])
        if line.startswith(b"POST"):
            target = chance.choice(["/", f"{path}/events", "/files", "/api/tables", f"/api{path}"])
            line = f"POST {target} HTTP/1.1".encode()
        host = chance.choice(HOSTS if chance.random() < 0.3 else ["localhost"])
        if chance.random() < 0.05:
            host = chance.choice(ODD).replace("\ud800", "")
        frame, body = chance.choice(FRAMES)
        parts.append(line + b"\r\nHost: " + host.encode("utf-8", "replace") + b"\r\n" + frame)
        parts.append(b"\r\n" + body)
    sent = bytearray(b"".join(parts))
    kind = chance.random()
    if kind < 0.2:
        del sent[chance.randrange(len(sent)) :]
    elif kind < 0.4:
        for _ in range(3):
            sent[chance.randrange(len(sent))] = chance.randrange(256)
    elif kind < 0.45:
        sent = bytearray(chance.randbytes(chance.randrange(1, 300)))
    return bytes(sent)


def answers(port: int, sent: bytes) -> Iterator[int | str]:
    """Send, say that nothing more comes, and return every status that is answered."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        received = bytearray()
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            deadline = time.monotonic() + PATIENCE
            # A stream of a table goes on for ever; its head is enough.
            while b"text/event-stream" not in received:
                left = deadline - time.monotonic()
                if left < 0 or not select.select([connection], [], [], left)[0]:
                    yield "no end"
                    break
                if not (piece := connection.recv(65536)):
                    break
                received += piece
        except OSError:
            yield "hung up"
    found = STATUS.findall(bytes(received))
    yield from (int(status) for status in found) if found else ["nothing"]


def run(folder: Path, count: int, seed: int, deadline: float) -> Outcome:
    """Send so often, or until it is late, and hold what comes back against what is promised."""
    outcome, server = Outcome(), Server(folder)
    server.start()
    try:
        _send_and_check(outcome, server, count, random.Random(seed), deadline)
    finally:
        # What it complained of is told.
        server.kill()
    return outcome


def _send_and_check(
    outcome: Outcome, server: Server, count: int, chance: random.Random, deadline: float
) -> None:
    link, pen = new_table(server.port)
    while outcome.sent < count and time.monotonic() < deadline:
        sent = made_up(chance, f"/t/{link}")
        outcome.sent += 1
        _check(outcome, sent, server.port)
        if outcome.sent % BETWEEN == 0:
            _check(outcome, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", server.port)
    log = server.log.read_text(errors="replace")
    if complaint := UNWANTED.search(log):
        outcome.blame("the server complained", log[complaint.start() :])
    for secret in (link, pen):
        if secret in log:
            outcome.blame("a secret in the server's log", log[max(0, log.index(secret) - 300) :])


def _check(outcome: Outcome, sent: bytes, port: int) -> None:
    try:
        statuses = list(answers(port, sent))
    except OSError as error:
        outcome.blame("no connection", error)
        return
    outcome.statuses.update(statuses)
    for status in statuses:
        # 501 is gunicorn's answer to a transfer coding that nobody knows, as HTTP has it.
        if isinstance(status, int) and status >= 500 and status not in (501, 503):
            outcome.blame(f"{status} over a socket", sent[:400])
    if "no end" in statuses:
        outcome.blame(f"no answer within {PATIENCE:.0f} s", sent[:400])
