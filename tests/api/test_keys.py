"""Idempotency keys: a write repeated after a lost answer changes nothing, nor opens a table."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.api.calling import NOBODY, PLAYERS, Caller, Table, error
from tests.api.test_calls import read_rows, send

# One call after another: the version it is answered with, or why it is refused, and its key.
CALLS = """
2               | a | POST /events | {"event": "correction", "player": "Bo", "points": 1, "seq": 1}
422 not_allowed | a | POST /events | {"event": "correction", "player": "Bo", "points": 1, "seq": 2}
2               | a | POST /events | {"event": "correction", "player": "Bo", "points": 1, "seq": 1}
422 not_allowed | a | POST /events | {"event": "correction", "player": "Bo", "points": 7}
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
        assert error(send(table, call, body.encode(), pen="x", key=key)) == (401, "no_pen")
        answer = send(table, call, body.encode(), key=key)
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
