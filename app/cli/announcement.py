"""Telling the terminal where the score keeper is: an address, and a QR code to scan."""

import io
import json
import os
import sys
from collections.abc import Mapping
from typing import TextIO

import segno

from app.http.address import Address, bracketed, find_address

HERE = "Only this machine can reach it."
UNKNOWN = (
    "In a container or behind another server it cannot tell by which name phones reach it: open it"
    " by the name or the address of the machine or the server around it, or set CHICAGO_URL to it."
)


def locate(
    scheme: str, host: str, port: int, url: str = "", *, behind_proxy: bool = False
) -> Address:
    """The address of a server bound to `host` and `port`; `url` is the configured one."""
    if url:
        return Address(url)
    found = find_address(scheme, f"{bracketed(host)}:{port}", host)
    return found._replace(obstacle="unknown") if behind_proxy else found


def qr_code(text: str) -> str:
    """Return `text` as a QR code in half-block characters, light on a dark terminal."""
    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, border=2, compact=True)
    return drawing.getvalue()


def announce(address: Address, port: int, out: TextIO | None = None) -> None:
    """Print where a server is found, with a QR code if that helps.

    The code is left out where no other machine could follow it, and on terminals that cannot
    draw it.
    """
    out = out or sys.stdout
    url = f"{address.url}/"
    if address.obstacle == "unknown":
        print(f"\nThe score keeper listens on port {port}. {UNKNOWN}", file=out)
    else:
        print(f"\nThe score keeper is at {url}", file=out)
    if address.obstacle == "here":
        print(HERE, file=out)
    elif not address.obstacle:
        _draw(url, out)
    print(file=out, flush=True)


def _draw(url: str, out: TextIO) -> None:
    code = qr_code(url)
    try:
        code.encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return
    print(f"Scan to open it on a phone:\n\n{code}", file=out)


OFFER = """
Tailscale is running here. With these two commands every phone in your tailnet has HTTPS, and with
it a screen that stays on, sharing, and score keeping without a network:

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
