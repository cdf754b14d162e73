"""Whole evenings, from the first request to the last, match their records."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest
from flask import Flask

from tests.evenings.replay import FOLDER, play, read, served, write


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    """Return the application; each evening has its own table."""
    with served() as started:
        yield started


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_everybody_sees_what_they_saw(app: Flask, path: Path) -> None:
    """The same requests get the same status codes, words and numbers."""
    recorded = path.read_text("utf-8")
    played = write(play(app, read(path)))
    different = unified_diff(recorded.splitlines(), played.splitlines(), "recorded", "now", n=5)
    if recorded != played:
        pytest.fail("\n".join(list(different)[:80]), pytrace=False)
