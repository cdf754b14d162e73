"""`--help`: it teaches the command, in the language of the environment."""

import re

import pytest
from flask import Flask

from tests.cli.games import Run

COMMANDS = ["score", "settle", "compare", "backup", "restore"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_a_command_takes_and_its_exit_statuses(command: str, run: Run) -> None:
    """The help has a few lines; docs/FORMAT.md has the rest."""
    outcome = run(command, "--help")
    assert outcome.exit_code == 0
    assert re.search(r": 0\b.+ [12]\b", " ".join(outcome.stdout.split()))


def test_every_command_is_listed(app: Flask) -> None:
    """`flask --help` lists them, each with its first sentence."""
    commands = app.cli.commands
    assert set(COMMANDS) <= set(commands)
    assert all(commands[name].get_short_help_str() for name in COMMANDS)
