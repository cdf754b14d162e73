"""The real Caddy with deploy/Caddyfile before the served program, as on the open internet.

    python -m tests.hard.front

What docs/SERVER.md says that it cuts, while a table is played at. Takes two minutes. Exit status 1
where a promise was broken.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.api.network import connect, send
from tests.browser.serving import ROOT
from tests.hard.figures import Figures, served
from tests.hard.keepers import Neighbour
from tests.hard.routes import FORM

CADDY = str(Path(sys.executable).parent / "caddy")
# What is promised: of taps meanwhile, of heads and of bodies, in seconds.
TAP, HEAD, BODY = 0.25, 12.0, 65.0
CUT = {
    "a half-sent head": (FORM[:40], b"", HEAD),
    "a head that drips": (FORM[:40], b"x", HEAD),
    "a socket on which nothing is said": (b"", b"", HEAD),
    "a body that drips": (FORM, b"x", BODY),
}


def seconds_until_cut(port: int, head: bytes, drip: bytes, longest: float) -> float:
    """Send a head, then a little each second, until the other side hangs up."""
    began = time.monotonic()
    with closing(connect(port)) as connection:
        connection.settimeout(1)
        connection.sendall(head)
        while time.monotonic() - began < longest:
            try:
                if not connection.recv(1000):
                    break
            except TimeoutError:
                connection.sendall(drip)
            except OSError:
                break
    return time.monotonic() - began


def is_open(port: int) -> bool:
    """Return whether somebody listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def run(figures: Figures, port: int) -> None:
    """Send through Caddy what it cuts, and what a visitor makes up."""
    with Neighbour(port) as neighbour:
        for name, (head, drip, promised) in CUT.items():
            seconds = seconds_until_cut(port, head, drip, promised)
            figures.add(f"{name} is cut after", f"{seconds:.1f} s", kept=seconds < promised)
        slowest = neighbour.slowest_since(0)
    figures.add("slowest tap meanwhile, seconds", f"{slowest:.2f}", kept=slowest < TAP)
    made_up = {"X-Forwarded-Host": "made-up.example", "X-Forwarded-Prefix": "/made-up"}
    believed = b"made-up" in send(port, "GET", "/install", **made_up).data
    figures.add("headers that a visitor makes up are believed", believed, kept=not believed)


def main() -> int:
    """Serve, send and print; exit status 1 where a promise was broken."""
    figures = Figures("behind Caddy")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as name, served(Path(name), CHICAGO_PROXIES="1") as server:
        where = {"CHICAGO_HOST": f"http://:{port}", "CHICAGO_SERVER": f"127.0.0.1:{server.port}"}
        command = [CADDY, "run", "--config", f"{ROOT}/deploy/Caddyfile"]
        with subprocess.Popen(command, env={**os.environ, "HOME": name, **where}) as caddy:
            try:
                while not is_open(port):
                    assert caddy.poll() is None
                run(figures, port)
            finally:
                caddy.terminate()
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
