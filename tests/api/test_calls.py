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

from tests.api.calling import NOBODY, PLAYERS, Caller, Event, Table, code, fill
from tests.api.describing import DOCUMENT
from tests.api.network import REQUESTS, read
from tests.spoiling import ANYTHING, places, put
from tests.told import told

COOKIE = DOCUMENT["components"]["securitySchemes"]["cookie"]["name"]


def send(table: Table, call: str, body: object, **headers: str) -> TestResponse:
    """Send a call, its address being below the table or the whole, with the pen unless told."""
    method, path = call.split(" ")
    path = path if path.startswith("/api") else table.path + path
    text = body if isinstance(body, str) else json.dumps(body) if body is not None else ""
    headers = headers or {"Authorization": f"Bearer {table.pen}"}
    written = {name: read(value).decode("latin-1") for name, value in headers.items()}
    return table.caller.call(method, path, data=read(text), headers=written)


@told
def test_a_call_is_answered(
    caller: Caller, before: str, call: str, body: object, headers: Event, status: int, why: str
) -> None:
    """What is refused has a code and one sentence, and changes nothing."""
    table, other = (caller.open(*REQUESTS["before"][before]) for _ in range(2))
    known = fill(headers, COOKIE=COOKIE, PEN=table.pen, LINK=table.link, OTHER=other.pen)
    was = table.now
    answer = send(table, call, body, **known)
    assert (answer.status_code, code(answer)) == (status, why)
    assert (table.now != was) is (status == 201)
    assert ("Allow" in answer.headers) is (status == 405)
    assert answer.headers.get("WWW-Authenticate") == ("Bearer" if status == 401 else None)
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"
    assert status == 201 or len(answer.get_json()["error"]["message"]) < 300


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), call=st.sampled_from([*REQUESTS["bodies"]]))
def test_whatever_is_sent_is_answered_as_described(
    table: Table, data: st.DataObject, call: str
) -> None:
    """No body with any value in any place gets an answer that openapi.json does not have."""
    body = deepcopy(REQUESTS["bodies"][call])
    put(body, data.draw(st.sampled_from(places(body))), data.draw(ANYTHING))
    assert send(table, call, body).status_code < 500


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
    """Each variant has an ETag of its own, compressed or not."""
    plain = table.read(query)
    assert ("history" in plain.get_json()["result"]) is (not query)
    known = {"If-None-Match": f'"x", {plain.headers["ETag"]}'}
    for encoding in ("gzip", "br", "zstd", "identity"):
        assert table.read(query, headers={"Accept-Encoding": encoding, **known}).status_code == 304
    assert table.read("" if query else "?history=0", headers=known).status_code == 200
    with table.read(f"/live{query}") as answer:
        message = next(part for part in answer.iter_encoded() if b"data:" in part)
    assert (b'"history"' in message) is (not query)
    head = table.caller.call("HEAD", table.path + query)
    assert (head.data, head.headers["ETag"]) == (b"", plain.headers["ETag"])
    table.record(NOBODY)
    assert table.read(query, headers=known).status_code == 200


@told
def test_a_key_serves_for_one_write_and_gets_its_first_answer_again(
    table: Table, calls: list[tuple[str, object, str, object]]
) -> None:
    """It is the same to the byte at any later version; a refusal does not use the key up."""
    first = dict[str, TestResponse]()
    for call, body, key, expected in calls:
        assert code(send(table, call, body, **{"Idempotency-Key": key})) == "no_pen"
        pen = {"Authorization": f"Bearer {table.pen}", "Idempotency-Key": key}
        answer = send(table, call, body, **pen)
        assert (code(answer) or answer.get_json()["seq"]) == expected
        if not code(answer):
            again = first.setdefault(key, answer)
            assert (answer.status, answer.data) == (again.status, again.data)
    assert table.now["seq"] == 7


@pytest.mark.parametrize("header", ["User-Agent", "Accept", "Accept-Language", "Authorization"])
def test_a_stranger_behind_the_same_address_opens_a_table_of_their_own(
    table: Table, header: str
) -> None:
    """The same key and body from another program gives another link and another pen."""
    key, sent = {"Idempotency-Key": header}, {"players": PLAYERS}
    mine, theirs, again = (
        send(table, "POST /api/tables", sent, **key, **head)
        for head in ({}, {header: "Bearer x"}, {})
    )
    assert {*mine.get_json().values()}.isdisjoint(theirs.get_json().values())
    assert again.data == mine.data
