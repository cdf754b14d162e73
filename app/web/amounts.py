"""Kronor as people type them."""

from __future__ import annotations

import re
from decimal import Decimal

from app.rules.errors import BadFile

_KRONOR = re.compile(r"-?(?=\.?[0-9])[0-9]{0,9}(\.[0-9]{0,2}0*)?")


def read_kronor(text: str, fault: str) -> int:
    """Read kronor with öre: `1`, `0,50`, `2.5`. Raises BadFile with the code `fault`."""
    plain = text.strip().lower().removesuffix("kr").strip().replace(",", ".").replace(":", ".")
    if not _KRONOR.fullmatch(plain or "0"):
        raise BadFile(fault, value=text)
    return int(Decimal(plain or "0") * 100)
