"""Tell the people at the table where the score keeper is: an address and a QR code to scan."""

import io
import ipaddress
import re
import socket
import sys
from typing import TextIO

import segno

# Reserved for documentation (RFC 5737): it names no machine, and nothing is ever sent to it.
DOCUMENTATION_ADDRESS = ("192.0.2.1", 9)
LOOPBACK = "127.0.0.1"
IPV6_PREFIX = 64


def network(address: str) -> str:
    """Return what counts as one address: of IPv6, the network that one household has."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.version == 4 or ip.ipv4_mapped:
        return address
    return str(ipaddress.IPv6Network((int(ip), IPV6_PREFIX), strict=False))


def lan_address() -> str:
    """Return this machine's address in the local network, or the loopback address if it has none.

    Connecting a datagram socket only asks the kernel which of its addresses it would send from.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(DOCUMENTATION_ADDRESS)
        except OSError:
            return LOOPBACK
        return str(probe.getsockname()[0])


def reachable_url(host: str, port: int) -> str:
    """Return the address to open on a phone for a server bound to the address `host` and `port`."""
    ip = ipaddress.ip_address(host)
    name = lan_address() if ip.is_unspecified else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def qr_code(text: str) -> str:
    """Return `text` as a QR code in half-block characters, light on a dark terminal."""
    drawing = io.StringIO()
    segno.make(text, micro=False).terminal(drawing, border=2, compact=True)
    return drawing.getvalue()


def announce(host: str, port: int, out: TextIO | None = None) -> None:
    """Print where a server bound to `host` and `port` is found, with a QR code if that helps.

    The code is left out where no other machine could follow it, and on terminals that cannot
    draw it.
    """
    out = out or sys.stdout
    url = reachable_url(host, port)
    print(f"\nThe score keeper is at {url}", file=out)
    if url.startswith((f"http://{LOOPBACK}:", "http://[::1]:")):
        print("Only this machine can reach it.", file=out)
    else:
        _draw(url, out)
    print(file=out, flush=True)


def _draw(url: str, out: TextIO) -> None:
    code = qr_code(url)
    try:
        code.encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return
    print(f"Scan to open it on a phone in the same network:\n\n{code}", file=out)


def reachable_host(host: str) -> str:
    """Return a request's host as other phones can reach it, where it names this machine alone."""
    name = re.sub(r":[0-9]*$", "", host)
    return lan_address() + host[len(name) :] if _is_here(name.strip("[]")) else host


def _is_here(name: str) -> bool:
    """Whether a host means the machine that asks, wherever that is."""
    try:
        ip = ipaddress.ip_address(name)
    except ValueError:
        return name.lower() == "localhost"
    return ip.is_loopback or ip.is_unspecified
