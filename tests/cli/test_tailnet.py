"""Where Tailscale runs, `make run` says how HTTPS is had by it, and runs nothing by itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNNING = '{"BackendState": "Running", "Self": {"DNSName": "pi.tail1234.ts.net."}}'
STAND_IN = """#!/bin/sh
echo "$@" >> "$0.calls"
cat <<'END'
%s
END
"""


def offered(folder: Path, status: str, **environ: str) -> str:
    """Return what is said on a machine with a Tailscale of that state."""
    stand_in = folder / "tailscale"
    stand_in.write_text(STAND_IN % status)
    stand_in.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return make({"PATH": path, **environ})


def make(environ: dict[str, str]) -> str:
    """Return what `make run` says of it before it serves."""
    # Nor is it a part of the `make -j` that may run the tests, whose jobs it could not share.
    chosen = ("CHICAGO_URL", "CHICAGO_CERT", "CHICAGO_PROXIES", "PORT", "MAKEFLAGS")
    quiet = dict.fromkeys(chosen, "")
    done = subprocess.run(
        ["make", "--no-print-directory", "tailnet"],
        cwd=ROOT,
        env={**os.environ, **quiet, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_where_it_runs_the_command_is_said(tmp_path: Path) -> None:
    """With this machine's name and port, and it was only asked how it is."""
    said = offered(tmp_path, RUNNING, PORT="9000")
    assert "    tailscale serve --bg 9000\n" in said
    assert "CHICAGO_URL=https://pi.tail1234.ts.net make run\n" in said
    assert (tmp_path / "tailscale.calls").read_text() == "status --json --peers=false\n"


@pytest.mark.parametrize(
    "status",
    [
        RUNNING.replace("Running", "NeedsLogin"),
        RUNNING.replace("pi.tail1234.ts.net.", ""),
        '{"BackendState": "Running", "Self": null}',
        "[]",
        "failed to connect to local tailscaled",
        "",
    ],
)
def test_where_nobody_is_logged_in_nothing_is(tmp_path: Path, status: str) -> None:
    """Nor where it says what nobody understands."""
    assert offered(tmp_path, status) == ""


@pytest.mark.parametrize("name", ["CHICAGO_URL", "CHICAGO_CERT", "CHICAGO_PROXIES"])
def test_who_has_https_already_is_not_asked(tmp_path: Path, name: str) -> None:
    """Another way was chosen."""
    assert offered(tmp_path, RUNNING, **{name: "1"}) == ""
