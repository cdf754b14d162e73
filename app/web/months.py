"""The months that an address names: the first, the last, or both."""

from __future__ import annotations

import re
from collections.abc import Iterable

from flask import request

from app.http import context
from app.i18n.language import N_
from app.services.statistics import ALWAYS, Months

NAMES = ("from", "to")
MONTH_AS = N_("A month is written as 2026-10.")

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def read_months() -> tuple[Months, dict[str, str]]:
    """The months, whichever was named first, open where none was; and what is wrong, by field.

    Where anything is, the months are ALWAYS.
    """
    asked = {name: request.args.get(name, "") for name in NAMES}
    faults = tell(name for name, month in asked.items() if month and not _MONTH.fullmatch(month))
    if faults:
        return ALWAYS, faults
    first, last = asked["from"] or ALWAYS[0], asked["to"] or ALWAYS[1]
    return (min(first, last), max(first, last)), {}


def tell(fields: Iterable[str]) -> dict[str, str]:
    """How a month is written, said at each of these fields."""
    return dict.fromkeys(fields, context.language().gettext(MONTH_AS))
