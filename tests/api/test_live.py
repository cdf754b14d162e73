"""Server-sent events: the present state first, then every change, and no subscriber left over."""

import re
from collections.abc import Callable, Iterator
from contextvars import copy_context
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.api import routes
from app.http import rendered
from app.services import people
from app.web import live as pages
from app.web.table import follow
from tests.api.calling import NOBODY, OFF, PLAYERS, Caller, Event, Table, correction, error
from tests.api.describing import matches
from tests.api.network import Answer, Watcher, new_table, send
from tests.browser.serving import Server

STATE = {"$ref": "#/components/schemas/TableState"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Served:
    """A table at a real server."""

    def __init__(self, server: Server) -> None:
        self.port = server.port
        self.link, self.pen = new_table(server.port)

    def write(self, method: str, path: str, body: object = None) -> Answer:
        """Send a request below the table, with the pen."""
        return send(self.port, method, f"/api/tables/{self.link}{path}", body, self.pen)

    def record(self, event: Event) -> Answer:
        """Record an event."""
        return self.write("POST", "/events", event)

    def watch(self, **headers: str) -> Watcher:
        """Watch the table as a program does."""
        return Watcher(self.port, self.link, **headers)


@pytest.fixture
def served(server: Server) -> Served:
    """Return a new table at the server."""
    return Served(server)


def test_the_present_state_comes_first(served: Served) -> None:
    """The message has the kind `table`, the version as its id, and the described data."""
    reply = served.record(correction(3)).json
    with served.watch(**{"Last-Event-ID": "2"}) as watcher:
        assert watcher.head[0].endswith(" 200 OK")
        assert "Content-Type: text/event-stream; charset=utf-8" in watcher.head
        first = watcher.next()
    assert (first.event, first.id, first.data) == ("table", reply["seq"], reply)
    matches(first.data, STATE)


def test_every_kind_of_change_is_told(served: Served) -> None:
    """Events, undo, replacements and new games carry the answer that their writer got."""
    writes: list[tuple[str, str, object]] = [
        ("POST", "/events", correction(3)),
        ("POST", "/events", NOBODY),
        ("PUT", "/events/0", correction(4)),
        ("DELETE", "/events/last", None),
        ("POST", "/events", OFF),
        ("POST", "/games", None),
    ]
    with served.watch() as watcher, served.watch() as another:
        assert watcher.next().id == another.next().id == 1
        for write in writes:
            answered = served.write(*write).json
            for message in (watcher.next(), another.next()):
                assert (message.id, message.data) == (answered["seq"], answered)


def test_of_changes_that_come_fast_the_newest_is_never_lost(served: Served) -> None:
    """Several changes may come as one message, in order."""
    with served.watch() as watcher:
        newest = [served.record(correction(1)).json["seq"] for _ in range(20)][-1]
        told = [watcher.next().id]
        while told[-1] != newest:
            told.append(watcher.next().id)
    assert told == sorted(set(told))


class Phone:
    """A phone at a server, with its cookie."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def send(self, path: str, body: bytes = b"") -> Answer:
        """Send a form, and keep the cookie."""
        answer = send(self.port, "POST", path, body, Cookie=self.cookie, **FORM)
        given = answer.headers.get("Set-Cookie")
        self.cookie = given.partition(";")[0] if given else self.cookie
        return answer

    def watch(self, link: str, *cookies: str) -> Watcher:
        """Watch the page of a table."""
        return Watcher(self.port, link, "/t", Cookie="; ".join([self.cookie, *cookies]))


def test_whose_pen_is_taken_back_sees_what_readers_see(server: Server) -> None:
    """The page changes at once, without a form; a phone that still writes keeps the grid."""
    keeper, other = Phone(server.port), Phone(server.port)
    table = keeper.send("/", b"player=Anna&player=Bo&stake=1").headers["Location"]
    link = table.removeprefix("/t/")
    handed = keeper.send(f"{table}/pen", b"seq=1").data.decode()
    given = re.search(rf"{table}/pen/[\w-]+", handed)
    assert given
    other.send(given[0])
    with keeper.watch(link) as mine, other.watch(link) as theirs:
        assert "<form" in mine.next().text
        assert "<form" in theirs.next().text
        assert keeper.send(f"{table}/pen/back").status == 303
        assert "<form" not in theirs.next().text
        assert "<form" in mine.next().text


def test_each_reader_gets_a_card_of_their_own(server: Server, served: Served) -> None:
    """The card takes the place of the common part."""
    phone = Phone(server.port)
    codes = [people.pseudonym_of(served.link, name) for name in ("Anna", "Bo")]
    with (
        phone.watch(served.link, f"me={codes[0]}") as anna,
        phone.watch(served.link, f"me={codes[1]}") as bo,
        phone.watch(served.link) as nobody,
    ):
        for _ in range(2):
            cards = [watcher.next().text for watcher in (anna, bo, nobody)]
            assert ['class="own' in card for card in cards] == [True, True, False]
            assert cards[0] != cards[1]
            served.record(correction(1))


@pytest.fixture
def observed(tmp_path: Path) -> Iterator[Server]:
    """Serve an application that reports the number of watchers."""
    server = Server(tmp_path, "tests.api.places:observed()")
    server.start()
    yield server
    server.stop()


def test_who_hangs_up_is_unsubscribed(observed: Server) -> None:
    """The next changes end the subscription; a HEAD request makes none."""
    served = Served(observed)

    def watching() -> int:
        return int(send(observed.port, "GET", "/watching").data)

    with served.watch() as stays:
        stays.next()
        with served.watch() as leaves:
            leaves.next()
            assert watching() == 2
        while watching() == 2:
            served.record(correction(1))
        assert send(observed.port, "HEAD", f"/api/tables/{served.link}/live").status == 200
        assert watching() == 1


# Below, one application without a server: its renderings and messages can be counted.


@pytest.fixture
def table(alone: Flask) -> Table:
    """Return a table of that application."""
    return Caller(alone.test_client()).open()


class Follower:
    """A reader who follows a table by a stream, in a context of its own."""

    def __init__(self, app: Flask, table: str, query: str, said: str) -> None:
        client = app.test_client()
        client.set_cookie("me", said, path=table)
        self._context = copy_context()
        headers = {"Accept-Language": f"sv,{said}"}
        self._answer = self._context.run(client.get, f"{table}/live?{query}", headers=headers)
        self._parts = self._answer.iter_encoded()

    def next(self) -> bytes:
        """Return the next message."""
        while not (part := self._context.run(next, self._parts)).startswith(b"event: "):
            pass
        return part

    def close(self) -> None:
        """Disconnect."""
        self._context.run(self._answer.close)


def first_message(answer: TestResponse) -> bytes:
    """Return the first message of a stream, and disconnect."""
    with answer:
        return next(part for part in answer.iter_encoded() if part.startswith(b"event: "))


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], list[object]]:
    """Return a function that counts the calls of another."""

    def watch(module: object, name: str) -> list[object]:
        calls: list[object] = []
        made = getattr(module, name)

        def counted(*values: object, **options: object) -> object:
            calls.append(values)
            return made(*values, **options)

        monkeypatch.setattr(module, name, counted)
        return calls

    return watch


def test_a_version_is_rendered_once_for_all_who_get_the_same(
    alone: Flask, table: Table, count: Callable[[object, str], list[object]]
) -> None:
    """One rendering serves all readers, all programs and the evening, until the next change."""
    streams = {
        f"/t/{table.link}/live": count(follow, "render_base"),
        f"{table.path}/live": count(routes, "table_state"),
        f"/t/{table.link}/evening/live": count(pages, "render_template"),
    }
    for _ in range(2):
        for path, calls in streams.items():
            calls.clear()
            messages = {first_message(alone.test_client().get(path)) for _ in range(5)}
            assert (len(messages), len(calls)) == (1, 1)
        table.record(NOBODY)


def test_made_up_readers_are_all_shown_the_same(
    alone: Flask, table: Table, count: Callable[[object, str], list[object]]
) -> None:
    """A change is rendered for each player there is, and for who has not said or is none of them.

    Not for whatever else stands in an address, a cookie or a header.
    """
    players = [people.pseudonym_of(table.link, player) for player in PLAYERS]
    made_up = [f"{number:08}" for number in range(20)]
    streams = [
        Follower(alone, f"/t/{table.link}", query, said)
        for said in ["", "none", *players, *made_up, "1" * 9, "x" * 3000, "-1", "away"]
        for query in (f"me={said}&order={said}", f"x={said}")
    ]
    calls = count(follow, "personal")
    for _ in range(3):
        calls.clear()
        messages = {stream.next() for stream in streams}
        assert len(calls) == len(messages) == len(players) + 3
        table.record(NOBODY)
    for stream in streams:
        stream.close()


def test_a_quiet_table_s_stream_is_kept_open(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment is sent at intervals."""
    monkeypatch.setattr(rendered, "HEARTBEAT_SECONDS", 0.0)
    with table.read("/live") as answer:
        stream = answer.iter_encoded()
        assert [next(stream) for _ in range(4)][2:] == [rendered.HEARTBEAT] * 2


def test_the_stream_of_a_deleted_table_ends(served: Served) -> None:
    """Every watcher is told at once that the stream is over."""
    phone = Phone(served.port)
    table = phone.send("/", b"player=Anna&player=Bo&stake=1").headers["Location"]
    link = table.removeprefix("/t/")
    with phone.watch(link) as watcher:
        watcher.next()
        assert phone.send(f"{table}/forget", b"what=table&sure=yes&seq=1").status == 303
        assert watcher.next().event == "gone"
        assert watcher.next().event == ""
    assert send(served.port, "GET", f"/api/tables/{link}/live").status == 404


def test_there_is_no_stream_of_no_table(caller: Caller) -> None:
    """The answer is 404, as for any other call."""
    assert error(caller.call("GET", "/api/tables/x/live")) == (404, "not_found")
