"""Whole numbers in a form, whose fields may hold any text."""

from __future__ import annotations

from app.http.forms import read_int
from tests.told import told


@told
def test_a_number_is_read(text: str, lowest: int, number: int | None) -> None:
    """It is at most a hundred and twenty, and nothing else is one."""
    assert read_int(text, lowest, 120) == number
