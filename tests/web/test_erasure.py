"""Erasure on the page: the first request shows its effect, the second erases."""

from tests.web.phone import Phone


def test_nothing_goes_before_it_has_been_said(keeper: Phone) -> None:
    """The first press only shows the effect; the second erases."""
    where, name = f"{keeper.table}/forget", {"what": "name", "name": "Anna"}
    assert "The name Anna is removed everywhere" in keeper.send(where, name).text
    assert "Anna" in keeper.open(keeper.table).text
    keeper.send(where, {**name, "sure": "yes"})
    assert "Anna" not in keeper.home().text


def test_a_deleted_table_is_told_at_the_start(keeper: Phone) -> None:
    """The start page reports the deletion, and no longer lists the table."""
    page = keeper.send(f"{keeper.table}/forget", {"what": "table", "sure": "yes"})
    assert "The table has been deleted." in page.text
    assert keeper.table not in page.html
    keeper.home()
    assert keeper.answer.status_code == 404


def test_what_cannot_be_forgotten_is_said_in_words(keeper: Phone) -> None:
    """An unknown name, the newest game, a number of none, and an empty form are refused."""
    for fields in (
        {"what": "name", "name": "Nobody"},
        {"what": "game", "number": "1"},
        {"what": "game", "number": "x"},
        {},
    ):
        keeper.send(f"{keeper.table}/forget", fields)
        assert keeper.answer.status_code == 422
