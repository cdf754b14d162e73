"""`?history=0`: a result without its history, for programs that know the earlier events."""

from __future__ import annotations

import pytest

from tests.api.calling import NOBODY, Event, Table, correction, error

# The writes answered with a result; one event is recorded first, so that each has an effect.
WRITES: list[tuple[str, str, Event | None]] = [
    ("POST", "/events", NOBODY),
    ("PUT", "/events/0", correction(2)),
    ("DELETE", "/events/last", None),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_a_change_is_answered_without_history_where_none_is_wanted(
    table: Table, method: str, path: str, body: Event | None
) -> None:
    """All the rest is there, and the same as in a read of the table."""
    table.record(correction(1))
    result = table.write(method, f"{path}?history=0", body).get_json()["result"]
    whole = table.now["result"]
    assert len(whole.pop("history")) == len(table.events)
    assert result == whole


def test_a_table_is_read_with_or_without_history(table: Table) -> None:
    """The history is there by default; each of the two answers has its own ETag."""
    table.record(NOBODY)
    whole, asked, without = (table.read(query) for query in ("", "?history=1", "?history=0"))
    assert whole.data == asked.data
    assert "history" not in without.get_json()["result"]
    assert whole.headers["ETag"] == asked.headers["ETag"] != without.headers["ETag"]
    known = {"If-None-Match": without.headers["ETag"]}
    assert table.read("?history=0", headers=known).status_code == 304
    assert table.read(headers=known).status_code == 200


def test_a_stream_is_with_or_without_history(table: Table) -> None:
    """Of two programs that watch one table, each gets its own variant."""
    table.record(NOBODY)
    for query, there in (("?history=0", False), ("", True)):
        with table.read(f"/live{query}") as answer:
            message = next(part for part in answer.iter_encoded() if b"data:" in part)
        assert (b'"history"' in message) is there


@pytest.mark.parametrize("asked", ["", "2", "no", "true", "00", "0 ", "½"])
def test_what_is_neither_0_nor_1_is_refused(table: Table, asked: str) -> None:
    """The answer is 400 with a sentence, and nothing is recorded."""
    for method, path, body in (*WRITES, ("GET", "", None), ("GET", "/live", None)):
        query = {"history": asked}
        answer = table.write(method, path, body, query_string=query)
        assert error(answer) == (400, "bad_request")
        assert answer.get_json()["error"]["message"] == f'history cannot be "{asked}".'
    assert table.seq == 1


def test_whoever_may_not_write_is_told_that_first(table: Table) -> None:
    """The answer is 401, also where the query is invalid."""
    assert error(table.write("POST", "/events?history=x", NOBODY, pen="wrong")) == (401, "no_pen")
