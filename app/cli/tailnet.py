"""Offer HTTPS by Tailscale, where this machine is in a tailnet: `make run` asks.

Reads what `tailscale status --json` says from standard input, and prints nothing where there is
nothing to offer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

OFFER = """
Tailscale runs here. By these two, every phone in your tailnet has HTTPS, and with it a screen that
stays on, sharing, and pages for when the network goes:

    tailscale serve --bg {port}
    HOST=127.0.0.1 CHICAGO_PROXIES=1 CHICAGO_URL=https://{name} make run
"""
# Who has set one of these has chosen already.
CHOICES = ("CHICAGO_URL", "CHICAGO_CERT", "CHICAGO_PROXIES")


def write_offer(status: str, environment: Mapping[str, str]) -> str:
    """The offer in words; empty where nobody is logged in, or HTTPS is there already."""
    name = find_name(status)
    if not name or any(environment.get(choice) for choice in CHOICES):
        return ""
    return OFFER.format(port=environment.get("PORT") or "8000", name=name)


def find_name(status: str) -> str:
    """The name of this machine in its tailnet; empty while it is in none."""
    try:
        found = json.loads(status)
        name = found["Self"]["DNSName"] if found["BackendState"] == "Running" else ""
    except (ValueError, KeyError, TypeError):
        return ""
    return name.rstrip(".") if isinstance(name, str) else ""


if __name__ == "__main__":
    sys.stdout.write(write_offer(sys.stdin.read(), os.environ))
