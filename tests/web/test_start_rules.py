"""What a new table plays, in one line of the start form; the rest folds out of it."""

from __future__ import annotations

import pytest

from tests.web.pages import words
from tests.web.phone import Phone

SWITCHES = {"was": ["stop", "four", "chicago"], "stop_was": "45", "stop": "45"}


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "Target 52 · stop 45 · four of a kind zeroes · Chicago needed"),
        (
            {**SWITCHES, "on": ["stop", "four"], "stop": "40"},
            "Target 52 · stop 40 · four of a kind zeroes · Our own rules",
        ),
        (
            {**SWITCHES, "on": ["chicago"]},
            "Target 52 · no exchange stop · Chicago needed · Our own rules",
        ),
    ],
)
def test_the_line_says_what_tables_differ_in(
    phone: Phone, fields: dict[str, str | list[str]], line: str
) -> None:
    """It follows the switches, which stay unfolded while they are turned."""
    phone.send("/", {**fields, "preset": "huvudregler", "do": "sets"})
    [fold] = phone.page.soup.select("details.sets[open]")
    assert words(fold.select("summary > span")[0]) == line
