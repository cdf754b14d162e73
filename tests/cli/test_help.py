"""`--help` teaches the command, in the language of the environment."""

import json
import re

import pytest
from flask import Flask

from app.cli.help_texts import SCORE_HELP
from app.rules.events import EVENTS
from app.rules.presets import PRESETS
from tests.cli.games import Run

COMMANDS = ["score", "settle", "compare"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_exit_statuses(command: str, run: Run) -> None:
    """Every command shows how it is run and what its exit status means, on 80 columns."""
    outcome = run(command, "--help")
    assert outcome.exit_code == 0
    assert f"flask --app app {command} " in outcome.stdout
    assert re.search(r"^ +2  .+", outcome.stdout, re.MULTILINE)
    assert "--json" in outcome.stdout


def test_help_names_every_event_and_rule_set(run: Run) -> None:
    """Whoever writes a game file by hand finds all words in one place."""
    words = set(re.findall(r"\w+", run("score", "--help").stdout))
    assert set(EVENTS) <= words
    assert set(PRESETS) <= words


def test_the_game_file_in_the_help_is_a_game(run: Run) -> None:
    """It is scored as it stands."""
    start, end = SCORE_HELP.index('{"format"'), SCORE_HELP.index("\n\nPlayers sit")
    game = json.dumps(json.loads(SCORE_HELP[start:end]))
    outcome = run("score", "--json", "-", stdin=game)
    assert json.loads(outcome.stdout)["scores"] == {"Anna": 1, "Bo": 5, "Cilla": 0}


def test_every_command_is_listed(app: Flask) -> None:
    """The application offers them to `flask --help`, each with its first sentence."""
    commands = app.cli.commands
    assert set(COMMANDS) <= set(commands)
    assert all(commands[name].get_short_help_str() for name in COMMANDS)
