"""README's two commands, the service and the container's steps on bare Debians, by debootstrap.

    python -m tests.hard.debian machine [--suite trixie] [--user] [--tests FILE]
    python -m tests.hard.debian container [--architecture arm64] [--without-kit]
    python -m tests.hard.debian service [--suite bookworm]

Run it as root. It has the folders, some gigabytes, in build/debian, and needs Debian's packages
from a mirror and Python's from wherever pip finds them; the service also needs systemd-nspawn.
Exit status 1 where a step failed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.hard.dockerfile import Build
from tests.hard.figures import Figures
from tests.hard.roots import FOLDER, Debian, Failed, bootstrap, remove, take_sources

PATIENCE = 900.0
# What a container's engine waits before it ends a container by force.
GRACE = 10.0
PLACE = "/opt/chicago"
USER = 1000


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(port: int, path: str, body: object = None, pen: str = "") -> str:
    """Return what the server in the folder answers."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if pen:
        request.add_header("Authorization", f"Bearer {pen}")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.read().decode())


@contextmanager
def served(debian: Debian, words: Sequence[str], figures: Figures) -> Iterator[int]:
    """Serve from the folder; yields the port. At the end it is asked to stop, as engines ask."""
    port = free_port()
    debian.variables["PORT"] = str(port)
    log = debian.path.with_suffix(".log")
    with log.open("wb") as out:
        process = subprocess.Popen(debian.command(words), stdout=out, stderr=out)
    try:
        figures.add("seconds until it answers", f"{wait_for(port, process, log):.1f}")
        yield port
        begin = time.monotonic()
        os.kill(first_process(process.pid), signal.SIGTERM)
        process.wait(PATIENCE)
        seconds = time.monotonic() - begin
        figures.add("seconds until it ended, asked to", f"{seconds:.1f}", kept=seconds < GRACE)
    finally:
        process.kill()
        process.wait()


def first_process(pid: int) -> int:
    """Return the folder's process number 1, by its number out here."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> float:
    """Wait until the server says that it is well; returns the seconds. Raises Failed."""
    begin = time.monotonic()
    while time.monotonic() - begin < PATIENCE:
        if process.poll() is not None:
            break
        try:
            if ask(port, "/healthz") == "ok":
                return time.monotonic() - begin
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
    raise Failed(f"It does not answer:\n{log.read_text(errors='replace')[-3000:]}")


def keep_a_score(debian: Debian, words: Sequence[str], figures: Figures) -> None:
    """Make a table and record at it; ended and started again, the server still has it."""
    with served(debian, words, figures) as port:
        made = json.loads(ask(port, "/api/tables", {"players": ["Anna", "Bo", "Cilla"]}))
        path = f"/api/tables/{made['table']}"
        point = {"event": "correction", "player": "Anna", "points": 1}
        ask(port, f"{path}/events", point, made["pen"])
        before = ask(port, path)
    with served(debian, words, figures) as port:
        figures.add("the table afterwards", "as before", kept=ask(port, path) == before)


def machine(asked: argparse.Namespace, figures: Figures) -> None:
    """Run `make run`, and `make test` with one file of tests, on a bare Debian."""
    name = f"{asked.suite}-{asked.architecture}-{'user' if asked.user else 'root'}"
    debian = bootstrap(asked.suite, asked.architecture, asked.mirror).copy(FOLDER / name)
    debian.run("apt-get", "update", "-qq")
    packages = ["make", *(["python3-venv"] if asked.user else [])]
    debian.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    place = debian.path / PLACE.lstrip("/")
    take_sources(place)
    debian.cwd = PLACE
    if asked.user:
        debian.run("useradd", "--uid", str(USER), "--home-dir", "/tmp", "anna")
        debian.run("chown", "-R", f"{USER}:{USER}", PLACE)
    if asked.user and asked.tests:
        # Who may install nothing brings a browser along, or lets Playwright fetch its own.
        browser = ["chromium", "fonts-dejavu-core", "libatomic1"]
        debian.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *browser)
    debian.user = f"{USER}:{USER}" if asked.user else debian.user
    keep_a_score(debian, ["make", "run"], figures)
    if asked.tests:
        begin = time.monotonic()
        said = debian.run("make", "test", f"ARGS={asked.tests}")
        figures.add("make test", f"{time.monotonic() - begin:.0f} s: {said.splitlines()[-1]}")


def service(asked: argparse.Namespace, figures: Figures) -> None:
    """Boot a Debian whose systemd starts the service, twice, and ask it as a phone would."""
    path = FOLDER / f"{asked.suite}-{asked.architecture}-service"
    debian = bootstrap(asked.suite, asked.architecture, asked.mirror).copy(path)
    debian.run("apt-get", "update", "-qq")
    packages = ["make", "python3-venv", "systemd-sysv"]
    debian.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    take_sources(path / PLACE.lstrip("/"))
    debian.cwd = PLACE
    debian.run("make", ".venv/runtime.stamp")
    debian.run("systemctl", "enable", f"{PLACE}/deploy/chicago.service")
    before = ""
    for _ in range(2):
        with booted(path, figures) as port:
            if not before:
                link = json.loads(ask(port, "/api/tables", {"players": ["Anna", "Bo"]}))["table"]
            now = ask(port, f"/api/tables/{link}")
            figures.add("the table", "as before" if before else "made", kept=now == (before or now))
            before = now


@contextmanager
def booted(path: Path, figures: Figures) -> Iterator[int]:
    """Boot the folder with systemd-nspawn and yield the service's port; then shut it down."""
    port = free_port()
    (path / "etc" / "chicago.env").write_text(f"PORT={port}\n")
    log = path.with_suffix(".log")
    command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--directory", path], stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
    try:
        figures.add("seconds until it answers", f"{wait_for(port, process, log):.1f}")
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)
    begun, failed = (log.read_bytes().count(word) for word in (b"Started ", b"FAILED"))
    figures.add("units started", begun, kept=not failed)


def container(asked: argparse.Namespace, figures: Figures) -> None:
    """Build the container in folders, and serve from it as compose.yaml would."""
    bare = bootstrap("trixie", asked.architecture, asked.mirror)
    arguments = {"KIT": "no"} if asked.without_kit else {}
    build = Build(bare, arguments, f"container-{asked.architecture}")
    begin = time.monotonic()
    built = build.run()
    figures.add("seconds to build", f"{time.monotonic() - begin:.0f}")
    megabytes = [disk_usage(folder.path) / 1e6 for folder in (bare, built)]
    figures.add("megabytes, upon those of Debian", f"{megabytes[1]:.0f}, {megabytes[0]:.0f}")
    volume = FOLDER / f"container-{asked.architecture}-volume"
    remove(volume)
    # A new volume gets what the container has there, with its owner.
    inside = build.volume.lstrip("/")
    subprocess.run(["cp", "-a", built.path / inside, volume], check=True)
    built.mounts[inside], built.read_only = volume, True
    keep_a_score(built, build.command, figures)
    with served(built, build.command, figures) as port:
        built.run(*build.health)
        if not asked.without_kit:
            size = len(ask(port, "/offline/kit.json"))
            figures.add("what phones take along has a list", f"{size} bytes")
    figures.add("the health check", "passes while it serves", kept=refuses(built, build.health))
    said = built.run("python", "-c", "from app.store.startup import *; print(sqlite_version())")
    figures.add("SQLite", said.strip())
    figures.add("in the volume", ", ".join(sorted(path.name for path in volume.iterdir())))


def refuses(built: Debian, health: Sequence[str]) -> bool:
    """Whether the health check fails, as it must when nothing serves."""
    try:
        built.run(*health)
    except Failed:
        return True
    return False


def disk_usage(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    said = subprocess.run(["du", "-sbx", folder], capture_output=True, check=True, text=True)
    return int(said.stdout.split()[0])


def main() -> int:
    """Run what is asked for, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["machine", "container", "service"])
    parser.add_argument("--suite", default="trixie")
    parser.add_argument("--architecture", default="amd64")
    parser.add_argument("--mirror", default="http://deb.debian.org/debian")
    parser.add_argument("--user", action="store_true", help="not as root")
    parser.add_argument("--tests", default="", help="a file for make test")
    parser.add_argument("--without-kit", action="store_true")
    asked = parser.parse_args()
    figures = Figures(" ".join(sys.argv[1:]))
    try:
        {"machine": machine, "container": container, "service": service}[asked.what](asked, figures)
    except (Failed, subprocess.CalledProcessError) as error:
        figures.add("failed", error, kept=False)
    return figures.print()


if __name__ == "__main__":
    sys.exit(main())
