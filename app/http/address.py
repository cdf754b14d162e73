"""The address under which other phones reach the score keeper, for every link and every QR code.

It is the one that was configured (CHICAGO_URL), else the one that was asked for, else this
machine's own in the local network; and where none of them leads here, the reason why. The terminal
is told it with a QR code to scan, and how HTTPS is had where Tailscale runs.
"""

import io
import ipaddress
import json
import os
import re
import socket
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Literal, NamedTuple, TextIO
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import segno
from flask import Flask, abort, request
from werkzeug.sansio.utils import host_is_trusted

# As long as DNS has a name, with its port; and a path for which a QR code has room behind that.
LONGEST_HOST, LONGEST_PATH = 260, 200

# Reserved for documentation (RFC 5737, RFC 3849): they name no machine, and nothing is sent there.
DOCUMENTATION_ADDRESS, DOCUMENTATION_IPV6 = ("192.0.2.1", 9), ("2001:db8::1", 9)
LOOPBACK = "127.0.0.1"
# Linux's question for the address of an interface (netdevice(7)).
SIOCGIFADDR = 0x8915

# Files that Docker and Podman leave in a container, and their names among its control groups.
CONTAINER_MARKS = (Path("/.dockerenv"), Path("/run/.containerenv"))
CONTROL_GROUPS = Path("/proc/1/cgroup")
_ENGINES = re.compile(r"docker|containerd|kubepods|libpod")
# The networks that Docker and Podman lay between containers, which no phone is in.
INNER_NETWORKS = (
    ipaddress.ip_network("172.16.0.0/12"),
    ipaddress.ip_network("10.88.0.0/16"),
)

# here: the server is reached from its own machine only. unknown: others reach it by a name that
# cannot be found out from here.
Obstacle = Literal["", "here", "unknown"]


class Address(NamedTuple):
    """The server's address without a final slash, and the obstacle for other phones, if any."""

    url: str
    obstacle: Obstacle = ""


class Below:
    """WSGI middleware for a path in front of all addresses, such as `/chicago`.

    It is the one that a server in front told of (SCRIPT_NAME), else the configured one; that server
    may have taken it off or not.
    """

    def __init__(self, app: WSGIApplication, configured: str) -> None:
        self._app = app
        self._configured = configured

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request as if nothing stood before its path."""
        given = (environ.get("SCRIPT_NAME") or self._configured).strip("/")
        # With two slashes in front it would be another site.
        prefix = environ["SCRIPT_NAME"] = f"/{given}" if given else ""
        path = environ.get("PATH_INFO", "")
        if prefix and f"{path}/".startswith(f"{prefix}/"):
            environ["PATH_INFO"] = path.removeprefix(prefix)
        return self._app(environ, start_response)


def register(app: Flask) -> None:
    """Refuse requests that no address could lead to: each link and each code is made from it."""
    app.before_request(_refuse_no_address)


def _refuse_no_address() -> None:
    """Refuse a host that is none, or anything that is too long; a request may name no host."""
    host = request.environ.get("HTTP_HOST", "")
    # In a home network names have underscores.
    named = not host or host_is_trusted(host.replace("_", "-"))
    if not named or len(host) > LONGEST_HOST or len(request.script_root) > LONGEST_PATH:
        abort(HTTPStatus.BAD_REQUEST)


def lan_address(listening: str = "") -> str:
    """This machine's address in the local network, or the loopback address if it has none.

    Of several it is the one with which it goes out; an IPv6 address only for a server that is
    `listening` to IPv6, and has no other.
    """
    return (
        _source_address(socket.AF_INET, DOCUMENTATION_ADDRESS)
        or _first_interface()
        or (":" in listening and _source_address(socket.AF_INET6, DOCUMENTATION_IPV6))
        or LOOPBACK
    )


def _source_address(family: socket.AddressFamily, target: tuple[str, int]) -> str:
    """The address from which this machine would send there; nothing is sent."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect(target)
        return str(probe.getsockname()[0])
    return ""


def _first_interface() -> str:
    """The address of an interface, where no way leads out, as on a network without a router."""
    from fcntl import ioctl

    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                found = ioctl(probe, SIOCGIFADDR, name.encode().ljust(40, b"\0"))
                address = socket.inet_ntoa(found[20:24])
                if not is_loopback(address):
                    return address
    return ""


def is_loopback(name: str) -> bool:
    """Whether this is an address at which a machine reaches itself alone."""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_container() -> bool:
    """Whether this runs in a container, whose own addresses lead nowhere from outside."""
    if any(mark.exists() for mark in CONTAINER_MARKS):
        return True
    with suppress(OSError):
        return bool(_ENGINES.search(CONTROL_GROUPS.read_text()))
    return False


def find_address(scheme: str, host: str, listening: str, *, behind_proxy: bool = False) -> Address:
    """The address by which other phones reach a server that was asked for as `host`.

    `listening` is the address it is bound to. Behind a proxy that did not forward the host,
    nobody can know.
    """
    asked = f"{scheme}://{host}"
    name = re.sub(r":[0-9]*$", "", host)
    if not is_here(name.strip("[]")):
        return Address(asked, "unknown" if _is_inner(name) and is_container() else "")
    if is_loopback(listening) and not behind_proxy:
        return Address(asked, "here")
    if behind_proxy or is_container():
        return Address(asked, "unknown")
    own = lan_address(listening)
    if is_loopback(own):
        return Address(asked, "here")
    return Address(f"{scheme}://{bracketed(own)}{host[len(name) :]}")


def bracketed(name: str) -> str:
    """A host's name or address as a URL writes it: IPv6 stands in brackets."""
    return f"[{name}]" if ":" in name and not name.startswith("[") else name


def is_here(name: str) -> bool:
    """Whether a host means the machine that asks, wherever that is (names: RFC 6761, 6.3)."""
    try:
        ip = ipaddress.ip_address(name)
    except ValueError:
        return name.lower().rstrip(".").rpartition(".")[2] == "localhost"
    return ip.is_loopback or ip.is_unspecified


def _is_inner(name: str) -> bool:
    """Whether a host is an address of those that containers have among themselves."""
    try:
        ip = ipaddress.ip_address(name)
    except ValueError:
        return False
    return any(ip in network for network in INNER_NETWORKS)


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


def announce(address: Address, port: int, out: TextIO | None = None) -> None:
    """Print where a server is found, with a QR code if that helps.

    The code is left out where no other machine could follow it, and on terminals that cannot
    draw it.
    """
    out, url = out or sys.stdout, f"{address.url}/"
    if address.obstacle == "unknown":
        print(f"\nThe score keeper listens on port {port}. {UNKNOWN}", file=out)
    else:
        print(f"\nThe score keeper is at {url}", file=out)
    if address.obstacle == "here":
        print(HERE, file=out)
    elif not address.obstacle:
        drawing = io.StringIO()
        # In half-block characters, light on a dark terminal.
        segno.make(url, micro=False).terminal(drawing, border=2, compact=True)
        with suppress(UnicodeEncodeError):
            drawing.getvalue().encode(out.encoding or "ascii")
            print(f"Scan to open it on a phone:\n\n{drawing.getvalue()}", file=out)
    print(file=out, flush=True)


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
    try:
        found = json.loads(status)
        name = found["Self"]["DNSName"].rstrip(".") if found["BackendState"] == "Running" else ""
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    if not name or any(environment.get(choice) for choice in CHOICES):
        return ""
    return OFFER.format(port=environment.get("PORT") or "8000", name=name)


if __name__ == "__main__":
    sys.stdout.write(write_offer(sys.stdin.read(), os.environ))
