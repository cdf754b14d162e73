"""Connections that are half open, slow, idle or too many: whoever else plays notices nothing."""

import json
import resource
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.http import connections, deadlines, sse
from app.http.deadlines import DeadlineSocket, TooSlow
from tests.api.calling import NOBODY
from tests.api.network import PATIENCE, connect, new_table, raw, read
from tests.browser.serving import Server

HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
PHONES = 30
# Seconds, the deadline of hurried.conf.py.
HURRY = 1.0
HURRIED = Path(__file__).with_name("hurried.conf.py")


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve with limits as at home, and fewer threads than an address may have streams."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    settings = {"CHICAGO_LIMITS": "", "GUNICORN_CMD_ARGS": "--threads 16"}
    server = Server(tmp_path_factory.mktemp("limited"), **settings)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve with limits as at home, and with deadlines of one second."""
    settings = {"CHICAGO_LIMITS": "", "GUNICORN_CMD_ARGS": f"--config {HURRIED}"}
    server = Server(tmp_path_factory.mktemp("hurried"), **settings)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """Return what closes a test's connections when it is over."""
    with ExitStack() as stack:
        yield stack


def open_from(server: Server, opened: ExitStack, source: str, sent: bytes = b"") -> socket.socket:
    """Open a connection from an address, and begin to send."""
    connection = opened.enter_context(closing(connect(server.port, source)))
    connection.sendall(sent)
    return connection


def tap(server: Server, table: tuple[str, str], source: str) -> bytes:
    """Record an event, and return the first line of the answer."""
    link, pen = table
    body = json.dumps(NOBODY).encode()
    head = f"POST /api/tables/{link}/events HTTP/1.0\r\nAuthorization: Bearer {pen}\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    return raw(server.port, head.encode() + body, source=source).partition(b"\r\n")[0]


def status(answer: bytes) -> int:
    """Return the status of an answer."""
    return int(answer.split()[1])


def get(server: Server, source: str, path: str = "/") -> int:
    """Ask for a page, and return its status."""
    return status(raw(server.port, f"GET {path} HTTP/1.0\r\n\r\n".encode(), source=source))


@pytest.mark.parametrize("sent", [HALF_A_HEAD, b""])
def test_half_sent_and_idle_connections_hold_up_nobody_else(
    limited: Server, opened: ExitStack, sent: bytes
) -> None:
    """One address opens 1 200, and a neighbour plays."""
    table = new_table(limited.port)
    for _ in range(1200):
        open_from(limited, opened, "127.0.0.9", sent)
    assert tap(limited, table, "127.0.0.2").endswith(b"201 CREATED")
    assert get(limited, "127.0.0.2", f"/t/{table[0]}") == 200


def test_slow_bodies_hold_up_nobody_else(limited: Server, opened: ExitStack) -> None:
    """One address sends 1 200 bodies that never end, and a neighbour plays."""
    table = new_table(limited.port)
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
    for _ in range(1200):
        open_from(limited, opened, "127.0.0.9", head)
    assert tap(limited, table, "127.0.0.2").endswith(b"201 CREATED")
    assert get(limited, "127.0.0.2", f"/t/{table[0]}") == 200


def test_clients_that_never_close_hold_up_nobody_else(limited: Server, opened: ExitStack) -> None:
    """Forty are answered and leave their end open; the server waits for them beside its work."""
    for _ in range(40):
        open_from(limited, opened, "127.0.0.9", b"GET / HTTP/1.0\r\n\r\n")
    assert get(limited, "127.0.0.2") == 200


def test_an_address_holds_a_bounded_number_of_connections(
    limited: Server, opened: ExitStack
) -> None:
    """One more is refused at once, in a way a program understands; those before are answered."""
    most = connections.MAX_PER_ADDRESS + connections.MAX_WAITING_PER_ADDRESS
    held = [open_from(limited, opened, "127.0.0.10", HALF_A_HEAD) for _ in range(most)]
    answer = read(open_from(limited, opened, "127.0.0.10"))
    assert status(answer) == 503
    assert b"Retry-After: " in answer
    assert b"\r\nConnection: close" in answer
    held[0].sendall(b"\r\n\r\n")
    assert status(held[0].recv(65536)) == 200


def test_half_a_head_is_given_up_with_408(hurried: Server, opened: ExitStack) -> None:
    """However steadily its bytes come."""
    connection = open_from(hurried, opened, "127.0.0.11", HALF_A_HEAD)
    assert status(drip(connection)) == 408


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_half_a_body_is_given_up_with_408(hurried: Server, opened: ExitStack, kind: str) -> None:
    """However steadily its bytes come, sent by a program or as a form."""
    path = "/api/tables" if "json" in kind else "/"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: 5000\r\n\r\n"
    )
    connection = open_from(hurried, opened, "127.0.0.12", head.encode())
    assert status(drip(connection)) == 408


def test_one_address_is_answered_a_few_requests_at_a_time(
    hurried: Server, opened: ExitStack
) -> None:
    """The next is begun when one has ended: here, when the deadline of the first body is over."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
    most = connections.MAX_BUSY_PER_ADDRESS
    begin = time.monotonic()
    held = [open_from(hurried, opened, "127.0.0.13", head) for _ in range(most + 1)]
    assert [status(read(connection)) for connection in held] == [408] * (most + 1)
    assert time.monotonic() - begin > 2 * HURRY


def drip(connection: socket.socket) -> bytes:
    """Send a byte now and then, and return what the server answers."""
    connection.settimeout(0.1)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            return connection.recv(65536)
        except TimeoutError:
            connection.sendall(b"x")
    message = "the server waits for ever"
    raise AssertionError(message)


def test_a_connection_that_sends_nothing_is_closed(hurried: Server, opened: ExitStack) -> None:
    """Without a word: no request was made."""
    assert read(open_from(hurried, opened, "127.0.0.13")) == b""


def test_thirty_phones_behind_one_router_notice_nothing(limited: Server, opened: ExitStack) -> None:
    """All watch, hold connections open, load pages, and tap."""
    home = "127.0.0.30"
    table = new_table(limited.port)
    streams = [watch(limited, opened, table[0], home) for _ in range(PHONES)]
    kept = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    for _ in range(4):
        loading = [open_from(limited, opened, home, kept) for _ in range(PHONES)]
        assert {status(page.recv(65536)) for page in loading} == {200}
    pages = [open_from(limited, opened, home, kept) for _ in range(6 * PHONES)]
    assert {status(page.recv(65536)) for page in pages} == {200}
    assert tap(limited, table, home).endswith(b"201 CREATED")
    for stream in streams:
        assert b"id: 2\n" in until(stream, b"id: 2\n")


def watch(server: Server, opened: ExitStack, link: str, source: str) -> socket.socket:
    """Watch a table, and wait for its present state."""
    ask = f"GET /t/{link}/live HTTP/1.1\r\nHost: x\r\n\r\n"
    stream = open_from(server, opened, source, ask.encode())
    assert b"id: 1\n" in until(stream, b"id: 1\n")
    return stream


def until(stream: socket.socket, mark: bytes) -> bytes:
    """Read a stream until something stands in it."""
    text = b""
    while mark not in text:
        data = stream.recv(65536)
        assert data, text
        text += data
    return text


def test_streams_leave_room_for_taps(limited: Server, opened: ExitStack) -> None:
    """An address has more connections than streams; a stream too many is told when to come."""
    home = "127.0.0.31"
    table = new_table(limited.port)
    for _ in range(sse.MAX_PER_ADDRESS):
        watch(limited, opened, table[0], home)
    refused = raw(limited.port, f"GET /t/{table[0]}/live HTTP/1.0\r\n\r\n".encode(), source=home)
    assert status(refused) == 503
    assert b"Retry-After: " in refused
    assert tap(limited, table, home).endswith(b"201 CREATED")


def test_behind_a_proxy_all_connections_may_come_from_one_address(
    tmp_path: Path, opened: ExitStack
) -> None:
    """The proxy is told to bound its own clients."""
    server = Server(tmp_path, CHICAGO_LIMITS="", CHICAGO_PROXIES="1")
    server.start()
    table = new_table(server.port)
    for n in range(connections.MAX_PER_ADDRESS + 10):
        ask = f"GET /t/{table[0]}/live HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.0.0.{n}\r\n\r\n"
        until(open_from(server, opened, "127.0.0.1", ask.encode()), b"id: 1\n")
    opened.close()
    server.stop()


def test_a_client_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that writes to it ends, as if the client had gone."""
    monkeypatch.setattr(deadlines, "SECONDS", 0.1)
    monkeypatch.setattr(deadlines, "SLOWEST_BYTES_PER_SECOND", 1e9)
    ours, theirs = socket.socketpair()
    with DeadlineSocket(fileno=ours.detach()) as writing, theirs, pytest.raises(BrokenPipeError):
        writing.sendall(b"x" * 10_000_000)


def test_a_large_body_has_time_as_long_as_it_keeps_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every byte moves the deadline a little, and then it passes all the same."""
    monkeypatch.setattr(deadlines, "SECONDS", 0.1)
    monkeypatch.setattr(deadlines, "SLOWEST_BYTES_PER_SECOND", 10)
    now = [0.0]
    monkeypatch.setattr(deadlines, "time", SimpleNamespace(monotonic=lambda: now[0]))
    ours, theirs = socket.socketpair()
    with DeadlineSocket(fileno=ours.detach()) as reading, theirs:
        reading.start_deadline()
        theirs.sendall(b"xxx")
        reading.recv(3)
        now[0] = 0.3
        theirs.sendall(b"x")
        assert reading.recv(1) == b"x"
        with pytest.raises(TooSlow):
            reading.recv(1)
