"""Kronor as people type them."""

from __future__ import annotations

import re
from decimal import Decimal

_KRONOR = re.compile(r"-?(?=\.?[0-9])[0-9]{0,9}(\.[0-9]{0,2}0*)?")


def read_kronor(text: str) -> int | None:
    """Read kronor with öre, `1`, `0,50`, `2.5`, as öre; None when it cannot be read."""
    plain = text.strip().lower().removesuffix("kr").strip().replace(",", ".").replace(":", ".")
    if not _KRONOR.fullmatch(plain or "0"):
        return None
    return int(Decimal(plain or "0") * 100)
