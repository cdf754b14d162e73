"""How deeply JSON may be nested, told before it is read.

Reading nests as deeply as what is read, and how much of that a thread bears differs from one
Python to the next.
"""

from __future__ import annotations

import re
from itertools import accumulate

DEEPEST = 100

_NOT_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[^][{}"]+', re.DOTALL)


def too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested beyond anything that has sense."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    brackets = _NOT_BRACKETS.sub(b"", text)
    return (
        max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0) > DEEPEST
    )
