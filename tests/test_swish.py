"""Limits of Swish: numbers, amounts, messages, and the address in a QR code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.codes import BadFile
from app.services.payments import (
    format_swish_number,
    read_swish_number,
    swish_accepts,
    swish_amount,
    swish_message,
    swish_url,
)
from tests.told import told


@told
def test_a_number_is_read_however_it_is_typed(typed: str, number: str) -> None:
    """Spaces, dashes and the country code make no difference; what is no number is refused."""
    if number:
        assert read_swish_number(typed) == number
    else:
        with pytest.raises(BadFile, match="swish_number_unreadable"):
            read_swish_number(typed)


@told
def test_swish_takes_one_krona_to_a_million(ore: int, taken: bool) -> None:
    """Less than a krona, and a million or more, is paid in cash."""
    assert swish_accepts(ore, "SEK") is taken


@told
def test_an_amount_has_a_point_and_no_needless_nought(ore: int, text: str) -> None:
    """Swish reads kronor with a decimal point."""
    assert swish_amount(ore) == text


@told
def test_a_message_keeps_what_swish_takes(text: str, taken: str) -> None:
    """Letters, digits and a few marks stay, and at most fifty characters."""
    assert swish_message(text) == taken


def test_the_address_opens_swish_filled_in() -> None:
    """Number, amount and message are filled in; the last two may be changed."""
    assert swish_url("0701234567", 4950, "Chicago 17 okt") == (
        "https://app.swish.nu/1/p/sw/?sw=0701234567&amt=49.5&cur=SEK"
        "&msg=Chicago%2017%20okt&edit=amt,msg&src=qr"
    )


@settings(max_examples=25)
@given(text=st.text())
def test_no_message_breaks_the_address(text: str) -> None:
    """Any message leaves one valid address."""
    made = swish_url("0701234567", 100, text)
    assert made.isascii()
    assert made.count("&") == 5
    assert " " not in made


def test_a_number_is_written_as_people_read_it() -> None:
    """The digits are in groups."""
    assert format_swish_number("0701234567") == "070-123 45 67"
