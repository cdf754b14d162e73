"""The Procfile's command where it must not serve: it ends by itself, with status 1."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.serving import ROOT, Server, web_command
from tests.services.test_startup import make_newer


def start(database: Path) -> tuple[int, str]:
    """Start a server that ends by itself; return its status and its standard error."""
    server = Server(database.parent)
    server.database = database
    ended = subprocess.run(
        web_command(),
        cwd=ROOT,
        env={**server.environment(), "LC_ALL": "en_US.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (None, "is being served by another score keeper"),
        (Path.symlink_to, "is being served by another score keeper"),
        (Path.hardlink_to, "has a second name, by a hard link"),
    ],
)
def test_a_second_server_ends_and_the_first_goes_on(
    server: Server, tmp_path: Path, link: Callable[[Path, Path], None] | None, said: str
) -> None:
    """The second server never listens, by whatever name it finds the file."""
    name = server.database
    if link:
        name = tmp_path / "linked.db"
        link(name, server.database)
    status, log = start(name)
    assert status == 1
    assert f"{name} {said}" in log
    assert "Traceback" not in log
    assert "Listening" not in log
    assert server.answers()


def test_a_newer_database_ends_the_master(tmp_path: Path) -> None:
    """No worker is started again and again."""
    database = tmp_path / "chicago.db"
    make_newer(database)
    status, said = start(database)
    assert status == 1
    assert f"{database} was made by a newer version of the score keeper" in said
    assert "Traceback" not in said
    assert "Booting worker" not in said
