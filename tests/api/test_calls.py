"""Each call: what is sent, and the answer, which is always one that openapi.json describes.

All that an answer holds stands in tests/evenings/program.json.
"""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.exceptions import default_exceptions
from werkzeug.test import TestResponse

from tests.api.calling import NOBODY, OFF, PLAYERS, Caller, Table, error
from tests.api.network import REQUESTS, read
from tests.spoiling import ANYTHING, places, put

# Calls below a table, with bodies that they take; the events of a table before a call.
WRITES, BEFORE = REQUESTS["writes"], REQUESTS["before"]


def send(table: Table, call: str, body: bytes, **options: str | None) -> TestResponse:
    """Send a call, its address being below the table or the whole."""
    method, path = call.split(" ")
    path = path if path.startswith("/api") else table.path + path
    return table.caller.call(method, path, data=body, **{"pen": table.pen, **options})


def read_rows(text: str) -> list[list[str]]:
    """Read a table: a row a line, with bars between its cells."""
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


# The status of the answer and its code, what the table has, the call, and its body.
REFUSED = """
422 not_allowed | none   | POST /events | {"event": "chicago", "player": "Bo"}
422 not_allowed | none   | POST /events | {"event": "last_trick", "player": "Bo"}
404 not_found   | none   | PUT /events/0 | {"event": "no_best_hand"}
422 not_allowed | none   | DELETE /events/last |
422 not_allowed | none   | POST /games |
400 bad_request | nobody | POST /events | {}
400 bad_request | nobody | POST /events | {"event": "party"}
400 bad_request | nobody | POST /events | {"event": "best_hand", "player": "Eva", "hand": "pair"}
400 bad_request | nobody | POST /events | {"event": "no_best_hand", "%(key)s": "%s", "{}": "%"}
400 bad_request | nobody | POST /events | {"event": "no_best_hand", "seq": true}
409 stale       | nobody | POST /events | {"event": "no_best_hand", "seq": 1}
409 stale       | nobody | POST /events | {"event": "no_best_hand", "seq": 3}
409 stale       | nobody | POST /events | {"event": "no_best_hand", "seq": -99999999999999999999}
400 bad_request | nobody | PUT /events/0 | {"event": "party"}
409 stale       | nobody | PUT /events/0 | {"event": "no_best_hand", "seq": 1}
404 not_found   | nobody | PUT /events/1 | {"event": "no_best_hand"}
404 not_found   | nobody | PUT /events/-1 | {"event": "no_best_hand"}
404 not_found   | nobody | PUT /events/99999999999999999999 | {"event": "no_best_hand"}
422 not_allowed | bid    | PUT /events/0 | {"event": "correction", "player": "Bo", "points": 2}
405 bad_request | off    | DELETE /events/0 |
400 bad_request | off    | POST /games | {"players": ["Anna"]}
400 bad_request | off    | POST /games | {"dealer": "Eva"}
400 bad_request | off    | POST /games | {"rules": []}
400 bad_request | off    | POST /games | {"seq": 1}
400 bad_request | off    | POST /games | []
400 bad_request | none   | POST /api/tables | {}
400 bad_request | none   | POST /api/tables | null
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "Anna"]}
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "B\\u0000"]}
400 bad_request | none   | POST /api/tables | {"players": {"Anna": 1}}
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "Bo"], "dealer": "Eva"}
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "Bo"], "stake_ore": 1e99}
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "Bo"], "rules": {"jokers": 2}}
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "Bo"], "name": 7}
400 bad_request | none   | POST /api/tables | {"players": ["Anna", "Bo"], "events": []}
405 bad_request | none   | GET /api/tables |
404 not_found   | none   | GET /api/x |
404 not_found   | none   | GET /api/tables/ |
404 not_found   | none   | GET /games/0 |
404 not_found   | none   | GET /games/2 |
404 not_found   | none   | GET /games/99999999999999999999 |
404 not_found   | none   | GET /x/y |
404 not_found   | none   | GET /api/tables/x |
404 not_found   | none   | GET /api/tables/%00 |
404 not_found   | none   | GET /api/tables/x/games/1 |
404 not_found   | none   | GET /api/tables/x/settlement |
404 not_found   | none   | GET /api/tables/x/live |
"""


@pytest.mark.parametrize(("answer", "before", "call", "body"), read_rows(REFUSED))
def test_what_is_refused_is_told_as_json_and_changes_nothing(
    caller: Caller, answer: str, before: str, call: str, body: str
) -> None:
    """The answer has a code and one sentence."""
    table = caller.open(*BEFORE[before])
    seq, refused = table.seq, send(table, call, body.encode())
    assert "{} {}".format(*error(refused)) == answer
    assert ("Allow" in refused.headers) is answer.startswith("405")
    assert (table.seq, table.events) == (seq, BEFORE[before])


def test_a_new_table_is_told_to_its_opener_alone(caller: Caller) -> None:
    """Its address is in the header, and nobody on the way keeps its pen."""
    answer = caller.call("POST", "/api/tables", {"players": PLAYERS})
    assert answer.headers["Location"] == f"/api/tables/{answer.get_json()['table']}"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("call", WRITES)
def test_nobody_writes_without_the_pen(caller: Caller, call: str) -> None:
    """Any other text is none, which is said before the rest is looked at; an id before that."""
    table, body = caller.open(OFF), json.dumps(WRITES[call]).encode()
    for pen in ("", "x", "å", "A" * 5000, table.link, None):
        answer = send(table, f"{call}?history=x", body, pen=pen)
        assert error(answer) == (401, "no_pen")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    elsewhere = Table(caller, "x" * 22, table.pen)
    assert error(send(elsewhere, call, body)) == (404, "not_found")
    assert error(send(table, f"{call}?history=½", body)) == (400, "bad_request")
    assert table.seq == 2
    headers = {"Authorization": f"bEARER {table.pen}"}
    assert table.write("POST", "/games", pen=None, headers=headers).status_code == 201


@pytest.mark.parametrize("what", REQUESTS["unreadable"])
def test_a_body_that_cannot_be_read_is_refused(table: Table, what: str) -> None:
    """The sentence quotes no more of it than fits, and nothing has changed."""
    table.record(NOBODY)
    for call in WRITES:
        answer = send(table, call, read(REQUESTS["unreadable"][what]))
        assert error(answer) == (400, "bad_request")
        assert len(answer.get_json()["error"]["message"]) < 300
    assert table.seq == 2


@pytest.mark.parametrize("kind", ["text/plain", "", "x", "multipart/form-data"])
def test_a_body_is_taken_under_any_type(table: Table, kind: str) -> None:
    """One that is too large is refused as any program's is."""
    taken = send(table, "POST /events", b'{"event":"no_best_hand"}', content_type=kind)
    assert taken.status_code == 201
    assert error(send(table, "POST /events", b" " * 65_537)) == (413, "too_large")


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), call=st.sampled_from([*REQUESTS["bodies"]]))
def test_whatever_is_sent_is_answered_as_described(
    table: Table, data: st.DataObject, call: str
) -> None:
    """No body with any value in any place gets an answer that openapi.json does not have."""
    body = deepcopy(REQUESTS["bodies"][call])
    put(body, data.draw(st.sampled_from(places(body))), data.draw(ANYTHING))
    assert send(table, call, json.dumps(body).encode()).status_code < 500


@pytest.mark.parametrize("path", ["/api/tables", "/offline/replicas"])
def test_only_what_went_wrong_here_is_called_that(app: Flask, path: str) -> None:
    """Whatever else a request is refused for has a code and a sentence that say so."""
    for status, kind in default_exceptions.items():
        with app.test_request_context(path):
            answer = app.make_response(app.handle_user_exception(kind()))
        told = answer.get_json()["error"]
        of_server = status >= 500 and status != 503
        assert (told["code"] == "internal") == of_server, status
        assert ("went wrong" in told["message"]) == of_server, status


@pytest.mark.parametrize("query", ["", "?history=0"])
def test_what_is_unchanged_is_not_sent_again(table: Table, query: str) -> None:
    """Each variant has an ETag of its own, compressed or not; no cache keeps it."""
    plain = table.read(query)
    assert ("history" in plain.get_json()["result"]) is (not query)
    assert plain.headers["Cache-Control"] == "no-store"
    known = {"If-None-Match": f'"x", {plain.headers["ETag"]}'}
    for encoding in ("gzip", "br", "zstd", "identity"):
        headers = {"Accept-Encoding": encoding, **known}
        same = table.caller.client.get(table.path + query, headers=headers)
        assert (same.status_code, same.data) == (304, b"")
    assert table.read("" if query else "?history=0", headers=known).status_code == 200
    with table.read(f"/live{query}") as answer:
        message = next(part for part in answer.iter_encoded() if b"data:" in part)
    assert (b'"history"' in message) is (not query)
    head = table.caller.call("HEAD", table.path + query)
    assert (head.data, head.headers["ETag"]) == (b"", plain.headers["ETag"])
    table.record(NOBODY)
    assert table.read(query, headers=known).status_code == 200


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
