"""Server-sent events: the present state first, then every change, and no subscriber left over."""

import re
from contextvars import copy_context
from pathlib import Path
from types import ModuleType
from unittest.mock import Mock

import pytest
from flask import Flask

from app.api import routes
from app.http import rendered
from app.services import people
from app.web import live as pages
from app.web.table import follow
from tests.api.calling import NOBODY, OFF, PLAYERS, Caller, Table, correction
from tests.api.describing import matches
from tests.api.network import Answer, Watcher, send
from tests.browser.serving import Server

STATE = {"$ref": "#/components/schemas/TableState"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Phone:
    """A phone that keeps a table at a server, with its cookies; the pen writes as a program too."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""
        opened = self.send("/", b"player=Anna&player=Bo&stake=1")
        self.cookie, self.table = opened.cookies, opened.headers["Location"]
        self.link = self.table.removeprefix("/t/")

    def send(self, path: str, body: bytes = b"") -> Answer:
        """Send a form."""
        return send(self.port, "POST", path, body, Cookie=self.cookie, **FORM)

    def call(self, method: str, path: str, body: object = None) -> Answer:
        """Send a call below the table."""
        path = f"/api/tables/{self.link}{path}"
        return send(self.port, method, path, body, Cookie=self.cookie)

    def record(self) -> Answer:
        """Record an event."""
        return self.call("POST", "/events", correction(1))

    def watch(self, *cookies: str, link: str = "") -> Watcher:
        """Watch the page of a table as this phone, or as a reader by the cookies alone."""
        told = "; ".join(cookies or [self.cookie])
        return Watcher(self.port, link or self.link, "/t", Cookie=told)


@pytest.fixture
def keeper(server: Server) -> Phone:
    """Return a phone that keeps a table."""
    return Phone(server.port)


def test_every_kind_of_change_is_told_after_the_present_state(keeper: Phone) -> None:
    """Events, undo, replacements and new games carry the answer that their writer got."""
    with Watcher(keeper.port, keeper.link, **{"Last-Event-ID": "2"}) as watcher:
        assert watcher.head[0].endswith(" 200 OK")
        assert "Content-Type: text/event-stream; charset=utf-8" in watcher.head
        first = watcher.next()
        assert (first.event, first.id) == ("table", 1)
        matches(first.data, STATE)
        for write in (
            ("POST", "/events", correction(3)),
            ("PUT", "/events/0", correction(4)),
            ("DELETE", "/events/last"),
            ("POST", "/events", OFF),
            ("POST", "/games"),
        ):
            answered, message = keeper.call(*write).json, watcher.next()
            assert (message.id, message.data) == (answered["seq"], answered)


def test_of_changes_that_come_fast_the_newest_is_never_lost(keeper: Phone) -> None:
    """Several changes may come as one message, in order."""
    with Watcher(keeper.port, keeper.link) as watcher:
        newest = [keeper.record().json["seq"] for _ in range(20)][-1]
        told = [watcher.next().id]
        while told[-1] != newest:
            told.append(watcher.next().id)
    assert told == sorted(set(told))


def test_whose_pen_is_taken_back_sees_what_readers_see(keeper: Phone) -> None:
    """The page changes at once, without a form; a phone that still writes keeps the grid."""
    other = Phone(keeper.port)
    handed = keeper.send(f"{keeper.table}/pen", b"seq=1").data.decode()
    given = re.search(rf"{keeper.table}/pen/[\w-]+", handed)
    assert given
    other.send(given[0])
    with keeper.watch() as mine, other.watch(link=keeper.link) as theirs:
        assert ["<form" in each.next().text for each in (mine, theirs)] == [True, True]
        assert keeper.send(f"{keeper.table}/pen/back").status == 303
        assert ["<form" in each.next().text for each in (mine, theirs)] == [True, False]


def test_each_reader_gets_a_card_of_their_own(keeper: Phone) -> None:
    """The card takes the place of the common part."""
    anna, bo = (f"me={people.pseudonym_of(keeper.link, name)}" for name in ("Anna", "Bo"))
    with keeper.watch(anna) as one, keeper.watch(bo) as other, keeper.watch("x=y") as nobody:
        for _ in range(2):
            cards = [watcher.next().text for watcher in (one, other, nobody)]
            assert ['class="own' in card for card in cards] == [True, True, False]
            assert cards[0] != cards[1]
            keeper.record()


def test_the_stream_of_a_deleted_table_ends(keeper: Phone) -> None:
    """Every watcher is told at once that the stream is over."""
    with keeper.watch() as watcher:
        watcher.next()
        assert keeper.send(f"{keeper.table}/forget", b"what=table&sure=yes&seq=1").status == 303
        assert [watcher.next().event for _ in range(2)] == ["gone", ""]
    assert keeper.call("GET", "/live").status == 404


def test_who_hangs_up_is_unsubscribed(tmp_path: Path) -> None:
    """The next changes end the subscription; a HEAD request makes none."""
    server = Server(tmp_path, "tests.api.places:observed()")
    server.start()
    keeper = Phone(server.port)

    def watching() -> int:
        return int(send(server.port, "GET", "/watching").data)

    with keeper.watch() as stays:
        stays.next()
        with keeper.watch() as leaves:
            leaves.next()
            assert watching() == 2
        while watching() == 2:
            keeper.record()
        assert keeper.call("HEAD", "/live").status == 200
        assert watching() == 1
    server.stop()


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


@pytest.mark.parametrize(
    ("path", "module", "renders"),
    [
        ("/t/LINK/live", follow, "render_base"),
        ("/api/tables/LINK/live", routes, "table_state"),
        ("/t/LINK/evening/live", pages, "render_template"),
    ],
)
def test_a_version_is_rendered_once_for_all_who_get_the_same(
    alone: Flask, monkeypatch: pytest.MonkeyPatch, path: str, module: ModuleType, renders: str
) -> None:
    """It serves all readers, all programs or the evening, until the next change."""
    render = Mock(wraps=getattr(module, renders))
    monkeypatch.setattr(module, renders, render)
    table = Caller(alone.test_client()).open()
    for _ in range(2):
        render.reset_mock()
        messages = set()
        for _ in range(5):
            with alone.test_client().get(path.replace("LINK", table.link)) as answer:
                parts = answer.iter_encoded()
                messages.add(next(part for part in parts if part.startswith(b"event: ")))
        assert (len(messages), render.call_count) == (1, 1)
        table.record(NOBODY)


def test_made_up_readers_are_all_shown_the_same(
    alone: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change is rendered for each player there is, and for who has not said or is none of them.

    Not for whatever else stands in an address, a cookie or a header.
    """
    table = Caller(alone.test_client()).open()
    players = [people.pseudonym_of(table.link, player) for player in PLAYERS]
    made_up = [f"{number:08}" for number in range(20)]
    streams = [
        Follower(alone, f"/t/{table.link}", query, said)
        for said in ["", "none", *players, *made_up, "1" * 9, "x" * 3000, "-1", "away"]
        for query in (f"me={said}&order={said}", f"x={said}")
    ]
    render = Mock(wraps=follow.personal)
    monkeypatch.setattr(follow, "personal", render)
    for _ in range(3):
        render.reset_mock()
        messages = {stream.next() for stream in streams}
        assert render.call_count == len(messages) == len(players) + 3
        table.record(NOBODY)
    for stream in streams:
        stream.close()


def test_a_quiet_table_s_stream_is_kept_open(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment is sent at intervals."""
    monkeypatch.setattr(rendered, "HEARTBEAT_SECONDS", 0.0)
    with table.read("/live") as answer:
        stream = answer.iter_encoded()
        assert [next(stream) for _ in range(4)][2:] == [rendered.HEARTBEAT] * 2
