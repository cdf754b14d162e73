"""Forgetting on the page: first what will go is said, then it goes."""

from tests.web.phone import Phone


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


def test_a_deleted_table_is_told_at_the_start(keeper: Phone) -> None:
    """The start page says that it is gone."""
    page = keeper.send(f"{keeper.table}/forget", {"what": "table", "sure": "yes"})
    assert "The table is deleted." in page.text


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
