"""Server-sent events: the present state first, then every change, and no subscriber left over."""

from types import ModuleType
from unittest.mock import MagicMock, Mock

import pytest
from flask import Flask

from app.api import routes
from app.http import stream as streams
from app.http.application import Application
from app.services import erasure, people
from app.services.access import Write
from app.web import readers
from tests.api.calling import NOBODY, OFF, PLAYERS, Stream, Table, correction


def test_every_kind_of_change_is_told_after_the_present_state(table: Table) -> None:
    """Each carries the answer that its writer got; of changes that come fast, the newest."""
    stream = Stream(table.caller.client, f"{table.path}/live", **{"Last-Event-ID": "2"})
    assert stream.answer.content_type == "text/event-stream; charset=utf-8"
    assert stream.next().startswith(b'event: table\nid: 1\ndata: {"seq":1,"result":{')
    for write in (
        ("POST", "/events", correction(3)),
        ("PUT", "/events/0", correction(4)),
        ("DELETE", "/events/last"),
        ("POST", "/events", OFF),
        ("POST", "/games"),
    ):
        answer = table.write(*write)
        told = f"event: table\nid: {answer.get_json()['seq']}\ndata: {answer.text}\n\n"
        assert stream.next() == told.encode()
    newest = [table.record(correction(1)).text for _ in range(20)][-1]
    assert newest.encode() in stream.next()
    stream.close()


def test_the_stream_of_a_deleted_table_ends(app: Application, table: Table) -> None:
    """Who watches is told at once that it is over."""
    stream = Stream(table.caller.client, f"/t/{table.link}/live")
    stream.next()
    erasure.delete_table(app.database, Write(table.link, table.pen))
    assert stream.next() == streams.GONE
    with pytest.raises(StopIteration):
        stream.next()
    assert table.read("/live").status_code == 404


def test_a_large_message_waits_for_its_turn(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are served in between, where hundreds of streams have it to send at once.

    The stream of a quiet table is kept open by comments.
    """
    monkeypatch.setattr(streams, "one_at_a_time", turn := MagicMock())
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.0)
    for large, turns in ((10**6, 0), (100, 1)):
        monkeypatch.setattr(streams, "LARGE", large)
        with table.read("/live") as answer:
            stream = answer.iter_encoded()
            assert [next(stream) for _ in range(4)][2:] == [streams.HEARTBEAT] * 2
        assert turn.call_count == turns


def test_who_hangs_up_is_unsubscribed(app: Application, table: Table) -> None:
    """A HEAD request makes no subscription."""
    watching = [Stream(table.caller.client, f"{table.path}/live") for _ in range(2)]
    for stream in watching:
        stream.next()
    for left in (2, 1):
        table.caller.call("HEAD", f"{table.path}/live")
        [subscribed] = app.database.changes.subscriptions.values()
        assert len(subscribed) == left
        watching.pop().close()


@pytest.mark.parametrize(
    ("path", "module", "renders"),
    [
        ("/t/LINK/live", readers, "render_base"),
        ("/api/tables/LINK/live", routes, "table_state"),
        ("/t/LINK/evening/live", readers, "render_template"),
    ],
)
def test_a_version_is_rendered_once_for_all_who_get_the_same(
    table: Table, monkeypatch: pytest.MonkeyPatch, path: str, module: ModuleType, renders: str
) -> None:
    """It serves all readers, all programs or the evening, until the next change."""
    render = Mock(wraps=getattr(module, renders))
    monkeypatch.setattr(module, renders, render)
    for _ in range(2):
        render.reset_mock()
        address = path.replace("LINK", table.link)
        streams = [Stream(table.caller.client, address) for _ in range(5)]
        assert (len({stream.next() for stream in streams}), render.call_count) == (1, 1)
        for stream in streams:
            stream.close()
        table.record(NOBODY)


def test_made_up_readers_are_all_shown_the_same(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change is rendered for each player there is, and for who has not said or is none of them.

    Not for whatever else stands in an address, a cookie or a header.
    """
    players = [people.pseudonym_of(table.link, player) for player in PLAYERS]
    made_up = [f"{number:08}" for number in range(20)]

    def follow_as(said: str, query: str) -> Stream:
        client = app.test_client()
        client.set_cookie("me", said, path=f"/t/{table.link}")
        path = f"/t/{table.link}/live?{query}"
        return Stream(client, path, **{"Accept-Language": f"sv,{said}"})

    streams = [
        follow_as(said, query)
        for said in ["", "none", *players, *made_up, "1" * 9, "x" * 3000, "-1", "away"]
        for query in (f"me={said}&order={said}", f"x={said}")
    ]
    render = Mock(wraps=readers.personal)
    monkeypatch.setattr(readers, "personal", render)
    for _ in range(3):
        render.reset_mock()
        messages = {stream.next() for stream in streams}
        assert render.call_count == len(messages) == len(players) + 3
        assert sum(b'class="own' in each for each in messages) == len(players)
        table.record(NOBODY)
    for stream in streams:
        stream.close()
