"""Idempotency keys: a write repeated after a lost answer changes nothing, nor opens a table."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from werkzeug.test import TestResponse

from tests.api.calling import NOBODY, PLAYERS, Caller, Table, error
from tests.api.network import Answer, new_table, send
from tests.api.test_calls import read_rows
from tests.api.test_calls import send as send_call
from tests.browser.serving import Server

# One call after another: the version it is answered with, or why it is refused, and its key.
CALLS = """
2               | a | POST /events | {"event": "correction", "player": "Bo", "points": 1, "seq": 1}
422 not_allowed | a | POST /events | {"event": "correction", "player": "Bo", "points": 1, "seq": 2}
2               | a | POST /events | {"event": "correction", "player": "Bo", "points": 1, "seq": 1}
3               | b | PUT /events/0 | {"event": "correction", "player": "Bo", "points": 2}
422 not_allowed | a | PUT /events/0 | {"event": "correction", "player": "Bo", "points": 2}
4               | c | DELETE /events/last |
3               | b | PUT /events/0 | {"event": "correction", "player": "Bo", "points": 2}
422 not_allowed | c | POST /games |
422 not_allowed | d | POST /games |
5               | e | POST /events | {"event": "break_off", "settle": true}
422 not_allowed | f | POST /events | {"event": "no_best_hand"}
6               | d | POST /games |
7               | f | POST /events | {"event": "no_best_hand"}
6               | d | POST /games |
7               | f | POST /events | {"event": "no_best_hand"}
4               | c | DELETE /events/last |
"""


def test_a_key_serves_for_one_write_and_gets_its_first_answer_again(table: Table) -> None:
    """It is the same to the byte at any later version; a refusal does not use the key up."""
    first = dict[str, TestResponse]()
    for expected, key, call, body in read_rows(CALLS):
        assert error(send_call(table, call, body.encode(), pen="x", key=key)) == (401, "no_pen")
        answer = send_call(table, call, body.encode(), key=key)
        if " " in expected:
            assert "{} {}".format(*error(answer)) == expected
        else:
            assert answer.get_json()["seq"] == int(expected)
            again = first.setdefault(key, answer)
            assert (answer.status, answer.data) == (again.status, again.data)
            assert answer.headers["Cache-Control"] == again.headers["Cache-Control"]
    assert table.seq == 7


@pytest.mark.parametrize("key", ["", "k" * 129, "å" * 129])
def test_a_key_that_is_none_is_refused(table: Table, key: str) -> None:
    """The answer is 400 for an empty and for a too long key, also for a new table."""
    header = key.encode().decode("latin-1")
    assert error(table.record(NOBODY, key=header)) == (400, "bad_request")
    assert error(opening(table.caller, header)) == (400, "bad_request")


@pytest.mark.parametrize(
    ("version", "key", "statuses"),
    [({}, "k", [201] * 9), ({"seq": 1}, None, [201] + [409] * 8)],
)
def test_of_writes_at_the_same_time_one_is_done(
    server: Server, version: dict[str, int], key: str | None, statuses: list[int]
) -> None:
    """Each repetition gets the answer to the first; of two pens on one version one writes."""
    link, pen = new_table(server.port)
    headers = {"Idempotency-Key": key} if key else {}

    def record(_: int) -> Answer:
        event = {**NOBODY, **version}
        return send(server.port, "POST", f"/api/tables/{link}/events", event, pen, **headers)

    with ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(record, range(8)), record(8)]
    assert sorted(answer.status for answer in answers) == statuses
    assert {answer.json["seq"] for answer in answers if answer.status == 201} == {2}


def opening(caller: Caller, key: str, **headers: str) -> TestResponse:
    """Request a table of four."""
    return caller.call("POST", "/api/tables", {"players": PLAYERS}, key=key, headers=headers)


@pytest.mark.parametrize("header", ["User-Agent", "Accept", "Accept-Language", "Authorization"])
def test_a_stranger_behind_the_same_address_opens_a_table_of_their_own(
    caller: Caller, header: str
) -> None:
    """The same key and body from another program gives another link and another pen."""
    mine, theirs = (opening(caller, header, **head) for head in ({}, {header: "Bearer x"}))
    assert {*mine.get_json().values()}.isdisjoint(theirs.get_json().values())
    assert opening(caller, header).data == mine.data
