"""Forgetting on the page: first what will go is said, then it goes."""

import pytest
from flask import Flask

from app.services import erasure_queue
from tests.web.phone import Phone

PENDING = "A last trace of what was forgotten may still be on the disk."


def test_nothing_goes_before_it_has_been_said(keeper: Phone) -> None:
    """The first press only tells what will go; the second lets it go."""
    where = f"{keeper.table}/forget"
    answer = keeper.client.post(where, data={"what": "name", "name": "Anna"}).text
    assert "Namnet Anna försvinner överallt" in answer
    assert "Anna" in keeper.client.get(keeper.table).text
    keeper.client.post(where, data={"what": "name", "name": "Anna", "sure": "yes"})
    assert "Anna" not in keeper.client.get(keeper.table).text


def test_a_deleted_table_is_not_on_the_start_page(keeper: Phone) -> None:
    """After its table is gone the phone is back at the start, which knows it no more."""
    keeper.client.post(f"{keeper.table}/forget", data={"what": "table", "sure": "yes"})
    assert keeper.client.get(keeper.table).status_code == 404
    assert keeper.table not in keeper.client.get("/").text


def test_what_is_still_to_be_done_is_said_until_it_is(
    keeper: Phone, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is called forgotten only when it is; till then the page tells what is left to be done."""
    where, pool = f"{keeper.table}/forget", app.extensions["pool"]
    monkeypatch.setattr(erasure_queue, "finish", lambda _: None)
    page = keeper.send(where, {"what": "name", "name": "Anna", "sure": "yes"})
    assert "The name is out of the table; in its place stands Player 1." in page.text
    assert PENDING in page.text
    page = keeper.open(where)
    assert PENDING in page.text
    monkeypatch.undo()
    erasure_queue.finish(pool)
    pool.release()
    assert PENDING not in keeper.open(where).text
    page = keeper.send(where, {"what": "name", "name": "Bo", "sure": "yes"})
    assert "The name is forgotten; in its place stands Player 2." in page.text
    assert PENDING not in page.text


@pytest.mark.parametrize("pending", [False, True])
def test_a_deleted_table_is_told_at_the_start(
    keeper: Phone, app: Flask, monkeypatch: pytest.MonkeyPatch, pending: bool
) -> None:
    """The start page says that it is gone, and whether anything of it is still on the disk."""
    if pending:
        monkeypatch.setattr(erasure_queue, "finish", lambda _: None)
    page = keeper.send(f"{keeper.table}/forget", {"what": "table", "sure": "yes"})
    assert "The table is deleted." in page.text
    assert (PENDING in page.text) == pending
    monkeypatch.undo()
    erasure_queue.finish(app.extensions["pool"])
    app.extensions["pool"].release()


def test_what_cannot_be_forgotten_is_said_in_words(keeper: Phone) -> None:
    """A name that is not there, a day that is none, and nothing at all are refused."""
    where = f"{keeper.table}/forget"
    for fields in ({"what": "name", "name": "Nobody"}, {"what": "older", "before": "?"}, {}):
        assert keeper.client.post(where, data=fields).status_code == 422


def test_readers_cannot_forget(reader: Phone, keeper: Phone) -> None:
    """Whoever only reads is turned away."""
    where = f"{keeper.table}/forget"
    assert reader.client.post(where, data={"what": "table", "sure": "yes"}).status_code == 401
    assert keeper.client.get(keeper.table).status_code == 200
