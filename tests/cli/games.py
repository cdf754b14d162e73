"""Games for the commands, and a real process to run them in."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

from tests.rules.table import write_facts

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "flask", "--app", "app"]

Run = Callable[..., Result]
Write = Callable[..., str]
Event = dict[str, Any]


def game_of(*happened: str | Event, **setup: object) -> Event:
    """Make a game file's object: three players under `pagat`, unless given otherwise."""
    usual = {"players": ["Anna", "Bo", "Cilla"], "rules": {"preset": "pagat"}}
    events = write_facts(*happened)
    return {"format": "chicago-game/1", **usual, **setup, "events": events}


def start(*args: str, **env: str) -> subprocess.Popen[bytes]:
    """Start a command in a process of its own, from the repository's root."""
    inherited = {key: value for key, value in os.environ.items() if key[:3] != "LC_"}
    return subprocess.Popen(
        [*COMMAND, *args],
        cwd=ROOT,
        env={**inherited, "LANG": "en_US.UTF-8", **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
