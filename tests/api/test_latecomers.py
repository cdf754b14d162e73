"""Somebody who joins, over HTTP: every answer is held against openapi.json."""

from __future__ import annotations

import pytest

from tests.api.calling import NOBODY, OFF, Event, Table, best_hand, correction, error

EVA: Event = {"event": "joins", "player": "Eva", "after": "Anna", "points": 3}
SEATED = ["Anna", "Eva", "Bo", "Cilla", "Dan"]


def test_a_latecomer_is_in_every_answer_from_then_on(table: Table) -> None:
    """In their seat, with their points; the game's file says who began, and who joined."""
    answer = table.record(EVA)
    result = answer.get_json()["result"]
    assert answer.status_code == 201
    assert result["scores"] == {"Anna": 0, "Eva": 3, "Bo": 0, "Cilla": 0, "Dan": 0}
    for key in ("may_exchange", "may_bid_chicago", "chicagos"):
        assert list(result[key]) == SEATED
    assert table.now["result"] == result
    assert table.events == [EVA]
    game = table.read("/games/1").get_json()
    assert game["players"] == ["Anna", "Bo", "Cilla", "Dan"]


def test_undone_they_are_gone_and_may_be_somebody_else(table: Table) -> None:
    """The newest event is taken back whatever it was."""
    table.record(EVA)
    undone = table.write("DELETE", "/events/last").get_json()
    assert list(undone["result"]["scores"]) == ["Anna", "Bo", "Cilla", "Dan"]
    again = table.record({**EVA, "player": "Ewa", "after": "Dan"}).get_json()
    assert list(again["result"]["scores"]) == ["Anna", "Bo", "Cilla", "Dan", "Ewa"]


def test_they_win_pay_and_sit_in_the_next_game(table: Table) -> None:
    """As everybody; the deal goes on through the new seat."""
    table.record({**EVA, "after": "Dan"})
    result = table.record(OFF).get_json()["result"]
    assert (result["winners"], result["payout_ore"]["Eva"]) == (["Eva"], 1200)
    settled = table.read("/settlement").get_json()
    assert settled["balance_ore"]["Eva"] == 1200
    result = table.write("POST", "/games").get_json()["result"]
    assert (list(result["scores"])[-1], result["dealer"]) == ("Eva", "Eva")


@pytest.mark.parametrize(
    "event",
    [
        {**EVA, "player": "Bo"},
        {**EVA, "player": " "},
        {**EVA, "player": "x" * 41},
        {**EVA, "after": "Eva"},
        {**EVA, "after": "Fia"},
        {**EVA, "points": 1001},
        {**EVA, "points": "3"},
        {**EVA, "seat": 3},
        {k: v for k, v in EVA.items() if k != "after"},
    ],
)
def test_what_is_no_latecomer_is_refused(table: Table, event: Event) -> None:
    """400, whether it is recorded or put in another's place; nothing has changed."""
    table.record(correction(5))
    assert error(table.record(event)) == (400, "bad_request")
    assert error(table.write("PUT", "/events/0", event)) == (400, "bad_request")
    assert (table.seq, table.events) == (2, [correction(5)])


def test_in_mid_deal_it_is_not_allowed(table: Table) -> None:
    """422, with when in words."""
    table.record(NOBODY)
    answer = table.record(EVA)
    assert error(answer) == (422, "not_allowed")
    assert "when it is over" in answer.get_json()["error"]["message"]


def test_who_is_replaced_is_missing_where_they_are_named(table: Table) -> None:
    """422 with the first later event that names them; where there is none, they are another."""
    table.record(EVA)
    table.record(correction(2, "Bo"))
    table.record(best_hand("Eva"))
    refused = table.write("PUT", "/events/0", {**EVA, "player": "Ewa"})
    assert error(refused) == (422, "not_allowed")
    assert refused.get_json()["error"]["event"] == 2
    moved = table.write("PUT", "/events/0", {**EVA, "after": "Cilla", "points": 9}).get_json()
    assert moved["result"]["scores"] == {"Anna": 0, "Bo": 2, "Cilla": 0, "Eva": 10, "Dan": 0}
    early = table.write("PUT", "/events/0", correction(1, "Eva"))
    assert error(early) == (400, "bad_request")
