"""Following along: the order of the players, the reader's own card, and the stream."""

from __future__ import annotations

import pytest
from flask import Flask

from app.services.commit import commit
from app.services.people import Merge
from tests.api.calling import Stream
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, pen_of, record, store_of
from tests.web.pages import Page, words
from tests.web.phone import HTMX, Phone


def own(page: Page) -> str:
    """Return the text of a reader's own card, or nothing without a card."""
    return " ".join(map(words, page.soup.select(".own")))


def names(page: Page, selector: str = ".head .name") -> list[str]:
    """Return the players in the order of the page."""
    return [words(tag) for tag in page.soup.select(selector)]


@pytest.fixture
def as_bo(reader: Phone) -> Phone:
    """Return a reader's phone that has chosen to be Bo."""
    reader.open(reader.page.link("I am Bo").href)
    return reader


def test_what_is_remembered_is_of_that_table_alone(
    as_bo: Phone, seat: Seat, new_phone: NewPhone
) -> None:
    """At another table with the same people the phone is asked again."""
    elsewhere = seat(new_phone())
    assert own(as_bo.open(elsewhere.table)) == ""
    assert as_bo.page.has("I am Bo")


def test_somebody_else_or_nobody(as_bo: Phone) -> None:
    """A reader can choose another player, or only to watch."""
    table = as_bo.table
    assert not as_bo.page.has("I am Anna")
    as_bo.open(as_bo.page.link("I am somebody else").href)
    assert own(as_bo.page) == ""
    as_bo.open(as_bo.page.link("Just watching").href)
    page = as_bo.open(table)
    assert own(page) == ""
    assert not page.has("I am Bo")
    page = as_bo.open(page.link("Who are you?").href)
    assert "Anna" in own(as_bo.open(page.link("I am Anna").href))


def test_bo_stays_bo_whoever_joins_or_plays_the_next_game(
    app: Flask, keeper: Phone, as_bo: Phone
) -> None:
    """After a new seat, a game without Bo and one with Bo, nobody else is taken for Bo."""
    record(app, keeper, "Eva joins Anna 0")
    assert names(as_bo.open(keeper.table)) == ["Anna", "Eva", "Bo", "Cilla", "Dan"]
    assert own(as_bo.page).startswith("Bo")
    record(app, keeper, "settled")
    next_game(app, keeper, "settled", players=["Anna", "Cilla"])
    assert own(as_bo.open(keeper.table)) == ""
    assert "You do not play in this game." in as_bo.page.text
    next_game(app, keeper, players=["Cilla", "Bo"])
    assert own(as_bo.open(keeper.table)).startswith("Bo")


def test_another_name_of_bos_is_bo_too(app: Flask, keeper: Phone, as_bo: Phone) -> None:
    """The name Bosse in the next game, merged with Bo, is Bo's."""
    record(app, keeper, "settled")
    next_game(app, keeper, players=["Anna", "Bosse"])
    commit(store_of(app), pen_of(keeper), Merge("Bo", "Bosse"))
    assert own(as_bo.open(keeper.table)).startswith("Bosse")


@pytest.mark.parametrize("code", ["12345678", "1" * 99, "\0"])
def test_a_code_of_nobody_shows_nobody(reader: Phone, code: str) -> None:
    """With an unknown code the page is shown without an own card."""
    answer = reader.client.get(reader.table, query_string={"me": code}, headers=reader.headers)
    assert answer.status_code == 200
    assert own(Page(answer.text)) == ""


def test_by_standing_a_winner_is_before_who_has_more(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """At the end of the game the winner comes first."""
    seat(phone, "Anna 80", rules={"preset": "pagat"})
    phone.follow("Four of a kind or better …")
    phone.press("Bo: Royal flush (52)")
    reader = new_phone()
    reader.open(f"{phone.table}?order=standing")
    winner = [words(tag) for tag in reader.page.soup.select(".head.winner .name")]
    assert names(reader.page)[: len(winner)] == winner


def test_the_keepers_page_is_nobodys(keeper: Phone) -> None:
    """The keeper has the grid, and is not asked to choose a player."""
    for headers in ({}, HTMX):
        answer = keeper.client.get(
            keeper.table,
            query_string={"me": "12345678", "order": "standing"},
            headers=keeper.headers | headers,
        )
        assert "?me=" not in answer.text
        assert "follow" not in answer.text
        assert not any(cookie.startswith("me=") for cookie in answer.headers.getlist("Set-Cookie"))


def test_a_readers_stream_sends_what_the_page_has_not_brought(
    app: Flask, keeper: Phone, as_bo: Phone
) -> None:
    """Of the version on the page only its number; of a page from before, and of a change, all."""
    seq = as_bo.page.elements("[data-seq]")[0]["data-seq"]
    path = f"{keeper.table}/live?order=standing&seen="
    late, stream = (Stream(as_bo.client, f"{path}{seen}") for seen in (0, seq))
    assert stream.next() == f"event: table\nid: {seq}\ndata: \n\n".encode()
    assert b'class="heads' in late.next()
    record(app, keeper, "nobody")
    assert b'class="heads' in stream.next()
    for each in (late, stream):
        each.close()
