"""Recording, undoing and replacing events over HTTP."""

import pytest

from tests.api.calling import (
    NOBODY,
    OFF,
    Caller,
    Event,
    Table,
    best_hand,
    correction,
    error,
    last_trick,
)

BID: Event = {"event": "chicago", "player": "Bo"}


def test_a_recorded_event_is_answered_with_the_new_version(table: Table) -> None:
    """The answer is 201 with `seq` and the result, and the event is in the game."""
    answer = table.record(best_hand("Anna", "two_pairs"))
    reply = answer.get_json()
    assert answer.status_code == 201
    assert list(reply) == ["seq", "result"]
    assert reply["seq"] == 2
    assert reply["result"]["scores"] == {"Anna": 2, "Bo": 0, "Cilla": 0, "Dan": 0}
    assert table.events == [best_hand("Anna", "two_pairs")]


def test_remarks_are_kept_with_the_event(table: Table) -> None:
    """Remarks, which score nothing, come back with the game."""
    event = {**NOBODY, "id": 7, "name": "x", "note": {"by": ["Åsa", None]}}
    table.record(event)
    assert table.events == [event]


def test_an_event_the_rules_forbid_is_refused(table: Table) -> None:
    """The answer is 422 with a sentence that a player understands, and nothing has changed."""
    answer = table.record(BID)
    assert error(answer) == (422, "not_allowed")
    assert answer.get_json()["error"].keys() == {"code", "message"}
    assert table.record(last_trick("Bo")).status_code == 422
    assert (table.seq, table.events) == (1, [])


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"event": None},
        {"event": "party"},
        {"event": "best_hand", "player": "Eva", "hand": "pair"},
        {"event": "no_best_hand", "card": "Ah"},
        {"event": "correction", "player": "Anna", "points": 10**1000},
        {**NOBODY, "seq": "1"},
        {**NOBODY, "seq": True},
        {**NOBODY, "seq": 1.0},
    ],
)
def test_an_event_that_is_none_is_refused(table: Table, event: Event) -> None:
    """The answer is 400, for a new event and for a replacement, and nothing has changed."""
    table.record(NOBODY)
    assert error(table.record(event)) == (400, "bad_request")
    assert error(table.write("PUT", "/events/0", event)) == (400, "bad_request")
    assert (table.seq, table.events) == (2, [NOBODY])


def test_an_event_from_an_old_table_is_refused(table: Table) -> None:
    """With `seq` an event is recorded once; a second write on that version is answered with 409."""
    seq = table.seq
    assert table.record({**NOBODY, "seq": seq}).status_code == 201
    for stale in (seq, seq - 1, seq + 2, -1, 10**30):
        assert error(table.record({**NOBODY, "seq": stale})) == (409, "stale")
    assert table.events == [NOBODY]
    assert table.record({**NOBODY, "seq": seq + 1}).status_code == 201


def test_undoing_takes_the_newest_event_back(table: Table) -> None:
    """The answer is 200 with the state before it; the version still grows."""
    table.record(best_hand("Anna"))
    before = table.now["result"]
    table.record(NOBODY)
    answer = table.write("DELETE", "/events/last")
    assert answer.status_code == 200
    assert answer.get_json() == {"seq": 4, "result": before}
    assert table.events == [best_hand("Anna")]


def test_an_undo_that_has_nothing_to_undo_is_refused(table: Table) -> None:
    """The answer is 422 in a new game, though an earlier one has events."""
    assert error(table.write("DELETE", "/events/last")) == (422, "not_allowed")
    table.record(OFF)
    table.write("POST", "/games")
    assert error(table.write("DELETE", "/events/last")) == (422, "not_allowed")
    assert table.seq == 3


def test_replacing_an_event_works_the_rest_out_again(table: Table) -> None:
    """The answer is 200 with the new result of the game; the other events keep their places."""
    for event in (best_hand("Anna"), best_hand("Bo", "two_pairs"), last_trick("Dan")):
        assert table.record(event).status_code == 201
    answer = table.write("PUT", "/events/0", best_hand("Cilla", "three_of_a_kind"))
    assert answer.status_code == 200
    assert answer.get_json()["seq"] == 5
    assert answer.get_json()["result"]["scores"] == {"Anna": 0, "Bo": 2, "Cilla": 3, "Dan": 5}
    expected = [best_hand("Cilla", "three_of_a_kind"), best_hand("Bo", "two_pairs")]
    assert table.events == [*expected, last_trick("Dan")]
    assert len(answer.get_json()["result"]["history"]) == 3


def test_a_replacement_that_a_later_event_does_not_bear_is_refused(table: Table) -> None:
    """The answer is 422 with the first later event that no longer holds; nothing has changed."""
    events = [correction(20, "Bo"), NOBODY, NOBODY, BID]
    for event in events:
        assert table.record(event).status_code == 201
    answer = table.write("PUT", "/events/0", correction(2, "Bo"))
    assert error(answer) == (422, "not_allowed")
    assert answer.get_json()["error"]["event"] == 3
    assert answer.get_json()["error"]["message"].startswith("Event 3: Bo may not bid Chicago")
    assert (table.seq, table.events) == (5, events)


@pytest.mark.parametrize("index", ["1", "99999999999999999999", "-1", "x"])
def test_what_is_not_there_cannot_be_replaced(table: Table, index: str) -> None:
    """An index past the end or an invalid one is answered with 404; undone events do not count."""
    table.record(NOBODY)
    table.record(NOBODY)
    table.write("DELETE", "/events/last")
    answer = table.write("PUT", f"/events/{index}", NOBODY)
    assert error(answer) == (404, "not_found")


def test_a_replacement_from_an_old_table_is_refused(table: Table) -> None:
    """`seq` guards a replacement in the same way as an event."""
    table.record(NOBODY)
    answer = table.write("PUT", "/events/0", {**best_hand("Bo"), "seq": 1})
    assert error(answer) == (409, "stale")
    assert table.write("PUT", "/events/0", {**best_hand("Bo"), "seq": 2}).status_code == 200


def test_only_the_newest_game_is_written(table: Table) -> None:
    """Replacements and undo do not reach a game with a later one."""
    table.record(OFF)
    table.write("POST", "/games")
    assert error(table.write("PUT", "/events/0", NOBODY)) == (404, "not_found")
    table.record(NOBODY)
    assert table.read("/games/1").get_json()["events"][0]["event"] == "break_off"


WRITES = [
    ("POST", "/events", NOBODY),
    ("DELETE", "/events/last", None),
    ("PUT", "/events/0", NOBODY),
    ("POST", "/games", None),
]


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
@pytest.mark.parametrize("pen", ["", "x", "\u00e5", "A" * 5000, "the link"])
def test_nobody_writes_without_the_pen(
    caller: Caller, method: str, path: str, body: object, pen: str
) -> None:
    """The answer is 401 for any text in the pen's place."""
    table = caller.open(OFF)
    tried = table.link if pen == "the link" else pen
    answer = caller.call(method, table.path + path, body, pen=tried)
    assert error(answer) == (401, "no_pen")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert error(caller.call(method, table.path + path, body)) == (401, "no_pen")
    assert table.seq == 2


@pytest.mark.parametrize(("method", "path", "body"), WRITES)
def test_nobody_writes_at_a_table_that_is_none(
    table: Table, method: str, path: str, body: object
) -> None:
    """The answer is 404 before any other check."""
    answer = table.caller.call(method, f"/api/tables/{'x' * 22}{path}", body, pen=table.pen)
    assert error(answer) == (404, "not_found")


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "BEARER"])
def test_the_word_bearer_is_written_any_way(table: Table, kind: str) -> None:
    """The scheme of Authorization is case-insensitive."""
    headers = {"Authorization": f"{kind} {table.pen}"}
    assert table.record(NOBODY, pen=None, headers=headers).status_code == 201
