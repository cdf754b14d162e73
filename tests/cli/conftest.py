"""Fixtures of the command tests: a way to run commands, and game files for them."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from app import create_app
from tests.cli.games import Event, Run, Write, game_of
from tests.empty_database import copy_empty_database

ENGLISH = {"LANG": "en_US.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Return one application for all commands, none of which changes anything."""
    path = copy_empty_database(tmp_path_factory.mktemp("cli") / "chicago.db")
    return create_app({"TESTING": True, "DATABASE": str(path)})


@pytest.fixture
def run(app: Flask) -> Run:
    """Return a function that runs a command in English; a traceback fails the test."""

    def invoke(*args: str, stdin: bytes | str = b"", **env: str) -> Result:
        runner = app.test_cli_runner()
        return runner.invoke(
            args=list(args), input=stdin, env={**ENGLISH, **env}, catch_exceptions=False
        )

    return invoke


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a game file, and returns its path."""

    def to_file(*happened: str | Event, file: str = "game.json", **setup: object) -> str:
        path = tmp_path / file
        path.write_text(json.dumps(game_of(*happened, **setup)), encoding="utf-8")
        return str(path)

    return to_file
