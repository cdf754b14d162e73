"""Malformed requests: JSON with the reason, and never a stack trace."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.calling import NOBODY, PLAYERS, Caller, Table, error

LARGEST = 64 * 1024
# The table is the same in every example.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
CALLS = [
    ("POST", "/events"),
    ("PUT", "/events/0"),
    ("POST", "/games"),
    ("DELETE", "/events/last"),
]

NO_OBJECT: dict[str, bytes] = {
    "no utf-8": b'{"event": "no_best_hand\xff"}',
    "byte order mark": b'\xef\xbb\xbf{"event": "no_best_hand"}',
    "half": b'{"event": "no_best_hand"',
    "more": b'{"event": "no_best_hand"} {}',
    "form": b"event=no_best_hand",
    "blank": b" \n",
    "null": b"null",
    "huge number": b"9" * 60_000,
    "infinity": b'{"event": Infinity}',
    "list": b"[]",
    "deep lists": b"[" * 60_000,
    "deep value": b'{"event": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "lone surrogate": b'{"event": "\\ud800"}',
    "exponent": b'{"event": 1e999}',
}


@pytest.mark.parametrize("body", NO_OBJECT.values(), ids=NO_OBJECT)
def test_a_body_that_is_no_json_object_is_refused(table: Table, body: bytes) -> None:
    """The answer is 400 with one sentence; nothing has changed."""
    table.record(NOBODY)
    for method, path in CALLS:
        assert error(table.write(method, path, data=body)) == (400, "bad_request")
    assert table.seq == 2


ODD: list[object] = [
    {"event": "correction", "player": "Anna", "points": 10**4000},
    {"event": "correction", "player": ["Anna"] * 1000, "points": 1},
    {"event": "correction", "player": "A" * 60_000, "points": 1},
    {"\ufffe" * 100: 1},
    {"event": {"event": {"event": "no_best_hand"}}},
    {"event": "no_best_hand", "%(key)s": "%s", "{}": "%"},
]


@pytest.mark.parametrize("body", ODD)
def test_an_odd_body_is_refused_with_a_sentence(table: Table, body: object) -> None:
    """The sentence quotes values, cut to a readable length."""
    table.record(NOBODY)
    for method, path in CALLS:
        answer = table.write(method, path, body)
        assert error(answer) == (400, "bad_request")
        assert len(answer.get_json()["error"]["message"]) < 300


def test_the_type_that_a_body_claims_to_have_does_not_matter(table: Table) -> None:
    """A body is read as JSON under any content type."""
    body = json.dumps(NOBODY).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "x", "multipart/form-data"):
        assert table.write("POST", "/events", data=body, content_type=kind).status_code == 201
        table.write("DELETE", "/events/last")


def padded(size: int) -> bytes:
    """Return an event of that many bytes, most of them blanks."""
    return json.dumps(NOBODY).encode().ljust(size)


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_body_that_is_too_large_is_refused(table: Table, method: str, path: str) -> None:
    """The answer is 413 for more than 64 KiB."""
    answer = table.write(method, path, data=padded(LARGEST + 1))
    assert error(answer) == (413, "too_large")


def test_a_body_as_large_as_may_be_is_taken(table: Table) -> None:
    """64 KiB are accepted, and a new table has the same limit."""
    assert table.write("POST", "/events", data=padded(LARGEST)).status_code == 201
    opening = json.dumps({"players": PLAYERS}).encode().ljust(LARGEST)
    assert table.caller.call("POST", "/api/tables", data=opening).status_code == 201
    assert table.caller.call("POST", "/api/tables", data=opening + b" ").status_code == 413


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from([*PLAYERS, "pair", "best_hand", "correction", "chicago", "no_best_hand"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=8)
            | st.sampled_from(["event", "player", "hand", "tied", "points", "seq", "players"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=20, suppress_health_check=SHARED)
@given(body=anything, call=st.sampled_from([("POST", "/api/tables"), *CALLS]))
def test_whatever_is_sent_is_answered_as_described(
    caller: Caller, body: object, call: tuple[str, str]
) -> None:
    """No body of any shape gets an answer that openapi.json does not have."""
    method, path = call
    table = caller.open()
    path = path if path.startswith("/api") else table.path + path
    answer = caller.call(method, path, data=json.dumps(body).encode(), pen=table.pen)
    assert answer.status_code < 500
