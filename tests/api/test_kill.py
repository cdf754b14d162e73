"""A server killed fifty times under load has everything it acknowledged, and nothing twice."""

from __future__ import annotations

import http.client
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.api.calling import correction
from tests.api.network import new_table, send
from tests.browser.serving import Server

KILLS = 50
WRITERS = 4
ENOUGH = 8
PATIENCE = 30.0


@dataclass
class Writer:
    """Writes one event after the other, each with a key, until it is acknowledged."""

    server: Server
    path: str
    pen: str
    name: str
    stopping: threading.Event
    acknowledged: list[str] = field(default_factory=list)
    failure: BaseException | None = None

    def __post_init__(self) -> None:
        """Be ready to begin."""
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        """Go on until told to stop; what is under way then is still brought to its end."""
        try:
            while not self.stopping.is_set():
                self._write(f"{self.name} {len(self.acknowledged)}")
        except BaseException as failure:
            self.failure = failure
            raise

    def _write(self, note: str) -> None:
        event = {**correction(1), "note": note}
        while True:
            try:
                answer = send(
                    self.server.port,
                    "POST",
                    f"{self.path}/events",
                    event,
                    self.pen,
                    **{"Idempotency-Key": note},
                )
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
                continue
            assert answer.status == 201, answer.data
            self.acknowledged.append(note)
            return


@pytest.fixture
def writers(own_server: Server) -> Iterator[list[Writer]]:
    """Return writers at work, two at a table."""
    stopping = threading.Event()
    working: list[Writer] = []
    for number in range(WRITERS):
        if number % 2 == 0:
            link, pen = new_table(own_server.port)
        writer = Writer(own_server, f"/api/tables/{link}", pen, f"writer {number}", stopping)
        working.append(writer)
    for writer in working:
        writer.thread.start()
    yield working
    stop(working)


def stop(writers: list[Writer]) -> None:
    """Let every writer bring to its end what it is at."""
    for writer in writers:
        writer.stopping.set()
        writer.thread.join(PATIENCE)
        assert not writer.thread.is_alive()
        assert writer.failure is None


def acknowledged(writers: list[Writer]) -> int:
    """Return how many writes have been acknowledged."""
    assert not any(writer.failure for writer in writers)
    return sum(len(writer.acknowledged) for writer in writers)


def wait_for_more(writers: list[Writer], count: int) -> None:
    """Wait until that many more are acknowledged, so that others are under way."""
    enough, deadline = acknowledged(writers) + count, time.monotonic() + PATIENCE
    while acknowledged(writers) < enough:
        assert time.monotonic() < deadline, "no write was acknowledged"
        time.sleep(0.001)


def test_killed_fifty_times_under_load(own_server: Server, writers: list[Writer]) -> None:
    """Every acknowledged event is there, in its writer's order, once; the file is sound."""
    for kill in range(KILLS):
        # Not always after the same number, so that it strikes at every moment of a write.
        wait_for_more(writers, ENOUGH + kill % 7)
        own_server.kill()
        own_server.start()
    wait_for_more(writers, ENOUGH)
    stop(writers)
    for writer in writers:
        reply = send(own_server.port, "GET", f"{writer.path}/games/1").json
        notes = [event["note"] for event in reply["events"]]
        assert [note for note in notes if note.startswith(writer.name)] == writer.acknowledged
        seq = send(own_server.port, "GET", writer.path).json["seq"]
        assert seq == 1 + len(notes)
    database = sqlite3.connect(own_server.database)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    database.close()
