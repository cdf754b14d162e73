import pytest

from app.web.table.protocol import MOST_STROKES, draw_tally
from tests.web.conftest import Seat
from tests.web.phone import Phone


def drawings(phone: Phone) -> list[str]:
    """Return the paths of all strokes on the score sheet."""
    page = phone.open(f"{phone.table}/protocol")
    return [path["d"] for path in page.elements(".tally path")]


@pytest.mark.parametrize("points", [1, 4, 5, 10, 11])
def test_points_are_drawn_as_strokes_five_by_five(points: int) -> None:
    """Each point is a stroke, every fifth crosses the four before it, and a line has ten."""
    drawn = draw_tally(points)
    assert drawn is not None
    assert drawn.path.count("M") == points
    assert drawn.path.count("v11") == points - points // 5
    assert drawn.height == 15 * -(-points // 10)


@pytest.mark.parametrize(
    ("points", "strokes"), [(MOST_STROKES, MOST_STROKES), (MOST_STROKES + 1, 0), (9999, 0)]
)
def test_points_without_number_are_not_drawn(
    seat: Seat, phone: Phone, points: int, strokes: int
) -> None:
    """Thousands of points are written in figures; drawing them would delay every phone."""
    seat(phone, f"Anna {points}")
    assert sum(path.count("M") for path in drawings(phone)) == strokes
    assert f"{points:,}" in phone.page.text


@pytest.mark.parametrize(
    ("players", "shown"), [("Anna Bo Cilla Dan Eva", 0), ("Anna Bo C D E F", 1)]
)
def test_a_zeroing_is_said_in_a_word_and_drawn_where_columns_are_narrow(
    seat: Seat, phone: Phone, players: str, shown: int
) -> None:
    """The accessible text is the same word, for any number of players."""
    names = players.split()
    seat(phone, "Bo 7, Anna zeroes", players=names, rules={"preset": "vanlig"})
    page = phone.open(f"{phone.table}/protocol")
    assert "zeroed" in page.text
    columns = " ".join(column.text for column in page.soup.select(".column"))
    assert columns.count("→0") == shown
    assert columns.count("zeroed") == 1 - shown
    assert len(page.soup.select(".column [title=Zeroed]")) == shown
