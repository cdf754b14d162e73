"""What a new table plays, in one line of the start form; the rest folds out of it."""

from __future__ import annotations

import pytest

from app.rules.presets import PRESETS, write_code
from tests.web.pages import words
from tests.web.phone import Phone

SHOWN = write_code("huvudregler", PRESETS["huvudregler"])


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "Target 52 · stop 45 · four of a kind zeroes · Chicago needed"),
        (
            {"shown": SHOWN, "exchange_stop": "40", "win_needs_chicago": "no"},
            "Target 52 · stop 40 · four of a kind zeroes · Our own rules",
        ),
        (
            {"shown": SHOWN, "exchange_stop": "none", "zeroing.four_of_a_kind": "none"},
            "Target 52 · no exchange stop · Chicago needed · Our own rules",
        ),
    ],
)
def test_the_line_says_what_tables_differ_in(
    phone: Phone, fields: dict[str, str], line: str
) -> None:
    """It follows the answers, which stay unfolded while they are given."""
    phone.send("/", {**fields, "preset": "huvudregler", "do": "sets"})
    [fold] = phone.page.soup.select("details.sets[open]")
    assert words(fold.select("summary > span")[0]) == line
