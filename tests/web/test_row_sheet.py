"""On a screen too narrow for columns a row opens a sheet: one tap the fact, one the name."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from bs4 import Tag

from tests.web.conftest import NewPhone, Seat
from tests.web.pages import attributes_of
from tests.web.phone import Phone


def test_every_row_with_a_column_each_has_its_sheet(keeper: Phone) -> None:
    """The sheet has the same cells as the row: of the same players, with the same events."""
    for row in keeper.page.soup.select(".row:not(.wide)"):
        keeper.open(keeper.table)
        taps = [tap_of(cell) for cell in row.select(".cell")]
        keeper.open(attributes_of(row.select(".whom")[0])["href"])
        assert [tap_of(cell) for cell in keeper.page.soup.select(".seats .cell")] == taps


@pytest.mark.parametrize(("happened", "part"), [("", "row/trick"), ("no hands", "rare")])
def test_a_row_that_is_over_says_so(either: Phone, seat: Seat, happened: str, part: str) -> None:
    """A tap on an outdated table is answered with a message and a link back."""
    seat(either, happened)
    either.open(f"{either.table}/{part}")
    assert either.answer.status_code == HTTPStatus.NOT_FOUND
    assert "This is over now." in either.page.text
    assert either.page.has("Close")


def test_a_reader_is_offered_nothing(reader: Phone) -> None:
    """Without the pen the sheet records nothing."""
    reader.open(f"{reader.table}/row/pair")
    assert reader.page.buttons == []


def test_a_dimmed_row_is_one_that_nobody_may_use(new_phone: NewPhone, seat: Seat) -> None:
    """A row is not dimmed while one player may use it."""
    phone = new_phone()
    seat(phone, "no hands")
    assert shut_rows(phone) == ["row-chicago"]
    seat(phone, "Dan 15, no hands")
    assert shut_rows(phone) == []


def shut_rows(phone: Phone) -> list[str]:
    """Return the rows that are dimmed."""
    return [found["id"] for found in phone.page.elements(".row.shut")]


def tap_of(cell: Tag) -> tuple[str | None, ...]:
    """Return the event or link of a cell, and whose it is; the sheet tells all values."""
    attributes = attributes_of(cell)
    player = attributes["aria-label"].partition(":")[0]
    return (player, *(attributes.get(name) for name in ("value", "href", "aria-disabled")))
