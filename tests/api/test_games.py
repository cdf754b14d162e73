"""Game after game at one table, and the settlement of an evening, over HTTP."""

import pytest

from app.rules.gamefile import read_game, write_result
from app.rules.json_input import decode
from tests.api.calling import (
    NOBODY,
    OFF,
    Caller,
    Table,
    best_hand,
    correction,
    error,
    last_trick,
)


def test_the_next_game_has_the_same_seats_and_rules_and_the_next_dealer(caller: Caller) -> None:
    """The answer is 201 with the new game's state; the player after the last dealer deals."""
    table = caller.open(
        correction(7), OFF, dealer="Bo", stake_ore=20, rules={"preset": "pagat", "target": 40}
    )
    answer = table.write("POST", "/games")
    assert answer.status_code == 201
    assert answer.get_json()["seq"] == 4
    result = answer.get_json()["result"]
    assert (result["status"], result["deal"], result["dealer"]) == ("playing", 1, "Cilla")
    assert set(result["scores"].values()) == {0}
    assert table.now["games"] == 2
    one, two = (table.read(f"/games/{n}").get_json() for n in (1, 2))
    assert all(one[key] == two[key] for key in ("players", "stake_ore", "rules"))


def test_the_next_game_takes_what_is_told(table: Table) -> None:
    """The request may name players, dealer, stake and rules anew."""
    table.record(OFF)
    body = {"players": ["Eva", "Bo"], "dealer": "Eva", "stake_ore": 0, "rules": {"target": 30}}
    assert table.write("POST", "/games", body).status_code == 201
    game = table.read("/games/2").get_json()
    assert {key: game[key] for key in ("players", "dealer", "stake_ore")} == {
        key: body[key] for key in ("players", "dealer", "stake_ore")
    }
    assert game["rules"] == {"preset": "huvudregler", "target": 30}


@pytest.mark.parametrize(
    ("players", "dealer"),
    [
        (["Bo", "Anna", "Eva"], "Anna"),
        (["Eva", "Cilla", "Bo"], "Bo"),
        (["Eva", "Fia"], "Fia"),
    ],
)
def test_the_deal_moves_on_to_whoever_still_sits_there(
    table: Table, players: list[str], dealer: str
) -> None:
    """The next of the old seats who stays deals; if all are new, the last in the list."""
    table.record(OFF)
    answer = table.write("POST", "/games", {"players": players})
    assert answer.get_json()["result"]["dealer"] == dealer


def test_no_game_begins_while_one_is_played(table: Table) -> None:
    """The answer is 422 until the game has ended or is broken off."""
    assert error(table.write("POST", "/games")) == (422, "not_allowed")
    table.record(OFF)
    assert table.write("POST", "/games").status_code == 201
    assert error(table.write("POST", "/games")) == (422, "not_allowed")
    assert table.now["games"] == 2


@pytest.mark.parametrize(
    "body",
    [
        {"players": ["Anna"]},
        {"dealer": "Eva"},
        {"rules": []},
        {"name": "x"},
        {"seq": 1},
        [],
        0,
    ],
)
def test_a_next_game_that_is_none_is_refused(caller: Caller, body: object) -> None:
    """The answer is 400, and no game has begun."""
    table = caller.open(OFF)
    assert error(table.write("POST", "/games", body)) == (400, "bad_request")
    assert table.now["games"] == 1


def test_a_game_is_read_as_it_stands(table: Table) -> None:
    """The answer is a game file with the same score, without undone and replaced events."""
    for event in (best_hand("Anna"), NOBODY, last_trick("Bo")):
        table.record(event)
    table.write("DELETE", "/events/last")
    table.write("PUT", "/events/1", best_hand("Dan", "flush"))
    table.record(last_trick("Cilla"))
    file = table.read("/games/1")
    assert file.get_json()["format"] == "chicago-game/1"
    assert write_result(read_game(decode(file.data)).states()) == table.now["result"]
    expected = [best_hand("Anna"), best_hand("Dan", "flush"), last_trick("Cilla")]
    assert table.events == expected


def test_games_are_numbered_from_one(caller: Caller) -> None:
    """Each game keeps its number; other numbers are not found."""
    table = caller.open(correction(5), OFF)
    table.write("POST", "/games")
    table.record(correction(-3))
    assert [len(table.read(f"/games/{n}").get_json()["events"]) for n in (1, 2)] == [2, 1]
    for number in ("0", "3", "-1", "x", "1" + "0" * 30):
        assert error(table.read(f"/games/{number}")) == (404, "not_found")


def test_the_settlement_adds_up_the_ended_games(caller: Caller) -> None:
    """Balances and the fewest payments; the game being played does not count."""
    table = caller.open(correction(10), correction(4, "Bo"), OFF)
    table.write("POST", "/games")
    table.record(correction(8, "Bo"))
    after_one = {"Anna": 2600, "Bo": -600, "Cilla": -1000, "Dan": -1000}
    assert table.read("/settlement").get_json()["balance_ore"] == after_one
    table.record(OFF)
    reply = table.read("/settlement").get_json()
    assert reply["format"] == "chicago-settlement/1"
    assert reply["balance_ore"] == {"Anna": 1800, "Bo": 1800, "Cilla": -1800, "Dan": -1800}
    assert len(reply["transfers"]) == 2
