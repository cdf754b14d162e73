"""Several pens whose writes are shuffled, repeated and delayed: each happens exactly once."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from tests.api.calling import correction
from tests.api.network import Answer, send
from tests.api.pens import Pen, open_table
from tests.browser.serving import Server

PENS = 4
WRITES_OF_EACH = 15
AT_ONCE = 8


@dataclass
class Write:
    """Something that one pen wants, with its key; `answers` are those of all its copies."""

    pen: Pen
    method: str
    path: str
    body: dict[str, object] | None
    key: str
    answers: list[Answer] = field(default_factory=list)

    def send(self) -> None:
        """Send one more copy."""
        self.answers.append(self.pen.write(self.method, self.path, self.body, self.key))

    @property
    def done(self) -> bool:
        """Whether it was acknowledged."""
        return self.answers[0].status in (200, 201)


def wishes(chance: random.Random, pens: list[Pen]) -> Iterator[Write]:
    """Make up what each pen wants: mostly events, each with a note of its own."""
    for number in range(PENS * WRITES_OF_EACH):
        pen, key = pens[number % PENS], f"write {number}"
        event = {**correction(chance.randint(1, 9)), "note": key}
        kind = chance.choices(["event", "guarded", "undo", "replace"], [5, 3, 2, 2])[0]
        if kind == "event":
            yield Write(pen, "POST", "/events", event, key)
        elif kind == "guarded":
            seq = chance.randint(1, PENS * WRITES_OF_EACH // 2)
            yield Write(pen, "POST", "/events", {**event, "seq": seq}, key)
        elif kind == "undo":
            yield Write(pen, "DELETE", "/events/last", None, key)
        else:
            yield Write(pen, "PUT", f"/events/{chance.randint(0, 9)}", event, key)


def shuffled(chance: random.Random, writes: list[Write]) -> list[Write]:
    """Return copies of the writes: one to four of each, some soon and some long after."""
    timed = [
        (number + chance.choice([0, 3, 40]) * chance.random(), number)
        for number in range(len(writes))
        for _ in range(chance.randint(1, 4))
    ]
    return [writes[number] for _, number in sorted(timed)]


def ever_recorded(server: Server) -> list[str]:
    """Return the note of every event that is in the database, taken back or not."""
    database = sqlite3.connect(server.database)
    bodies = [
        json.loads(body) for (body,) in database.execute("SELECT body FROM events ORDER BY id")
    ]
    database.close()
    return [body["note"] for body in bodies if f"{body.get('note')}".startswith("write ")]


@pytest.fixture
def pens(server: Server) -> list[Pen]:
    """Return four browsers with the pen of one table, each handed it by the one before."""
    browsers = [open_table(server.port)]
    while len(browsers) < PENS:
        browsers.append(browsers[-1].hand_on())
    assert len({pen.cookie for pen in browsers}) == PENS
    return browsers


def test_every_acknowledged_write_happened_exactly_once(server: Server, pens: list[Pen]) -> None:
    """Whatever the order and however often they are sent, all copies get one answer."""
    chance = random.Random(1)
    writes = list(wishes(chance, pens))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(Write.send, shuffled(chance, writes)))
    for write in writes:
        assert len({(answer.status, answer.data) for answer in write.answers}) == 1, write.key
        assert write.answers[0].status in (200, 201, 404, 409, 422)
    check(server, pens[0], writes)


def check(server: Server, pen: Pen, writes: list[Write]) -> None:
    """Hold the table against what was acknowledged, played through in order of version."""
    done = sorted((write for write in writes if write.done), key=version)
    assert [version(write) for write in done] == list(range(2, len(done) + 2))
    expected: list[str] = []
    for write in done:
        if write.method == "POST":
            assert write.body is not None
            assert write.body.get("seq") in (None, version(write) - 1)
            expected.append(write.key)
        elif write.method == "DELETE":
            expected.pop()
        else:
            expected[int(write.path.rpartition("/")[2])] = write.key
    game = send(server.port, "GET", f"/api/tables/{pen.link}/games/1").json
    assert [event["note"] for event in game["events"]] == expected
    booked = [write.key for write in done if write.method == "POST"]
    first_times = list(dict.fromkeys(ever_recorded(server)))
    assert [note for note in first_times if note in booked] == booked
    assert set(first_times) == {write.key for write in done if write.method != "DELETE"}


def version(write: Write) -> int:
    """Return the version that a write made of the table."""
    return int(write.answers[0].json["seq"])
