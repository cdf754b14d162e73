"""Whole evenings, from the first request to the last, match their records."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest
from flask import Flask

from tests.empty_database import copy_empty_database
from tests.evenings.replay import replay
from tests.web.conftest import serve

EVENINGS = sorted(Path(__file__).parent.glob("*.json"))
LOGGED = re.compile(r"^[0-9a-f]{12} [A-Z]+ |\d{3} \d+\.\d ms$")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return the application; each evening has its own table."""
    started = serve(copy_empty_database(tmp_path_factory.mktemp("evenings") / "chicago.db"))
    yield started
    started.close()


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.stem)
def test_everybody_sees_what_they_saw(
    app: Flask, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The same requests get the same status codes, words and numbers.

    The log has their ids, routes and times, and nothing else: no name, link or pen.
    """
    caplog.set_level(logging.INFO)
    recorded, played = path.read_text("utf-8"), replay(app, path)
    if "RECORD" in os.environ:
        path.write_text(played, "utf-8")
    elif recorded != played:
        different = unified_diff(recorded.splitlines(), played.splitlines(), "recorded", "now", n=5)
        pytest.fail("\n".join([*different][:80]), pytrace=False)
    routes = {f"{rule.rule} " for rule in app.url_map.iter_rules()} | {"- "}
    lines = [LOGGED.sub("", record.getMessage()) for record in caplog.records]
    assert lines
    assert {*lines} <= routes
