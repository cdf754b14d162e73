"""The commands of games and hands: `answers.json` has files, command, output, errors and status."""

import json
import re
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskCliRunner

from app import create_app
from app.rules.gamefile import FORMAT
from tests.empty_database import copy_empty_database
from tests.rules.table import write_facts
from tests.test_documents import ENGLISH

CALLS = json.loads(Path(__file__).with_name("answers.json").read_text(encoding="utf-8"))
COMMANDS = ("score", "settle", "compare", "backup", "restore")


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> FlaskCliRunner:
    """Return the commands of one application, none of which changes anything."""
    path = copy_empty_database(tmp_path_factory.mktemp("cli") / "chicago.db")
    runner = create_app({"TESTING": True, "DATABASE": str(path)}).test_cli_runner()
    runner.invoke = partial(runner.invoke, catch_exceptions=False)  # type: ignore[method-assign]  # a traceback fails the test
    return runner


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that a command runs in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_game(happened: list[str], **setup: object) -> str:
    """Write a game file's text: three players under `pagat`, unless given otherwise."""
    usual = {"format": FORMAT, "players": ["Anna", "Bo", "Cilla"], "rules": {"preset": "pagat"}}
    events = write_facts(*happened)
    return json.dumps({**usual, **setup, "events": events}, ensure_ascii=False)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: str(call["command"]))
def test_a_command_answers_as_recorded(
    call: dict[str, Any], runner: FlaskCliRunner, folder: Path
) -> None:
    """Its files are there, and in its input a name stands for a file's text."""
    stdin = call.get("stdin", "")
    for name, game in call.get("files", {}).items():
        (folder / name).write_text(write_game(**game), encoding="utf-8")
        stdin = stdin.replace(f"<{name}>", write_game(**game))
    environment = {**ENGLISH, **call.get("env", {})}
    outcome = runner.invoke(args=shlex.split(call["command"]), input=stdin, env=environment)
    answer = (outcome.exit_code, outcome.stdout.splitlines(), outcome.stderr.splitlines())
    assert answer == (call.get("exit", 0), call.get("stdout", []), call.get("stderr", []))


GAME = write_game(["Bo 12321"]).encode()
BROKEN = {
    "a null byte after the game": GAME + b"\x00",
    "half a surrogate pair": GAME.replace(b"Anna", rb"A\ud83d"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a number too long": b"9" * 10_000,
    "a number too large": b"1e999",
    **{f"points of {n} digits": GAME.replace(b"12321", b"9" * n) for n in (1000, 4300, 5000)},
}


@pytest.mark.parametrize("name", BROKEN)
def test_bytes_that_are_no_game_are_a_bad_file(
    name: str, runner: FlaskCliRunner, folder: Path
) -> None:
    """They give a line of JSON, or a sentence that names the file."""
    (folder / "game").write_bytes(BROKEN[name])
    for_programs, for_people = (runner.invoke(args=["score", *o, "game"]) for o in (["--json"], []))
    assert json.loads(for_programs.stdout)["error"]["code"] == "bad_file"
    assert for_people.stderr.startswith("game: ")
    assert (for_programs.exit_code, for_programs.stderr, for_people.exit_code) == (1, "", 1)


def test_a_score_of_hundreds_of_digits_is_written_in_full(
    runner: FlaskCliRunner, folder: Path
) -> None:
    """A sum that can be computed is written, for programs and for people."""
    text = write_game(["Bo 12321, Bo 12321"], rules={"negative_scores": True})
    (folder / "game").write_text(text.replace("12321", "9" * 900))
    assert f'"Bo": 1{"9" * 899}8' in runner.invoke(args=["score", "--json", "game"]).stdout
    assert runner.invoke(args=["score", "game"]).exit_code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_a_command_takes_and_its_exit_statuses(
    command: str, runner: FlaskCliRunner
) -> None:
    """The help has a few lines, the first of which stands in the list of all commands."""
    outcome = runner.invoke(args=[command, "--help"], env=ENGLISH)
    assert re.search(r": 0\b.+ [12]\b", " ".join(outcome.stdout.split()))
    assert command in runner.invoke(args=["--help"], env=ENGLISH).stdout
