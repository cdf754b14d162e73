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


def read_months() -> Months | None:
    """The months, whichever was named first; open where none was, None where one is none."""
    asked = [request.args.get(name, "") for name in NAMES]
    if not all(not month or _MONTH.fullmatch(month) for month in asked):
        return None
    first, last = asked[0] or ALWAYS[0], asked[1] or ALWAYS[1]
    return min(first, last), max(first, last)


def find_faults() -> dict[str, str]:
    """What is wrong with the months that are none, by their fields."""
    asked = {name: request.args.get(name, "") for name in NAMES}
    return tell(name for name, month in asked.items() if month and not _MONTH.fullmatch(month))


def tell(fields: Iterable[str]) -> dict[str, str]:
    """How a month is written, said at each of these fields."""
    return dict.fromkeys(fields, context.language().gettext(MONTH_AS))
