"""The search for secrets in a log: links, pens, pen links, names, numbers and addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from tests.api.network import send
from tests.browser.serving import Server

# The form of a link or a pen, also of an unknown one: base64url of 16 or 32 bytes, with a
# capital or a digit in it, which tells it from a word.
SECRET = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z0-9])(?:[\w-]{22}|[\w-]{43})(?![\w-])")
# The address that all requests of the tests come from.
VISITOR = "127.0.0.1"
NAME, NUMBER, MADE_UP = SECRETS = ("Quintilianus", "0701234567", "0Zx9_abcdefghijklmnopA")


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


def find_logged(server: Server, secrets: Iterable[str], after: int = 0) -> tuple[str, list[str]]:
    """Return a served log once all earlier requests are in it, and the secrets it has.

    The log is that `after` some letters, and never has the first lines, which tell the server's
    own address.
    """
    last = send(server.port, "GET", "/rules").headers["X-Request-Id"]
    log = server.until(lambda log: log if last in log else None)
    log = log[max(after, log.index("Booting worker")) :]
    return log, find_leaks(log, [VISITOR, *secrets])
