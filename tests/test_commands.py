"""Every command that a document names is carried out by a test, or there is a reason why not.

`commands.json` says where: in a test, or in FORMAT, whose answers test_documents.py compares. Those
of make and of the tests themselves are carried out here.
"""

import json
import re
import shlex
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from tests.checkout import BIN, ROOT, clone, set_up
from tests.hard.dockerfile import outside_of_make
from tests.test_documents import DOCUMENTS, ENGLISH, SERVERS, text

# What a command in a sentence begins with.
PROGRAM = re.compile(
    r"(?:[A-Z_]+=\S* )*(?:\.venv/bin/)?(?:make|flask|chicago|python|pipx?|uv|pybabel|docker"
    r"|rsync|litestream|caddy|haproxy|systemctl|fly|git|sqlite3|gcc|iptables|ulimit)\s"
)
OF_MAKE = "make (?!run|dev|test|offline|site|wheel).*"
OF_TESTS = "python tests(?!.bench.bundle).*"


def read_commands(document: Path) -> Iterator[str]:
    """Yield the commands that a document names, without prompts and comments."""
    whole = text(document)
    if document in SERVERS:
        lines = re.findall(r"(?m)^#   (?![A-Z_]+ )(.*)$", whole)
        lines += filter(PROGRAM.match, re.findall(r"(?m)^# +(.*)$", whole))
    else:
        blocks = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
        lines = [*filter(PROGRAM.match, re.findall(r"`([^`]*)`", blocks.sub("", whole)))]
        for language, block in blocks.findall(whole):
            lines += block.splitlines() if language == "sh" else []
            lines += re.findall(r"(?m)^\$ (?!echo )(.*)$", block)
    for line in lines:
        yield from re.sub(r"\s{2,}.*", "", line.replace("\n", " ")).split(" && ")


def name_of(command: str) -> str:
    """Return the program of a command and what it is to do: `make bench`, `flask backup`."""
    plain = re.sub(r"\b[A-Z_]+=\S* |\.venv/bin/|--app app |-C \S+ |-m ", "", f"{command} ")
    named = re.match(r"\S+(?: [a-z][\w.]*(?= ))?", plain)
    assert named, command
    return named[0]


COMMANDS: dict[str, set[str]] = defaultdict(set)
for found in (each for document in (*DOCUMENTS, *SERVERS) for each in read_commands(document)):
    COMMANDS[name_of(found)].add(found)


def commands(pattern: str) -> list[str]:
    """Return the commands whose names match a pattern."""
    return sorted(c for name in COMMANDS if re.fullmatch(pattern, name) for c in COMMANDS[name])


def test_every_command_is_carried_out_or_has_its_reason() -> None:
    """Each is in one of the tables, or is carried out below; and nothing else is."""
    below = re.compile(f"{OF_MAKE}|{OF_TESTS}|flask years|sqlite3|pybabel init")
    tables = json.loads((ROOT / "tests" / "commands.json").read_text("utf-8"))
    assert {*COMMANDS} == {
        *tables["carried_out"],
        *tables["why_not"],
        *filter(below.fullmatch, COMMANDS),
    }
    for name, test in tables["carried_out"].items():
        assert name.split()[-1] in text(ROOT / test), name


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone where each program of the environment only notes how it was called."""
    home = set_up(clone(tmp_path_factory.mktemp("clone")))
    programs = home / ".venv" / "bin"
    programs.unlink()
    programs.mkdir()
    # `make lock` brings uv along.
    for name in {"uv", *(path.name for path in BIN.iterdir())}:
        (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {home}/calls\n')
        (programs / name).chmod(0o755)
    return home


@pytest.mark.parametrize("command", commands(OF_MAKE))
def test_make_calls_programs_and_modules_that_there_are(home: Path, command: str) -> None:
    """Each of its lines is run, with stand-ins for the programs, and with the named arguments."""
    (home / "calls").write_text("")
    carry_out(*shlex.split(command), home=home)
    calls = (home / "calls").read_text("utf-8").splitlines()
    assert calls
    for call in calls:
        if module := re.match(r"python -m (\S+)", call):
            assert find_spec(module[1]), call
            if "ARGS" in command:
                test_modules_of_the_tests_take_the_arguments_that_are_named(call)


@pytest.mark.parametrize("command", commands(OF_TESTS))
def test_modules_of_the_tests_take_the_arguments_that_are_named(command: str) -> None:
    """They are read, and nothing is begun."""
    carry_out(sys.executable, *shlex.split(command)[1:], "--help")


def carry_out(*command: str, home: Path = ROOT) -> None:
    """Run a command, which must succeed."""
    subprocess.run(command, cwd=home, env=outside_of_make(), check=True, capture_output=True)


def test_what_reads_the_database_from_outside_finds_it(app: Flask) -> None:
    """The years are worked out, and SQLite reads a view, of a database without a table."""
    for command in commands("flask years"):
        _, _, _, *arguments = shlex.split(command)
        outcome = app.test_cli_runner().invoke(args=arguments, env=ENGLISH, catch_exceptions=False)
        assert outcome.output == "Recalculated 0 games.\n"
    for command in commands("sqlite3"):
        *_, query = shlex.split(command)
        with closing(
            sqlite3.connect(f"file:{app.config['DATABASE']}?mode=ro", uri=True)
        ) as reading:
            assert reading.execute(query).fetchall() == []


def test_a_catalog_is_made_for_another_language(tmp_path: Path) -> None:
    """It has every text, and no translation yet."""
    (command,) = commands("pybabel init")
    program, init, *options = shlex.split(command)
    chosen = dict(zip(options[::2], options[1::2], strict=True))
    texts = ROOT / chosen["-d"] / "sv" / "LC_MESSAGES" / "messages.po"
    carry_out(str(ROOT / program), init, "-i", str(texts), "-d", str(tmp_path), "-l", chosen["-l"])
    assert [*tmp_path.glob(f"{chosen['-l']}/*/messages.po")]


@pytest.mark.parametrize("command", commands("docker (compose|run)"))
def test_docker_is_told_of_what_there_is(command: str) -> None:
    """A service, a profile, a port and a volume are those of compose.yaml and the Dockerfile."""
    services = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())["services"]
    profiles = {each for service in services.values() for each in service.get("profiles", [])}
    assert {*re.findall(r"--profile (\S+)", command)} <= profiles
    assert {*re.findall(r" exec (\S+)", command)} <= {*services}
    told = [f"EXPOSE {port}" for port in re.findall(r"--publish \d+:(\d+)", command)]
    told += [f"VOLUME {volume}" for volume in re.findall(r"--volume \w+:(\S+)", command)]
    assert {*told} <= {*text(ROOT / "Dockerfile").splitlines()}
