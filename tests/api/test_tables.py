"""Opening a table over HTTP, and reading it."""

import json
import re

import pytest

from tests.api.calling import NOBODY, PLAYERS, Caller, Table, best_hand, error


def test_opening_a_table_answers_with_its_id_its_page_and_the_pen(caller: Caller) -> None:
    """The answer is 201 with Location; the first game has begun."""
    answer = caller.call("POST", "/api/tables", {"players": PLAYERS})
    reply = answer.get_json()
    assert answer.status_code == 201
    assert list(reply) == ["table", "url", "pen"]
    assert reply["url"] == f"/t/{reply['table']}"
    assert answer.headers["Location"] == f"/api/tables/{reply['table']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert caller.call("GET", answer.headers["Location"]).get_json()["games"] == 1
    assert caller.client.get(reply["url"]).status_code == 200


def test_ids_and_pens_cannot_be_guessed(caller: Caller) -> None:
    """Every table has an id of 128 random bits and a pen of 256, all different."""
    tables = [caller.open() for _ in range(20)]
    assert all(re.fullmatch(r"[\w-]{22}", table.link) for table in tables)
    assert all(re.fullmatch(r"[\w-]{43}", table.pen) for table in tables)
    assert len({table.link for table in tables} | {table.pen for table in tables}) == 40


def test_a_table_is_set_up_as_a_game_file_sets_up_a_game(caller: Caller) -> None:
    """Name, seats, dealer, stake and rules are as sent, with trimmed names."""
    table = caller.open(
        name=" Friday ",
        players=["Anna ", " Bo"],
        dealer="Anna",
        stake_ore=50,
        rules={"preset": "pagat", "exchange_stop": 42, "hand_points": {"straight_flush": 10}},
    )
    assert table.now["name"] == "Friday"
    game = table.read("/games/1").get_json()
    assert game["players"] == ["Anna", "Bo"]
    assert (game["dealer"], game["stake_ore"]) == ("Anna", 50)
    rules = {"preset": "pagat", "hand_points": {"straight_flush": 10}, "exchange_stop": 42}
    assert game["rules"] == rules


def test_what_is_left_out_is_as_in_a_game_file(caller: Caller) -> None:
    """The last player deals, for 100 öre a point, by the main rules, at a nameless table."""
    table = caller.open()
    game = table.read("/games/1").get_json()
    assert (game["dealer"], game["stake_ore"]) == ("Dan", 100)
    assert game["rules"] == {"preset": "huvudregler"}
    assert table.now["name"] == ""
    assert caller.open(name=" ").now["name"] == ""


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        {"players": ["Anna", "Anna"]},
        {"players": ["Anna", "B\u0000"]},
        {"players": {"Anna": 1}},
        {"players": PLAYERS, "dealer": "Eva"},
        {"players": PLAYERS, "stake_ore": 10**400},
        {"players": PLAYERS, "rules": {"jokers": 2}},
        {"players": PLAYERS, "name": 7},
        {"players": PLAYERS, "name": "x" * 41},
        {"players": PLAYERS, "events": []},
        {"players": PLAYERS, "format": "chicago-game/1"},
    ],
)
def test_a_setup_that_is_none_is_refused(caller: Caller, body: object) -> None:
    """Faults that show without play are answered with 400 and one sentence."""
    answer = caller.call("POST", "/api/tables", data=json.dumps(body).encode())
    assert error(answer) == (400, "bad_request")


def test_reading_tells_where_the_newest_game_stands(table: Table) -> None:
    """The answer has the table, its name, the number of games, its version and the result."""
    before = table.now
    assert list(before) == ["table", "name", "games", "seq", "result"]
    assert before["table"] == table.link
    reply = table.record(best_hand("Bo")).get_json()
    after = table.now
    assert (after["seq"], after["result"]) == (reply["seq"], reply["result"])
    assert after["result"]["scores"]["Bo"] == 1


def test_what_is_unchanged_is_not_sent_again(table: Table) -> None:
    """The answer is 304 for an ETag that still holds, and 200 after a change of the table."""
    etag = table.read().headers["ETag"]
    same = table.read(headers={"If-None-Match": etag})
    assert (same.status_code, same.data) == (304, b"")
    assert same.headers["ETag"] == etag
    assert table.read(headers={"If-None-Match": f'"x", {etag}'}).status_code == 304
    table.record(NOBODY)
    newer = table.read(headers={"If-None-Match": etag})
    assert newer.status_code == 200
    assert newer.headers["ETag"] != etag


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate"])
def test_it_stays_unchanged_when_it_is_sent_compressed(table: Table, encoding: str) -> None:
    """The ETag of a compressed answer holds as well as that of a plain one."""
    headers = {"Accept-Encoding": encoding}
    packed = table.caller.client.get(table.path, headers=headers)
    assert packed.headers["Content-Encoding"] == encoding
    headers["If-None-Match"] = packed.headers["ETag"]
    assert table.caller.client.get(table.path, headers=headers).status_code == 304


def test_answers_are_kept_by_nobody_on_the_way(table: Table) -> None:
    """A table's address is a secret, so that its content is private."""
    assert "private" in table.read().headers["Cache-Control"]


@pytest.mark.parametrize("path", ["", "/games/1", "/settlement", "/live"])
@pytest.mark.parametrize("link", ["A" * 22, "..", "%00", "å"])
def test_an_unknown_table_is_not_found(caller: Caller, link: str, path: str) -> None:
    """The answer is 404 as JSON, for every address below the table."""
    assert error(caller.call("GET", f"/api/tables/{link}{path}")) == (404, "not_found")


@pytest.mark.parametrize("path", ["/api/", "/api/x", "/api/tables/", "/api/tables/x/y/z"])
def test_an_address_that_is_none_is_told_as_json(caller: Caller, path: str) -> None:
    """Programs get no HTML pages."""
    assert error(caller.call("GET", path)) == (404, "not_found")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
def test_another_method_is_told_which_there_are(caller: Caller, method: str) -> None:
    """The answer is 405 as JSON, with Allow."""
    answer = caller.call(method, "/api/tables")
    assert error(answer) == (405, "bad_request")
    assert "POST" in answer.headers["Allow"]


def test_head_and_options_say_nothing_and_change_nothing(table: Table) -> None:
    """HEAD has the headers of GET; OPTIONS lists the methods."""
    head = table.caller.call("HEAD", table.path)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == table.read().headers["ETag"]
    options = table.caller.call("OPTIONS", f"{table.path}/events")
    assert options.status_code == 200
    assert "POST" in options.headers["Allow"]
    assert table.seq == 1
