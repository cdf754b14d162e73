"""The targets of `make` that serve: `run`, with the bundle's build beside it, `dev`, `tailnet`."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from app.http.address import CHOICES, write_offer
from tests.api.network import send
from tests.browser.serving import Server
from tests.checkout import ROOT, clone, set_up
from tests.hard.dockerfile import outside_of_make
from tests.told import told

# The build reports its start through a FIFO, which blocks until somebody reads it.
PROGRAMS = {
    "gunicorn": "echo serving\nexec sleep infinity",
    "python": 'echo "$@" > {folder}/begun\n{build}',
}
RUNNING = '{"BackendState": "Running", "Self": {"DNSName": "pi.tail1234.ts.net."}}'


def write_program(path: Path, script: str) -> None:
    """Write a shell script in the place of a program."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def read_until(process: subprocess.Popen[str], *ends: str) -> str:
    """Read output until all of these lines have come, in any order."""
    assert process.stdout
    said: list[str] = []
    while not {*ends} <= {*said}:
        line = process.stdout.readline()
        assert line, said
        said.append(line.strip())
    return "\n".join(said)


def interrupt(process: subprocess.Popen[str]) -> str:
    """End a run as Ctrl-C does; return the rest of the output of all processes."""
    # A background job of a shell ignores the interrupt itself.
    os.killpg(process.pid, signal.SIGTERM)
    process.wait()
    return process.communicate()[0]


@told
def test_the_bundle_is_built_beside_the_server(
    tmp_path: Path, build: str, variable: str, ends: list[str]
) -> None:
    """Stand-ins take the place of the server and the build."""
    os.mkfifo(tmp_path / "begun")
    for name, script in PROGRAMS.items():
        write_program(tmp_path / name, script.format(folder=tmp_path, build=build))
    for stamp in ("runtime.stamp", "kit.stamp"):
        (tmp_path / stamp).touch()
    here = os.path.relpath(tmp_path, ROOT)
    chosen = {"VENV": here, "BIN": here, "KIT_LIST": f"{here}/kit", "KIT_LOG": f"{here}/log"}
    process = subprocess.Popen(
        ["make", "run", *map("=".join, chosen.items()), *variable.split()],
        cwd=ROOT,
        env=outside_of_make(),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    if not variable:
        assert (tmp_path / "begun").read_text("utf-8") == "-m app.offline.build\n"
    said = read_until(process, "serving", *(line.replace("LOG", f"{here}/log") for line in ends))
    assert (said == "serving") is bool(variable)
    assert ("KIT=no" in said) is not bool(variable)
    assert process.poll() is None
    assert "bundle" not in interrupt(process)


@pytest.fixture
def developing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Run `make dev` for one test, in a clone that may be changed."""
    for name in os.environ.keys() - outside_of_make().keys():
        monkeypatch.delenv(name)
    server = Server(tmp_path, HOST="")
    server.command, server.home = ["make", "dev"], set_up(clone(tmp_path / "clone"))
    server.start()
    yield server
    server.kill()
    server.stop()


def answer(server: Server) -> str:
    """Return the head and the body of a page."""
    page = send(server.port, "GET", "/rules")
    return f"{page.headers}{page.data.decode()}"


def has_started(times: int, log: str) -> bool:
    """Tell whether workers have begun so many times."""
    return log.count("Booting worker") >= times


def test_what_was_written_is_served(developing: Server) -> None:
    """A module that the server's master has read is read anew, as is a template."""
    assert "The score keeper is at http://127.0.0.1:" in developing.log.read_text("utf-8")
    changes = {"app/http/log.py": "X-Request-Id", "templates/base.html": "#101d17"}
    for starts, (name, text) in enumerate(changes.items(), start=2):
        # Its answer says that it looks out for changes.
        new = f"Made-Anew-{starts}"
        assert new not in answer(developing)
        file = developing.home / name
        file.write_text(file.read_text("utf-8").replace(text, new))
        developing.until(partial(has_started, starts))
        assert new in answer(developing)


def test_beside_tailscale_the_command_for_https_is_said(tmp_path: Path) -> None:
    """It has this machine's name and port; Tailscale was only asked for its status."""
    write_program(tmp_path / "tailscale", f'echo "$@" >> "$0.calls"\necho \'{RUNNING}\'')
    # Of a `make -j` that runs the tests the job server cannot be shared.
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["make", "--no-print-directory", "tailnet"],
        cwd=ROOT,
        env={**outside_of_make(), **dict.fromkeys(CHOICES, ""), "PATH": path, "PORT": "9000"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "    tailscale serve --bg 9000\n" in done.stdout
    assert "CHICAGO_URL=https://pi.tail1234.ts.net make run\n" in done.stdout
    assert (tmp_path / "tailscale.calls").read_text("utf-8") == "status --json --peers=false\n"


@told
def test_where_nobody_is_logged_in_nothing_is_said(status: str) -> None:
    """The same holds for an unreadable status."""
    assert write_offer(status, {}) == ""


@pytest.mark.parametrize("name", CHOICES)
def test_who_has_https_already_is_not_asked(name: str) -> None:
    """HTTPS is set up in another way."""
    assert write_offer(RUNNING, {name: ""})
    assert write_offer(RUNNING, {name: "1"}) == ""
