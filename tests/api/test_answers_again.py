"""Answers are not kept but made again: they are the first ones, whatever has happened since."""

from __future__ import annotations

from datetime import date, timedelta

from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from app.rules.errors import NotAllowed
from app.services import erasure, play
from app.services.tables import Write
from app.store.database import Pool
from tests.api.calling import NOBODY, OFF, Caller, Table, correction, error

# What a pen may ask for; some of it is refused, depending on what came before.
ASKS = st.one_of(
    st.builds(lambda n: ("POST", "/events", correction(n)), st.integers(1, 9)),
    st.just(("POST", "/events", NOBODY)),
    st.just(("POST", "/events", {"event": "last_trick", "player": "Bo"})),
    st.just(("POST", "/events", OFF)),
    st.builds(lambda n: ("POST", "/events", {**NOBODY, "seq": n}), st.integers(1, 9)),
    st.builds(lambda n: ("PUT", f"/events/{n}", correction(10 + n)), st.integers(0, 4)),
    st.just(("POST", "/games", {"stake_ore": 7})),
    st.just(("POST", "/games", None)),
)
UNDO = ("DELETE", "/events/last", None)
# As a page does: of everything, the amendments and games of programs too.
STEPS_OF_PAGES = {"undo": play.undo, "redo": play.redo}
# Often there and back: that is what the log remembers least of.
STEPS = st.lists(
    st.one_of(ASKS, st.just(UNDO), *(st.just((step, "", None)) for step in STEPS_OF_PAGES)),
    min_size=3,
    max_size=25,
)


def told(answer: TestResponse) -> tuple[int, bytes]:
    """Return what an answer says."""
    return answer.status_code, answer.data


def step(app: Flask, table: Table, way: str) -> None:
    """Undo or redo as a page does, if there is anything."""
    pool: Pool = app.extensions["pool"]
    try:
        STEPS_OF_PAGES[way](pool, Write(table.link, table.pen))
    except NotAllowed:
        pass
    finally:
        pool.release()


@settings(max_examples=25)
@given(steps=STEPS)
def test_a_repeated_request_gets_the_first_answer(
    app: Flask, steps: list[tuple[str, str, object]]
) -> None:
    """After whatever changes, each in its turn, every answer is the same to the byte."""
    table = Caller(app.test_client()).open()
    firsts: list[tuple[int, bytes]] = []
    for number, (method, path, body) in enumerate(steps):
        if method in STEPS_OF_PAGES:
            step(app, table, method)
            firsts.append((0, b""))
        else:
            firsts.append(told(table.write(method, path, body, key=f"{number}")))
    seq, names = table.seq, [number for number, first in enumerate(firsts) if first[0]]
    for number in names:
        method, path, body = steps[number]
        again = told(table.write(method, path, body, key=f"{number}"))
        # Of a game whose start was undone nothing is left once something else is recorded.
        assert again == firsts[number] or again[0] == 404
        assert again == firsts[number] or ("undo", "", None) in steps
    assert table.seq == seq


def test_an_undo_that_was_redone_is_answered_as_it_was(app: Flask, table: Table) -> None:
    """Of undoing and redoing the log holds the last only."""
    table.record(correction(1))
    first = told(table.write("DELETE", "/events/last", key="undo"))
    step(app, table, "redo")
    table.write("DELETE", "/events/last")
    table.record(correction(2))
    assert told(table.write("DELETE", "/events/last", key="undo")) == first


def test_an_answer_of_an_amendment_that_was_undone_since_is_the_first(
    app: Flask, table: Table
) -> None:
    """Undone, redone and undone again, it is told as it was, and so is what came before."""
    one = told(table.record(correction(1), key="one"))
    two = told(table.write("PUT", "/events/0", correction(2), key="two"))
    for way in ("undo", "redo", "undo"):
        step(app, table, way)
        assert told(table.record(correction(1), key="one")) == one
        assert told(table.write("PUT", "/events/0", correction(2), key="two")) == two
    assert table.seq == 6


def test_an_answer_of_a_game_that_another_took_the_place_of_is_404(
    app: Flask, table: Table
) -> None:
    """Nothing is told of the game that has its number now."""
    table.record(OFF)
    table.write("POST", "/games", key="first")
    step(app, table, "undo")
    assert table.write("POST", "/games", key="first").status_code == 201
    table.write("POST", "/games", {"stake_ore": 7}, key="second")
    assert error(table.write("POST", "/games", key="first")) == (404, "not_found")
    assert table.write("POST", "/games", {"stake_ore": 7}, key="second").status_code == 201


def test_an_answer_shows_no_name_that_was_erased_since(app: Flask, table: Table) -> None:
    """The same standing under the new name; what was refused about the name is judged anew."""
    first = table.record(correction(5, "Bo"), key="bo").get_json()
    refused = table.record({"event": "chicago", "player": "Bo"}, key="refused")
    assert "Bo" in refused.text
    pool: Pool = app.extensions["pool"]
    erasure.erase_name(pool, Write(table.link, table.pen), "Bo", "Player")
    pool.release()
    again = table.record(correction(5, "Bo"), key="bo")
    assert "Bo" not in again.text
    assert again.get_json()["seq"] == first["seq"]
    assert again.get_json()["result"]["scores"]["Player 1"] == first["result"]["scores"]["Bo"]
    assert error(table.record({"event": "chicago", "player": "Bo"}, key="refused"))[0] == 400


def test_an_answer_of_a_game_that_was_deleted_since_is_404(app: Flask, table: Table) -> None:
    """Nothing is recorded a second time, in another game."""
    table.record(OFF, key="off")
    table.write("POST", "/games")
    pool: Pool = app.extensions["pool"]
    tomorrow = date.today() + timedelta(days=2)  # noqa: DTZ011  # any day after today's
    erasure.delete_before(pool, Write(table.link, table.pen), tomorrow)
    pool.release()
    seq = table.seq
    assert error(table.record(OFF, key="off")) == (404, "not_found")
    assert table.seq == seq


def test_a_deleted_table_takes_its_keys_along(app: Flask, caller: Caller) -> None:
    """404 from then on, and nothing of them is left."""
    table = caller.open()
    table.record({**NOBODY, "note": "x"}, key="last")
    pool: Pool = app.extensions["pool"]
    erasure.delete_table(pool, Write(table.link, table.pen))
    rows = pool.connection.execute(
        "SELECT COUNT(*) FROM idempotency_keys WHERE table_id NOT IN (SELECT id FROM tables)"
    )
    assert rows.fetchone() == (0,)
    pool.release()
    assert error(table.record({**NOBODY, "note": "x"}, key="last")) == (404, "not_found")
    assert caller.open().link != table.link
