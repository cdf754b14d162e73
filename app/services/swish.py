"""Paying by Swish: which numbers and amounts it takes, and the address that opens it filled in."""

from __future__ import annotations

import re
from urllib.parse import quote

from app.rules.currency import Currency
from app.rules.errors import BadFile

CURRENCY: Currency = "SEK"
LEAST_ORE, MOST_ORE = 100, 99_999_999
LONGEST_MESSAGE = 50


def read_number(text: str) -> str:
    """A number as Swish takes it, however it was typed: `0701234567`. Raises BadFile."""
    plain = re.sub(r"[\s()/.–-]", "", text)
    plain = re.sub(r"^(\+|00)460?", "0", plain)
    # A mobile number, or one of the numbers that Swish gives companies and clubs.
    if not re.fullmatch(r"07[0-9]{8}|123[0-9]{7}", plain):
        raise BadFile("swish_number_unreadable")
    return plain


def format_number(number: str) -> str:
    """A number as people read it: `070-123 45 67`."""
    return f"{number[:3]}-{number[3:6]} {number[6:8]} {number[8:]}"


def accepts(ore: int, currency: Currency) -> bool:
    """Whether Swish takes an amount: 1 krona to 999 999,99."""
    return currency == CURRENCY and LEAST_ORE <= ore <= MOST_ORE


def message(text: str) -> str:
    """A text as Swish takes it: letters, digits and a few marks, 50 characters at most."""
    return re.sub(r"[^\w!?(),.:; -]|_", "", text)[:LONGEST_MESSAGE].strip()


def amount(ore: int) -> str:
    """An amount as Swish takes it: `49.5`."""
    kronor, rest = divmod(ore, 100)
    return f"{kronor}.{rest:02}".rstrip("0").rstrip(".")


def payment_url(number: str, ore: int, text: str) -> str:
    """What a QR code holds to open Swish with everything filled in.

    The amount and the message can be changed there.
    """
    return (
        f"https://app.swish.nu/1/p/sw/?sw={number}&amt={amount(ore)}&cur=SEK"
        f"&msg={quote(message(text), safe='')}&edit=amt,msg&src=qr"
    )
