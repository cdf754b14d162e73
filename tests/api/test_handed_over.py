"""A stream whose connection was handed over: it holds no thread, and holds up nobody."""

import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest
from flask import Flask

from app.http import delivery, event_loop, streams, tls
from app.http.deadlines import DeadlineSocket
from app.http.event_loop import EventLoop
from app.http.in_progress import RequestsInProgress
from app.services import erasure, tables
from app.store.changes import ChangeFeed
from tests.api.calling import NOBODY, Table, correction
from tests.api.certificate import Files
from tests.api.logs import capture_log
from tests.api.network import PATIENCE

STILL_HERE = b"e\r\n: still here\n\n\r\n"
GONE = b"16\r\nevent: gone\ndata: {}\n\n\r\n0\r\n\r\n"


class Handed:
    """A phone's end of a stream, of which the server has sent what comes first."""

    def __init__(self, table: Table, **environ: object) -> None:
        ours, self.phone = socket.socketpair()
        self.phone.settimeout(PATIENCE)
        self.ended = threading.Event()
        self.connection = DeadlineSocket(fileno=ours.detach())
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        environ = {"SERVER_PROTOCOL": "HTTP/1.1", "gunicorn.socket": self.connection, **environ}
        with table.read("/live", environ_overrides=environ) as answer:
            self.first = b"".join(answer.iter_encoded())
        self.connection.setblocking(False)
        assert self.connection.successor
        self.connection.successor(self.ended.set)

    def until(self, mark: bytes) -> bytes:
        """Read until something stands there."""
        text = b""
        while mark not in text:
            data = self.phone.recv(65536)
            assert data, text
            text += data
        return text

    def close(self) -> None:
        """Close both ends."""
        self.phone.close()
        assert self.ended.wait(PATIENCE)
        self.connection.close()


@pytest.fixture
def app(alone: Flask) -> Flask:
    """Return an application at which nobody else listens."""
    return alone


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server look around more often than once a second, and tables not rest."""
    monkeypatch.setattr(event_loop, "TICK_SECONDS", 0.05)
    monkeypatch.setattr(streams, "REST_SECONDS", 0.0)


@contextmanager
def handed_over(table: Table, **environ: object) -> Iterator[Handed]:
    """Watch a table as a server's worker lets somebody, and hang up."""
    handed = Handed(table, **environ)
    try:
        yield handed
    finally:
        handed.close()


def watchers(app: Flask) -> int:
    """Return how many listen."""
    return int(app.extensions["pool"].changes.subscribers)


def test_a_thread_sends_what_comes_first_and_is_free(app: Flask, table: Table) -> None:
    """The present state; the changes follow on the same connection, in chunks."""
    with handed_over(table) as handed:
        assert handed.first.startswith(b"retry: ")
        assert b"event: table\nid: 1\n" in handed.first
        assert watchers(app) == 1
        table.record(NOBODY)
        size, _, text = handed.until(b"}\n\n\r\n").partition(b"\r\n")
        assert text.startswith(b"event: table\nid: 2\n")
        assert int(size, 16) == len(text) - len(b"\r\n")


def test_http_1_0_knows_no_chunks(table: Table) -> None:
    """A message is sent as it is."""
    with handed_over(table, SERVER_PROTOCOL="HTTP/1.0") as handed:
        table.record(NOBODY)
        assert handed.until(b"}\n\n").startswith(b"event: table\nid: 2\n")


def test_nothing_is_sent_by_a_thread_that_gave_its_connection_away(table: Table) -> None:
    """The server would write that the answer has ended."""
    with handed_over(table) as handed, pytest.raises(BrokenPipeError):
        handed.connection.sendall(b"0\r\n\r\n")


def test_who_hangs_up_is_noticed_at_once(app: Flask, table: Table) -> None:
    """While there is nothing to tell."""
    handed = Handed(table)
    assert watchers(app) == 1
    handed.close()
    assert watchers(app) == 0


def test_who_says_something_has_not_hung_up(table: Table) -> None:
    """Bytes that nobody asked for do not end a stream."""
    with handed_over(table) as handed:
        handed.phone.send(b"hello")
        table.record(NOBODY)
        assert b"id: 2\n" in handed.until(b"}\n\n")


def test_who_says_too_much_is_given_up(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody keeps the server busy with reading."""
    monkeypatch.setattr(streams, "MAX_DISCARDED", 4)
    with handed_over(table) as handed:
        handed.phone.send(b"hello")
        assert handed.ended.wait(PATIENCE)


def test_a_quiet_stream_is_kept_open(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that says nothing goes through from time to time, and then the next change."""
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.0)
    with handed_over(table) as handed:
        assert handed.until(STILL_HERE)
        table.record(NOBODY)
        assert b"id: 2\n" in handed.until(b"}\n\n")


def test_who_reads_slowly_misses_changes_and_never_the_newest(table: Table) -> None:
    """Nothing piles up; what was begun is sent to its end."""
    with handed_over(table) as handed:
        table.record(NOBODY)
        text = handed.until(b"id: 2\n")
        for score in range(1, 40):
            table.record(correction(score))
        text += handed.until(b"id: 41\n")
        sent = text.count(b"id: ")
        assert sent < 40
        assert text.count(b"}\n\n\r\n") >= sent - 1


def test_a_program_that_writes_fast_is_not_followed_step_by_step(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes while a table rests is told at once after that, by its newest state."""
    resting: SimpleQueue[int] = SimpleQueue()
    monkeypatch.setattr(streams.Broadcaster, "_rest", lambda _, table_id: resting.put(table_id))
    with handed_over(table) as handed:
        table.record(NOBODY)
        handed.until(b"id: 2\n")
        table_id = resting.get(timeout=PATIENCE)
        for score in range(1, 4):
            table.record(correction(score))
        app.extensions["broadcaster"].go_on(table_id)
        assert handed.until(b"id: 5\n").count(b"\nid: ") == 1


def test_who_reads_nothing_is_given_up(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while in which not a byte was taken."""
    with handed_over(table) as handed:
        for score in range(1, 41):
            table.record(correction(score))
        assert not handed.ended.is_set()
        monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.0)
        assert handed.ended.wait(PATIENCE)
        assert watchers(app) == 0


def test_who_reads_slowly_by_tls_is_not_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while a large message is not yet sent to its end."""
    files, now, ended = Files(tmp_path), [0.0], threading.Event()
    monkeypatch.setattr(streams, "time", SimpleNamespace(monotonic=lambda: now[0]))
    ours, theirs = socket.socketpair()
    theirs.settimeout(PATIENCE)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    connection = tls.secure(
        tls.make_context(files.certificate, files.key), DeadlineSocket(fileno=ours.detach())
    )
    with connection, ThreadPoolExecutor(1) as other:
        shaking = other.submit(connection.do_handshake)
        with files.trusting.wrap_socket(theirs, server_hostname="localhost") as phone:
            shaking.result()
            connection.setblocking(False)
            loop = EventLoop(lambda error: pytest.fail(str(error)))
            messages = iter([b"x" * 1_000_000, b""])
            stream = streams.Stream(connection, messages, loop, ended.set, chunked=False)
            stream.send_new()
            now[0] = streams.HEARTBEAT_SECONDS
            read = 0
            while read < 5 * streams.CHUNK:
                read += len(phone.recv(65536))
            stream.on_tick(now[0] + 1)
            assert not ended.is_set()
            loop.forget(connection)


def test_the_stream_of_a_deleted_table_ends(app: Flask, table: Table) -> None:
    """Whoever watches is told at once, and the answer is whole."""
    with handed_over(table) as handed:
        with app.app_context():
            erasure.delete_table(app.extensions["pool"], tables.Write(table.link, table.pen))
        assert handed.until(b"0\r\n\r\n") == GONE
        assert handed.ended.wait(PATIENCE)
        assert watchers(app) == 0


def test_an_unexpected_error_is_logged_and_ends_the_stream() -> None:
    """What made the messages cannot go on."""
    errors: list[BaseException] = []
    failed, ended = ZeroDivisionError(), threading.Event()

    def messages() -> Iterator[bytes]:
        yield b"data: 1\n\n"
        raise failed

    ours, theirs = socket.socketpair()
    with DeadlineSocket(fileno=ours.detach()) as connection, theirs:
        connection.setblocking(False)
        watch = ChangeFeed().subscribe(1)
        loop = EventLoop(errors.append)
        broadcaster = streams.Broadcaster(loop, RequestsInProgress(), errors.append)
        broadcaster.begin(connection, watch, messages(), ended.set, chunked=True)
        assert ended.wait(PATIENCE)
        assert theirs.recv(100) == b"9\r\ndata: 1\n\n\r\n0\r\n\r\n"
    assert errors == [failed]


def test_an_unexpected_error_stops_nobody_who_waits_for_the_event_loop() -> None:
    """It is logged once; the time and the other connections are told of as before."""
    errors, ticks = list[BaseException](), list[float]()
    failed, told = ZeroDivisionError(), threading.Event()

    def fail(_: float) -> None:
        raise failed

    loop = EventLoop(errors.append)
    one, two = socket.socketpair()
    with one, two:
        loop.watch(one, selectors.EVENT_WRITE, fail)
        loop.each_second(ticks.append)
        wait_for(lambda: len(ticks) > 1)
        assert errors == [failed]
        loop.each_second(fail)
        wait_for(lambda: len(errors) > 1)
        loop.watch(two, selectors.EVENT_WRITE, lambda _: told.set())
        assert told.wait(PATIENCE)
        loop.forget(two)


def wait_for(done: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_stream_has_its_line_in_the_log_when_it_has_begun(table: Table) -> None:
    """Its thread is free then."""
    with capture_log() as log, handed_over(table) as handed:
        [line] = log.requests
        assert (line["route"], line["status"]) == ("/api/tables/<link>/live", 200)
        assert line["bytes"] == len(handed.first)


@pytest.fixture
def keeper() -> Iterator[DeadlineSocket]:
    """Return the connection on which a change comes in."""
    ours, theirs = socket.socketpair()
    with DeadlineSocket(fileno=ours.detach()) as connection, theirs:
        yield connection


def record(table: Table, keeper: DeadlineSocket) -> None:
    """Make a change on a connection; it is not answered yet."""
    environ = {"gunicorn.socket": keeper}
    assert table.record(NOBODY, environ_overrides=environ).status_code == 201


@pytest.fixture
def told(app: Flask, table: Table) -> list[int]:
    """Return the versions that somebody who watches has been told of."""
    pool, told = app.extensions["pool"], list[int]()
    with app.app_context():
        watch = pool.changes.subscribe(tables.read_table_id(pool, table.link))
    watch.wake = lambda: told.append(watch.newest)
    return told


def test_who_made_a_change_is_answered_first(
    table: Table, keeper: DeadlineSocket, told: list[int]
) -> None:
    """Then those who watch are told."""
    record(table, keeper)
    assert told == []
    keeper.end_answer()
    assert told == [2]


def test_of_several_changes_in_a_request_only_the_last_waits(
    table: Table, keeper: DeadlineSocket, told: list[int]
) -> None:
    """A phone that hands over an evening is watched meanwhile."""
    record(table, keeper)
    record(table, keeper)
    assert told == [2]
    keeper.end_answer()
    assert told == [2, 3]


def test_nobody_waits_for_ever_for_an_answer(
    table: Table, keeper: DeadlineSocket, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it slowly does not keep the news from the others, who hear of it once."""
    monkeypatch.setattr(delivery, "LONGEST_SECONDS", 0.0)
    with handed_over(table) as handed:
        record(table, keeper)
        assert b"id: 2\n" in handed.until(b"}\n\n")
        wait_for(lambda: told == [2])
    keeper.end_answer()
    assert told == [2]


def test_nothing_is_made_for_readers_while_somebody_else_is_being_answered(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when one of two has been: Python's threads take turns, and whoever taps goes first."""
    recording: RequestsInProgress = app.extensions["recording"]
    wait, waiting, order = recording.wait_for_none, threading.Event(), list[str]()

    def wait_for_none(until: float) -> None:
        waiting.set()
        wait(until)
        order.append("begun")

    monkeypatch.setattr(streams, "LONGEST_WAIT_SECONDS", PATIENCE)
    with handed_over(table) as handed:
        for change in (recording.begin, recording.begin, recording.end):
            change()
        monkeypatch.setattr(recording, "wait_for_none", wait_for_none)
        table.record(NOBODY)
        assert waiting.wait(PATIENCE)
        order.append("answered")
        recording.end()
        handed.until(b"id: 2\n")
    assert order[0] == "answered"


def test_readers_wait_only_for_so_long(app: Flask, table: Table) -> None:
    """Though somebody is being answered all the time."""
    with handed_over(table) as handed:
        app.extensions["recording"].begin()
        table.record(NOBODY)
        assert b"id: 2\n" in handed.until(b"}\n\n")
