"""Idempotency keys: a write repeated after a lost answer changes nothing."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.api.calling import (
    NOBODY,
    OFF,
    PLAYERS,
    Caller,
    Event,
    Table,
    best_hand,
    correction,
    error,
    stored,
)
from tests.api.network import Answer, new_table, send
from tests.browser.serving import Server


def same(one: TestResponse, other: TestResponse) -> bool:
    """Tell whether two answers are the same to the byte."""
    return (one.status, one.data, one.mimetype) == (other.status, other.data, other.mimetype)


WRITES = [
    ("POST", "/events", correction(5)),
    ("DELETE", "/events/last", None),
    ("PUT", "/events/0", correction(6)),
    ("POST", "/games", {"stake_ore": 7}),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_a_write_sent_again_gets_the_first_answer(
    caller: Caller, method: str, path: str, body: object
) -> None:
    """The answer is the same to the byte at any later version, and nothing is done twice."""
    table = caller.open(correction(3))
    if path == "/games":
        table.record(OFF)
    first = table.write(method, path, body, key="k")
    assert first.status_code < 300
    table.record(correction(1))
    seq = table.seq
    assert all(same(table.write(method, path, body, key="k"), first) for _ in range(3))
    assert table.seq == seq
    assert table.write(method, path, body, key="k").headers["Cache-Control"]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_a_key_does_not_serve_for_another_write(
    caller: Caller, method: str, path: str, body: object
) -> None:
    """The answer is 422 for another body, another call and another event; nothing has changed."""
    table = caller.open(correction(3))
    assert table.record(OFF, key="k").status_code == 201
    assert error(table.write(method, path, body, key="k")) == (422, "not_allowed")
    assert table.seq == 3


def test_a_key_does_not_serve_for_a_newer_version(table: Table) -> None:
    """A request on the newest version is another change than the one that made that version."""
    assert table.record({**correction(1), "seq": 1}, key="k").status_code == 201
    assert error(table.record({**correction(1), "seq": 2}, key="k")) == (422, "not_allowed")
    assert table.record({**correction(1), "seq": 1}, key="k").get_json()["seq"] == table.seq == 2


def test_a_write_that_was_refused_is_judged_again(table: Table) -> None:
    """The same key works once the write is allowed: a refusal does not use it up."""
    late = best_hand("Anna")
    assert table.record(OFF).status_code == 201
    assert table.record(late, key="k").status_code == 422
    assert table.write("POST", "/games").status_code == 201
    assert table.record(late, key="k").status_code == 201
    assert table.record(late, key="k").get_json()["seq"] == 4


def test_a_wrong_pen_does_not_get_an_answer_that_was_kept(table: Table) -> None:
    """A try with a wrong pen does not keep the right pen from using the key."""
    event = correction(1)
    assert error(table.record(event, pen="x", key="k")) == (401, "no_pen")
    assert table.record(event, key="k").status_code == 201
    assert error(table.record(event, pen="x", key="k")) == (401, "no_pen")


def test_neither_links_nor_pens_are_on_disk(alone: Flask) -> None:
    """A stolen database gives no answers and opens no tables."""
    caller = Caller(alone.test_client())
    reply = caller.call("POST", "/api/tables", {"players": PLAYERS}, key="disk").get_json()
    Table(caller, reply["table"], reply["pen"]).record(NOBODY, key="disk")
    dump = repr(stored(alone))
    assert "no_best_hand" in dump
    assert reply["table"] not in dump
    assert reply["pen"] not in dump


@pytest.mark.parametrize("key", ["", "k" * 129, "å" * 129])
def test_a_key_that_is_none_is_refused(table: Table, key: str) -> None:
    """The answer is 400 for an empty and for a too long key, also for a new table."""
    header = key.encode().decode("latin-1")
    assert error(table.record(NOBODY, key=header)) == (400, "bad_request")
    answer = table.caller.call("POST", "/api/tables", {"players": PLAYERS}, key=header)
    assert error(answer) == (400, "bad_request")
    assert table.seq == 1


def at_once(server: Server, event: Event, **headers: str) -> list[Answer]:
    """Record one event eight times concurrently at a new table, and once more."""
    link, pen = new_table(server.port)

    def record(_: int) -> Answer:
        return send(server.port, "POST", f"/api/tables/{link}/events", event, pen, **headers)

    with ThreadPoolExecutor(8) as pool:
        return [*pool.map(record, range(8)), record(8)]


def test_a_write_sent_twice_at_the_same_time_is_done_once(server: Server) -> None:
    """Every repetition gets the answer to the first."""
    answers = at_once(server, correction(1), **{"Idempotency-Key": "k"})
    assert {(answer.status, answer.json["seq"]) for answer in answers} == {(201, 2)}


def test_of_two_pens_that_saw_the_same_table_one_writes(server: Server) -> None:
    """Of many concurrent records of the same hand one succeeds, and the others get 409."""
    answers = at_once(server, {**NOBODY, "seq": 1})
    assert sorted(answer.status for answer in answers) == [201] + [409] * 8
