"""The search for secrets in a log: links, pens, pen links, names and numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

# The form of a link or a pen, also of an unknown one: base64url of 16 or 32 bytes, with a
# capital or a digit in it, which tells it from a word.
SECRET = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9])(?:[\w-]{22}|[\w-]{43})(?![\w-])")


def find_leaks(log: str, secrets: Iterable[str]) -> list[str]:
    """Return the texts that stand in the log, in any spelling, and all in the form of a secret."""
    known = [secret for secret in secrets if any(form in log for form in forms(secret))]
    return [*known, *SECRET.findall(log)]


def forms(secret: str) -> set[str]:
    """Return a text as spelt in addresses, JSON and Python."""
    return {
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        repr(secret.encode())[2:-1],
    }
