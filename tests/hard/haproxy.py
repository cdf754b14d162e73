"""Four instances, each with Litestream beside it, and the real HAProxy in front of them."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from app.http.instance_calls import authorization
from tests.bench.served import Served
from tests.browser.serving import ROOT, Server
from tests.hard.debian import free_port

NAMES = ("a", "b", "c", "d")
KEY = "k" * 32
CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"
FOLLOW = ROOT / "deploy" / "litestream.yml"
PATIENCE = 60.0
# Where instances ask each other, as it may be written.
BELOW = (
    *("/instances/", "/%69nstances/", "/instances%2F", "//instances/", "/./instances/"),
    # As if it were below a path that a server in front tells of.
    "/x/instances/",
)
TOLD = {"X-Ingress-Path": "/x", "X-Forwarded-Prefix": "/x", "Script-Name": "/x"}


@dataclass
class Instance:
    """A server with its database on a disk of its own, and Litestream beside it."""

    name: str
    folder: Path
    server: Server
    replicate: subprocess.Popen[bytes] | None = None

    @property
    def follower(self) -> Served:
        """Litestream."""
        return Served(0, self.replicate.pid if self.replicate else 0)

    def environment(self) -> dict[str, str]:
        """Return what Litestream is told."""
        replica = self.folder.with_name(f"replica-{self.name}").as_uri()
        database = str(self.server.database)
        return {**self.server.environment(), "CHICAGO_DB": database, "CHICAGO_REPLICA": replica}

    def litestream(self, *arguments: str) -> list[str]:
        """Return a command line of Litestream with the configuration that is shipped."""
        command, *rest = arguments
        program = str(Path(sys.executable).with_name("litestream"))
        return [program, command, "-config", str(FOLLOW), *rest]

    def start(self) -> None:
        """Serve, and let Litestream follow."""
        self.server.start()
        self.replicate = subprocess.Popen(
            self.litestream("replicate"),
            env=self.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let it stand still meanwhile, as one does that has too much to do."""
        os.killpg(self.server.pid, signal.SIGSTOP)
        yield
        os.killpg(self.server.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End both at once: with `-exec`, as is shipped, Litestream does not outlive the server."""
        if self.replicate:
            self.replicate.kill()
            self.replicate.wait()
        self.server.kill()

    def lose(self) -> None:
        """Lose the machine and its disk."""
        self.kill()
        shutil.rmtree(self.folder)

    def restore(self) -> None:
        """Begin on an empty disk with what Litestream has elsewhere."""
        self.folder.mkdir()
        command = self.litestream("restore", str(self.server.database))
        subprocess.run(command, env=self.environment(), check=True, capture_output=True)
        self.start()


def ask(
    port: int,
    method: str,
    path: str,
    body: object = None,
    headers: dict[str, str] | None = None,
    source: str = "127.0.0.1",
) -> tuple[int, bytes]:
    """Call through the proxy; return the status and the body of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, (source, 0))
    try:
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def configuration(ports: dict[str, int], port: int) -> str:
    """Return the configuration that is shipped, for these instances and without HTTPS."""
    text = re.sub(
        r"^    bind .*$",
        f"    bind 127.0.0.1:{port}",
        CONFIGURATION.read_text(),
        flags=re.MULTILINE,
    )
    begin, end = text.index("    server a"), text.index("\nbackend a")
    lines = (f"    server {name} 127.0.0.1:{ports[name]} track {name}/{name}" for name in ports)
    backends = (
        f"backend {name}\n    server {name} 127.0.0.1:{ports[name]} check\n" for name in ports
    )
    assert "a/a" in text[begin:end]
    return text[:begin] + "\n".join([*lines, "", *backends])


@contextmanager
def proxied(folder: Path, ports: dict[str, int]) -> Iterator[Served]:
    """Run HAProxy in front of the instances."""
    port, file = free_port(), folder / "haproxy.cfg"
    file.write_text(configuration(ports, port))
    program = shutil.which("haproxy") or "/usr/sbin/haproxy"
    process = subprocess.Popen(
        [program, "-db", "-f", file], stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        wait(lambda: ask(port, "GET", "/healthz")[0] == 200)
        yield Served(port, process.pid)
    finally:
        process.kill()
        process.wait()


def wait(is_so: Callable[[], bool]) -> None:
    """Wait until something is so. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if is_so():
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise TimeoutError


@contextmanager
def served(folder: Path) -> Iterator[dict[str, Instance]]:
    """Serve four instances that know each other."""
    ports = {name: free_port() for name in NAMES}
    addresses = " ".join(f"{name}=http://127.0.0.1:{ports[name]}" for name in NAMES)
    with ExitStack() as stack:
        instances = {}
        for name in NAMES:
            (folder / name).mkdir()
            server = Server(
                folder / name,
                CHICAGO_INSTANCE=name,
                CHICAGO_INSTANCES=addresses,
                CHICAGO_PROXIES="1",
                CHICAGO_LOG="off",
                SECRET_KEY=KEY,
            )
            server.port, server.log = ports[name], folder / f"{name}.log"
            instances[name] = Instance(name, folder / name, server)
            stack.callback(instances[name].kill)
            instances[name].start()
        yield instances


def find_misled(port: int) -> list[str]:
    """Return what the proxy leads astray, or lets through to what instances ask each other."""
    expected = {
        **dict.fromkeys(("/", "/sw.js", "/static/app.css", "/healthz", "/api/openapi.json"), 200),
        **dict.fromkeys(("/t/none", "/t/a.none", "/t/zz.none", "/t/phones.none"), 404),
    }
    misled = [path for path, status in expected.items() if ask(port, "GET", path)[0] != status]
    # Who comes by the proxy finds nothing, even with an instance's own key.
    for name, below in itertools.product(NAMES, BELOW):
        headers = {"Authorization": authorization(KEY, name), **TOLD}
        path = f"{below}rule_sets.list_rule_sets"
        if ask(port, "POST", path, {"pen": "x"}, headers)[0] == HTTPStatus.OK:
            misled.append(path)
    return misled
