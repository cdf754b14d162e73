"""Server-sent events: the present state first, then every change, and nothing left behind."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app import create_app
from app.http import sse
from app.services import erasure, tables
from app.store.changes import ChangeFeed
from tests.api.calling import (
    NOBODY,
    OFF,
    Caller,
    Event,
    Table,
    correction,
    error,
    shut_down,
)
from tests.api.describing import matches
from tests.api.network import Answer, Watcher, new_table, send
from tests.browser.serving import Server

STATE = {"$ref": "#/components/schemas/TableState"}

Write = Callable[..., Answer]


class Served:
    """A table at a server that is really served."""

    def __init__(self, server: Server) -> None:
        self.port = server.port
        self.link, self.pen = new_table(server.port)

    def write(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Call something below the table, with the pen."""
        address = f"/api/tables/{self.link}{path}"
        return send(self.port, method, address, body, self.pen, **headers)

    def record(self, event: Event, **headers: str) -> Answer:
        """Record an event."""
        return self.write("POST", "/events", event, **headers)

    def watch(self, **headers: str) -> Watcher:
        """Watch the table."""
        return Watcher(self.port, self.link, **headers)


@pytest.fixture
def served(server: Server) -> Served:
    """Return a new table at the server."""
    return Served(server)


def test_the_present_state_comes_first(served: Served) -> None:
    """One message of kind `table` with the version as its id, as described."""
    reply = served.record(correction(3)).json
    with served.watch() as watcher:
        assert watcher.head[0].endswith(" 200 OK")
        assert "Content-Type: text/event-stream; charset=utf-8" in watcher.head
        first = watcher.next()
    assert (first.event, first.id, first.data) == ("table", reply["seq"], reply)
    matches(first.data, STATE)


def test_every_kind_of_change_is_told(served: Served) -> None:
    """Events, undo, replacements and new games, each with what its writer was answered."""
    writes: list[tuple[str, str, object]] = [
        ("POST", "/events", correction(3)),
        ("POST", "/events", NOBODY),
        ("PUT", "/events/0", correction(4)),
        ("DELETE", "/events/last", None),
        ("POST", "/events", OFF),
        ("POST", "/games", None),
    ]
    with served.watch() as watcher:
        assert watcher.next().id == 1
        for write in writes:
            answered = served.write(*write).json
            message = watcher.next()
            assert (message.id, message.data) == (answered["seq"], answered)


# Below, one application without a server: who listens there can be counted.


@pytest.fixture
def watched(alone: Flask) -> Table:
    """Return a table of that application."""
    return Caller(alone.test_client()).open()


def live(table: Table, **options: object) -> TestResponse:
    """Begin to watch."""
    return table.read("/live", **options)


def watchers(app: Flask) -> int:
    """Return how many listen."""
    changes: ChangeFeed = app.extensions["pool"].changes
    return changes.subscribers


def test_who_leaves_is_no_longer_listened_for(alone: Flask, watched: Table) -> None:
    """Before the first message, after it, and for a HEAD that has none."""
    for messages in (0, 1, 2):
        with live(watched) as answer:
            stream = answer.iter_encoded()
            for _ in range(messages):
                next(stream)
            assert watchers(alone) == 1
        assert watchers(alone) == 0
    with watched.caller.call("HEAD", f"{watched.path}/live") as head:
        assert head.status_code == 200
    assert watchers(alone) == 0


def test_more_than_there_is_room_for_are_asked_to_come_again(
    alone: Flask, watched: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with Retry-After, as JSON and on the page; who leaves makes room."""
    monkeypatch.setattr(sse, "MAX_SUBSCRIBERS", 2)
    with live(watched):
        with live(watched):
            full = live(watched)
            assert error(full) == (503, "too_many")
            assert int(full.headers["Retry-After"]) >= 1
            page = watched.caller.client.get(f"/t/{watched.link}/live")
            assert page.status_code == 503
            assert "Retry-After" in page.headers
        with live(watched) as again:
            assert again.status_code == 200
    assert watchers(alone) == 0


@pytest.mark.parametrize(("limits", "status"), [(True, 503), (False, 200)])
def test_one_address_does_not_take_all_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limits: bool, status: int
) -> None:
    """Unless limits are off; others are let in."""
    monkeypatch.setattr(sse, "MAX_PER_ADDRESS", 1)
    app = create_app({"DATABASE": str(tmp_path / "chicago.db"), "LIMITS": limits})
    table = Caller(app.test_client()).open()
    elsewhere = {"REMOTE_ADDR": "192.0.2.1"}
    with live(table), live(table) as second, live(table, environ_base=elsewhere) as other:
        assert (second.status_code, other.status_code) == (status, 200)
    shut_down(app)


def test_a_change_is_published_to_who_subscribed_and_nobody_else() -> None:
    """A listener knows the newest version since it came, and is woken for each."""
    changes, woken = ChangeFeed(), []
    changes.publish(1, 5)
    watch, other = changes.subscribe(1), changes.subscribe(2)
    watch.wake, other.wake = lambda: woken.append(1), lambda: woken.append(2)
    assert watch.newest == 0
    changes.publish(1, 7)
    changes.publish(1, 6)
    assert (watch.newest, other.newest, woken) == (7, 0, [1, 1])


def test_the_stream_of_a_deleted_table_ends(alone: Flask, watched: Table) -> None:
    """Whoever watches is told at once that there is nothing more to come, and listens no more."""
    changes: ChangeFeed = alone.extensions["pool"].changes
    with live(watched) as answer:
        stream = answer.iter_encoded()
        assert [next(stream), next(stream)][1].startswith(b"event: table\nid: 1\n")
        write = tables.Write(watched.link, watched.pen)
        with alone.app_context():
            erasure.delete_table(alone.extensions["pool"], write)
        assert list(stream) == [b"event: gone\ndata: {}\n\n"]
    assert changes.subscribers == 0
    assert error(live(watched)) == (404, "not_found")
