"""Every command that a document names is carried out by a test, or there is a reason why not."""

from __future__ import annotations

import re
import shlex
import shutil
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
from tests.test_documents import DOCUMENTS, ENGLISH, text

COMPOSE = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())
# Files for a server: they begin with the commands to use them.
SERVERS = (*sorted((ROOT / "deploy").iterdir()), ROOT / "compose.yaml", ROOT / "Dockerfile")
# What a command in a sentence begins with.
PROGRAM = re.compile(
    r"(?:[A-Z_]+=\S* )*(?:\.venv/bin/)?(?:make|flask|chicago|python|pipx?|uv|pybabel|docker"
    r"|rsync|litestream|caddy|haproxy|systemctl|fly|git|sqlite3|gcc|iptables|ulimit)\s"
)
# Where a command is carried out: in a test, or where FORMAT has its answer, which test_documents.py
# compares. Those of make and of the tests themselves are carried out below.
CARRIED_OUT = {
    "make run": "tests/cli/test_make.py",
    "make dev": "tests/cli/test_make.py",
    "make offline": "tests/hard/dockerfile.py",
    "make site": "tests/browser/test_site.py",
    "flask score": "docs/FORMAT.md",
    "flask settle": "docs/FORMAT.md",
    "flask compare": "docs/FORMAT.md",
    "flask run": "tests/api/test_one_thread.py",
    "flask backup": "tests/services/test_backup.py",
    "flask restore": "tests/services/test_backup.py",
    "chicago run": "tests/test_wheel.py",
    "chicago backup": "tests/test_wheel.py",
    "chicago": "tests/test_wheel.py",
    "flask vacuum": "tests/services/test_clearing_files.py",
    "docker build": "tests/hard/dockerfile.py",
    "caddy run": "tests/hard/front.py",
    "litestream restore": "tests/services/test_litestream.py",
    "litestream replicate": "tests/services/test_litestream.py",
    "python tests.bench.bundle": "tests/bench/bundle.py",
    "python app.offline.build": "tests/bundle/test_ready_made.py",
}
WHY_NOT = {
    "make test": "it is what runs this",
    "python pytest": "it is what runs this",
    "docker compose": "takes Docker; what it builds is the Dockerfile",
    "docker run": "takes Docker; what it runs is the Dockerfile's command",
    "rsync": "takes a host",
    "systemctl enable": "takes a machine with systemd",
    "haproxy": "takes HAProxy, root and a certificate",
    "fly apps": "takes an account",
    "fly deploy": "takes an account",
    "iptables": "changes the machine",
    "mkdir": "changes the machine",
    "ulimit": "changes the shell it stands in",
    "make wheel": "builds the bundle; tests/test_wheel.py builds the rest",
    "pipx install": "fetches the dependencies; tests/test_wheel.py does without",
    "uv tool": "fetches the dependencies; tests/test_wheel.py does without",
    "gcc": "takes SQLite's source",
}


def read_commands(document: Path) -> Iterator[str]:
    """Yield the commands that a document names, without prompts and comments."""
    whole = text(document)
    if document in SERVERS:
        lines = re.findall(r"^# +(.*)$", whole, re.MULTILINE)
        indented = re.findall(r"^#   (?![A-Z_]+ )(.*)$", whole, re.MULTILINE)
        lines = [*indented, *filter(PROGRAM.match, lines)]
    else:
        blocks = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
        lines = re.findall(r"`([^`]*)`", blocks.sub("", whole))
        lines = [*filter(PROGRAM.match, lines)]
        for language, block in blocks.findall(whole):
            lines += block.splitlines() if language == "sh" else []
            lines += re.findall(r"^\$ (?!echo )(.*)$", block, re.MULTILINE)
    for line in lines:
        yield from re.sub(r"\s{2,}.*", "", line.replace("\n", " ")).split(" && ")


def name_of(command: str) -> str:
    """Return the program of a command and what it is to do: `make bench`, `flask backup`."""
    plain = re.sub(r"\b[A-Z_]+=\S* |\.venv/bin/|--app app |-C \S+ |-m ", "", f"{command} ")
    named = re.match(r"\S+(?: [a-z][\w.]*(?= ))?", plain)
    assert named, command
    return named[0]


COMMANDS: dict[str, set[str]] = defaultdict(set)
for each in (*DOCUMENTS, *SERVERS):
    for found in read_commands(each):
        COMMANDS[name_of(found)].add(found)


def commands(pattern: str) -> list[str]:
    """Return the commands whose names match a pattern."""
    return sorted(
        command for name in COMMANDS if re.fullmatch(pattern, name) for command in COMMANDS[name]
    )


OF_MAKE = "make (?!run|dev|test|offline|site|wheel).*"
OF_TESTS = "python tests(?!.bench.bundle).*"


def test_every_command_is_carried_out_or_has_its_reason() -> None:
    """Each is in one of the tables, or is carried out below; and nothing else is."""
    pattern = f"{OF_MAKE}|{OF_TESTS}|flask years|sqlite3|pybabel init"
    below = {name for name in COMMANDS if re.fullmatch(pattern, name)}
    assert {*COMMANDS} == {*CARRIED_OUT, *WHY_NOT, *below}
    for name, test in CARRIED_OUT.items():
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
    arguments = shlex.split(command)
    subprocess.run(arguments, cwd=home, env=outside_of_make(), check=True, capture_output=True)
    calls = (home / "calls").read_text().splitlines()
    assert calls
    for call in calls:
        if module := re.match(r"python -m (\S+)", call):
            assert find_spec(module[1]), call
        if module and "ARGS" in command:
            take_arguments(call)


@pytest.mark.parametrize("command", commands(OF_TESTS))
def test_modules_of_the_tests_take_the_arguments_that_are_named(command: str) -> None:
    """They are read, and nothing is begun."""
    take_arguments(command)


def take_arguments(command: str) -> None:
    """Have a module read the arguments of a command and stop."""
    arguments = [sys.executable, *shlex.split(command)[1:], "--help"]
    subprocess.run(arguments, cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("command", commands("flask years"))
def test_the_years_are_worked_out(app: Flask, command: str) -> None:
    """The command does so for a database without a table."""
    _, _, _, *arguments = shlex.split(command)
    outcome = app.test_cli_runner().invoke(args=arguments, env=ENGLISH, catch_exceptions=False)
    assert outcome.output == "Recalculated 0 games.\n"


@pytest.mark.parametrize("command", commands("sqlite3"))
def test_the_database_is_read_from_outside(app: Flask, command: str) -> None:
    """SQLite's own shell reads a view, or Python's library where there is none."""
    shell, option, _, query = shlex.split(command)
    database = app.config["DATABASE"]
    if shutil.which(shell):
        subprocess.run([shell, option, database, query], check=True, capture_output=True)
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as reading:
        assert reading.execute(query).fetchall() == []


@pytest.mark.parametrize("command", commands("pybabel init"))
def test_a_catalog_is_made_for_another_language(tmp_path: Path, command: str) -> None:
    """It has every text, and no translation yet."""
    program, *arguments = shlex.split(command)
    options = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    texts = ROOT / options["-d"] / "sv" / "LC_MESSAGES" / "messages.po"
    made = {**options, "-i": str(texts), "-d": str(tmp_path)}
    call = [str(ROOT / program), arguments[0], *(word for pair in made.items() for word in pair)]
    subprocess.run(call, check=True, capture_output=True)
    (catalog,) = tmp_path.rglob("messages.po")
    assert catalog.parts[-3] == options["-l"]


@pytest.mark.parametrize("command", commands("docker (compose|run)"))
def test_docker_is_told_of_what_there_is(command: str) -> None:
    """A service, a profile, a port and a volume are those of compose.yaml and the Dockerfile."""
    services, dockerfile = COMPOSE["services"], text(ROOT / "Dockerfile")
    profiles = {each for service in services.values() for each in service.get("profiles", [])}
    assert {*re.findall(r"--profile (\S+)", command)} <= profiles
    assert {*re.findall(r" exec (\S+)", command)} <= {*services}
    for port in re.findall(r"--publish \d+:(\d+)", command):
        assert f"\nEXPOSE {port}\n" in dockerfile
    for volume in re.findall(r"--volume \w+:(\S+)", command):
        assert f"\nVOLUME {volume}\n" in dockerfile


def test_a_file_that_a_command_names_is_there() -> None:
    """Whether or not the command is carried out here."""
    named = re.findall(r"\bdeploy/[\w.]+", " ".join(commands(".*")))
    assert named
    assert [path for path in named if not (ROOT / path).is_file()] == []
