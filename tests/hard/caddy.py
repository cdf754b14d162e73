"""The real Caddy with deploy/Caddyfile in front of the server: a page, a tap, a live stream.

    python -m tests.hard.caddy

It needs the program `caddy`, and asks only this machine. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.browser.serving import ROOT, Server
from tests.hard.figures import Figures

PATIENCE = 30.0
CONFIGURATION = ROOT / "deploy" / "Caddyfile"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Visitor:
    """Somebody who comes by HTTPS, and claims to come from somewhere else."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookie = ""

    def ask(self, method: str, path: str, **fields: object) -> http.client.HTTPResponse:
        """Return the answer, yet to be read."""
        # Caddy's own authority is known to nobody.
        context = ssl._create_unverified_context()  # noqa: SLF001
        connection = http.client.HTTPSConnection(
            "localhost", self._port, timeout=PATIENCE, context=context
        )
        body = urllib.parse.urlencode(fields, doseq=True) if fields else None
        claims = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "http"}
        connection.request(method, path, body, {**FORM, **claims, "Cookie": self._cookie})
        answer = connection.getresponse()
        if given := answer.headers.get("Set-Cookie"):
            self._cookie = given.partition(";")[0]
        return answer


@contextmanager
def caddy(folder: Path, upstream: int) -> Iterator[int]:
    """Run Caddy with our file, on a port of its own and without telling the system to trust it."""
    with socket.socket() as probe, socket.socket() as other:
        probe.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        port, plain = probe.getsockname()[1], other.getsockname()[1]
    told = {
        **os.environ,
        "CHICAGO_HOST": f"localhost:{port}",
        "PORT": str(upstream),
        "XDG_DATA_HOME": str(folder),
    }
    adapted = subprocess.run(
        ["caddy", "adapt", "--config", CONFIGURATION, "--adapter", "caddyfile"],
        capture_output=True,
        check=True,
        env=told,
    )
    config = json.loads(adapted.stdout)
    config["admin"] = {"disabled": True}
    config["apps"]["http"]["http_port"] = plain
    config["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
    (folder / "caddy.json").write_text(json.dumps(config))
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            ["caddy", "run", "--config", folder / "caddy.json"], env=told, stdout=log, stderr=log
        )
    try:
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait_for(visitor: Visitor) -> None:
    """Wait until the page comes."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(OSError):
            if visitor.ask("GET", "/").status == http.HTTPStatus.OK:
                return
        time.sleep(0.2)
    raise TimeoutError("Caddy does not answer.")


def next_message(stream: http.client.HTTPResponse) -> str:
    """Return the next message of a stream, without the comments that keep it open."""
    lines: list[str] = []
    while not (lines and lines[-1] == "\n"):
        lines.append(stream.readline().decode())
        if lines == ["\n"] or lines[-1].startswith(":"):
            lines.pop()
    return "".join(lines)


def play(visitor: Visitor, figures: Figures) -> None:
    """Open a table, watch it, and tap."""
    answer = visitor.ask("POST", "/", player=["Anna", "Bo"], stake=1)
    table = answer.headers["Location"]
    given = answer.headers["Set-Cookie"]
    figures.add("the cookie is for HTTPS alone", "Secure" in given, kept="__Host-" in given)
    kept = "Strict-Transport-Security" in answer.headers
    figures.add("browsers are told to come by HTTPS", kept, kept=kept)
    stream = visitor.ask("GET", f"{table}/live")
    before = next_message(stream)
    event = '{"event": "correction", "player": "Anna", "points": 7}'
    begin = time.monotonic()
    status = visitor.ask("POST", f"{table}/events", seq=1, event=event).status
    figures.add("a tap is answered", status, kept=status == http.HTTPStatus.SEE_OTHER)
    after = next_message(stream)
    seconds = time.monotonic() - begin
    figures.add("milliseconds until it is on the other phone", f"{1000 * seconds:.0f}")
    figures.add("it is another page than before", after != before, kept=after != before)
    stream.close()


def main() -> int:
    """Run it, and return the exit status."""
    if not shutil.which("caddy"):
        sys.stderr.write("There is no program caddy.\n")
        return 1
    figures = Figures("deploy/Caddyfile")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        server = Server(folder, CHICAGO_PROXIES="1")
        server.start()
        with caddy(folder, server.port) as port:
            visitor = Visitor(port)
            wait_for(visitor)
            play(visitor, figures)
        server.stop()
    return figures.print()


if __name__ == "__main__":
    sys.exit(main())
