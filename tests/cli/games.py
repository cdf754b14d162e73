"""Games for the commands, and a real process to run them in."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "flask", "--app", "app"]

Run = Callable[..., Result]
Write = Callable[..., str]
Event = dict[str, Any]


def game_of(*events: Event, **setup: object) -> dict[str, Any]:
    """Make a game file's object: three players under `pagat`, unless given otherwise."""
    usual = {"players": ["Anna", "Bo", "Cilla"], "rules": {"preset": "pagat"}}
    return {"format": "chicago-game/1", **usual, **setup, "events": list(events)}


def best(player: str, hand: str, **more: object) -> Event:
    """Return the event of a best hand."""
    return {"event": "best_hand", "player": player, "hand": hand, **more}


def nobody() -> Event:
    """Return the event that nobody has the best hand."""
    return {"event": "no_best_hand"}


def trick(player: str) -> Event:
    """Return the event of a last trick."""
    return {"event": "last_trick", "player": player}


def correct(player: str, points: int, **more: object) -> Event:
    """Return the event of a correction."""
    return {"event": "correction", "player": player, "points": points, **more}


def bid(player: str, **more: object) -> Event:
    """Return the event of a Chicago bid."""
    return {"event": "chicago", "player": player, **more}


def chicago_result(*, won: bool, **more: object) -> Event:
    """Return the event of a Chicago's result."""
    return {"event": "chicago_result", "won": won, **more}


def leaves(player: str) -> Event:
    """Return the event of a player who goes home."""
    return {"event": "leaves", "player": player}


def break_off(*, settle: bool = True) -> Event:
    """Return the event of a game that is broken off."""
    return {"event": "break_off", "settle": settle}


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
