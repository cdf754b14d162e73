"""Reading JSON from anybody: how deeply it is nested is known before it is read.

Reading nests as deeply as what is read, and how much of that a thread bears differs from one
Python to the next.
"""

import re
from itertools import accumulate

import msgspec

from app.rules.errors import BadFile

DEEPEST = 100

# Anything but brackets and the quotation marks of strings.
_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STRING = re.compile(rb'"[^"]*"?')


def decode(text: bytes) -> object:
    """Read JSON. Raises BadFile when it is not JSON, or nested too deeply."""
    if too_deep(text):
        raise BadFile("not_json")
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("not_json") from None


def too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested too deeply."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    plain = text.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _OTHERS)
    brackets = _STRING.sub(b"", plain)
    return (
        max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0) > DEEPEST
    )
