"""Whole numbers in a form, whose fields may hold any text."""

from __future__ import annotations

import pytest

from app.http.forms import read_int


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("120", 120)])
def test_digits_are_read_as_a_number(text: str, number: int) -> None:
    """Plain digits are a number, and leading zeros are ignored."""
    assert read_int(text, 0, 120) == number


@pytest.mark.parametrize(
    "text", ["", " ", "x", "-1", "+1", "1.0", "1e2", "²", "\u0661", "1_0", "1\0", "121", "9" * 5000]
)
def test_whatever_else_is_no_number(text: str) -> None:
    """Signs, other digits, and numbers out of bounds are refused, at any length."""
    assert read_int(text, 0, 120) is None


def test_a_number_below_the_lowest_is_none() -> None:
    """With a lowest number of one, zero is out of bounds."""
    assert read_int("0", 1, 120) is None
