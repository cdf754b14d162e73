"""`make run` beside Tailscale: it prints the commands for HTTPS, and runs none of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from app.cli.announcement import write_offer
from tests.cli.games import ROOT

RUNNING = '{"BackendState": "Running", "Self": {"DNSName": "pi.tail1234.ts.net."}}'
STAND_IN = """#!/bin/sh
echo "$@" >> "$0.calls"
cat <<'END'
%s
END
"""


def test_where_it_runs_the_command_is_said(tmp_path: Path) -> None:
    """The command has this machine's name and port; Tailscale was only asked for its status."""
    stand_in = tmp_path / "tailscale"
    stand_in.write_text(STAND_IN % RUNNING)
    stand_in.chmod(0o755)
    # MAKEFLAGS is empty too: the job server of a `make -j` that runs the tests cannot be shared.
    chosen = ("CHICAGO_URL", "CHICAGO_CERT", "CHICAGO_PROXIES", "MAKEFLAGS")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["make", "--no-print-directory", "tailnet"],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(chosen, ""), "PATH": path, "PORT": "9000"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "    tailscale serve --bg 9000\n" in done.stdout
    assert "CHICAGO_URL=https://pi.tail1234.ts.net make run\n" in done.stdout
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
def test_where_nobody_is_logged_in_nothing_is(status: str) -> None:
    """The same holds for an unreadable status."""
    assert write_offer(status, {}) == ""


@pytest.mark.parametrize("name", ["CHICAGO_URL", "CHICAGO_CERT", "CHICAGO_PROXIES"])
def test_who_has_https_already_is_not_asked(name: str) -> None:
    """HTTPS is set up in another way."""
    assert write_offer(RUNNING, {name: ""})
    assert write_offer(RUNNING, {name: "1"}) == ""
