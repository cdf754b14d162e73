"""The currencies that a table may count in. Amounts are whole hundredths of them: öre, or cents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from app.rules.errors import BadFile

Currency = Literal["SEK", "EUR"]
CURRENCIES: tuple[Currency, ...] = ("SEK", "EUR")
USUAL: Currency = "SEK"

# What cash is rounded to in shops: whole kronor in Sweden, five cents in Finland.
CASH: Mapping[Currency, int] = {"SEK": 100, "EUR": 5}


class Amount(msgspec.Struct, frozen=True):
    """So many hundredths of a currency."""

    hundredths: int
    currency: Currency


def round_to_cash(hundredths: int, currency: Currency) -> int:
    """Round an amount to what can be paid in coins: up from the half, down below it."""
    unit = CASH[currency]
    return (hundredths + unit // 2) // unit * unit


def read_currency(raw: object) -> Currency:
    """The currency that a form or a call names. Raises BadFile."""
    for currency in CURRENCIES:
        if raw == currency:
            return currency
    raise BadFile("wrong_value", key="currency", value=raw)
