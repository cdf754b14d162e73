"""A disk that fails, is full or may not be written to: nothing told is lost, and it is told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 120


@pytest.fixture(scope="module")
def figures() -> str:
    """Run a short evening in a process of its own, since its disk is the whole process's."""
    command = [sys.executable, "-m", "tests.hard.faults", "--every", "60", "--steps", "3"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=PATIENCE, check=False)
    return ended.stdout.decode()


def told(figures: str, name: str) -> list[str]:
    """Return the figures of this name, one for each way to fail."""
    return re.findall(rf": {name} +(\d+)", figures)


def test_nothing_is_lost_or_doubled(figures: str) -> None:
    """Whatever fails when: what was acknowledged is there, once, and is again without hands."""
    assert "0" not in told(figures, "evenings"), figures
    assert told(figures, "lost, doubled, unsound") == ["0"] * 6, figures


def test_whoever_writes_is_told_to_come_again(figures: str) -> None:
    """A write that fails is answered with 503, in words, and with when to try again."""
    assert told(figures, "no honest 503") == ["0"] * 6, figures
