"""Whole evenings, from the first request to the last, match their records."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest
from flask import Flask

from tests.evenings.replay import FOLDER, play, read, served, write

LOGGED = re.compile(r"^[0-9a-f]{12} [A-Z]+ |\d{3} \d+\.\d ms$")


@pytest.fixture(scope="module")
def app() -> Iterator[Flask]:
    """Return the application; each evening has its own table."""
    with served() as started:
        yield started


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_everybody_sees_what_they_saw(
    app: Flask, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The same requests get the same status codes, words and numbers.

    The log has their ids, routes and times, and nothing else: no name, link or pen.
    """
    caplog.set_level(logging.INFO)
    recorded = path.read_text("utf-8")
    played = write(play(app.test_client, read(path)))
    different = unified_diff(recorded.splitlines(), played.splitlines(), "recorded", "now", n=5)
    if recorded != played:
        pytest.fail("\n".join(list(different)[:80]), pytrace=False)
    routes = {f"{rule.rule} " for rule in app.url_map.iter_rules()} | {"- "}
    lines = [LOGGED.sub("", record.getMessage()) for record in caplog.records]
    assert lines
    assert {*lines} <= routes
