"""What comes seldom stands on a sheet: a bid before the play, who broke a Chicago; rare hands."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

NAMES = ("Anna", "Bo", "Cilla", "Dan")
EARLY: dict[str, object] = {
    "chicago_when": "any_time",
    "blind_chicago": {"points": 30, "penalty": 20},
}
SHEETS: dict[str, tuple[dict[str, object], str, str, list[str]]] = {
    "a bid before the play": (EARLY, "Anna 15", "Chicago …", ["Anna: Chicago (+15)"]),
    "a blind one": (
        EARLY,
        "Bo 15",
        "Blind …",
        [f"{name}: Blind Chicago (+30)" for name in NAMES],
    ),
    "who broke it": (
        {"chicago_breaker_bonus": 8},
        "Anna 15, no hands, Anna chicago",
        "Broken … −15 15 → 0",
        ["Bo: Broken by (+8)", "Cilla: Broken by (+8)", "Dan: Broken by (+8)"],
    ),
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_has_a_cell_for_each_player(either: Phone, seat: Seat, name: str) -> None:
    """The cells of who may are open, and one of them is the next tap."""
    rules, happened, way, taps = SHEETS[name]
    seat(either, happened, rules=rules)
    either.open(either.page.link(way).href)
    open_cells = either.page.elements(".among .cell:not([aria-disabled])")
    assert [cell["aria-label"] for cell in open_cells] == taps
    either.press(taps[0])
    assert either.answer.status_code in (HTTPStatus.OK, HTTPStatus.SEE_OTHER)


@pytest.mark.parametrize(
    ("happened", "part"), [("", "row/chicago"), ("no hands, Bo trick", "row/broken")]
)
def test_a_row_that_is_over_says_so(either: Phone, seat: Seat, happened: str, part: str) -> None:
    """A tap on an outdated table is answered with a message and a link back."""
    seat(either, happened)
    either.open(f"{either.table}/{part}")
    assert either.answer.status_code == HTTPStatus.NOT_FOUND
    assert "This is over now." in either.page.text
    assert either.page.has("Close")


def test_a_reader_is_offered_nothing(reader: Phone) -> None:
    """Without the pen the sheet records nothing."""
    reader.open(f"{reader.table}/rare")
    assert reader.page.buttons == []


def test_a_shut_row_is_one_that_nobody_may_use(new_phone: NewPhone, seat: Seat) -> None:
    """A row is open while one player may use it."""
    phone = new_phone()
    seat(phone, "no hands")
    assert shut_rows(phone) == ["Chicago +15"]
    seat(phone, "Dan 15, no hands")
    assert shut_rows(phone) == []


def shut_rows(phone: Phone) -> list[str]:
    """Return the names of the rows that nobody may use."""
    return [label.get_text(" ", strip=True) for label in phone.page.soup.select(".fact.shut")]
