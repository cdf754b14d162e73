"""`make dev`: it serves this machine, and starts anew whenever a file changes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.network import send
from tests.browser.serving import Server
from tests.checkout import clone, set_up

NEW = "Made-Anew"
STARTED = re.compile("Booting worker")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a clone that may be changed."""
    return set_up(clone(tmp_path / "clone"))


@pytest.fixture
def developing(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Run `make dev` there for one test."""
    # The test may itself be a part of `make test`.
    for name in [name for name in os.environ if "MAKE" in name]:
        monkeypatch.delenv(name)
    server = Server(tmp_path, HOST="")
    server.command, server.home = ["make", "dev"], home
    server.start()
    yield server
    server.kill()
    server.stop()


@pytest.mark.parametrize(
    ("file", "text"), [("app/http/log.py", "X-Request-Id"), ("templates/base.html", "#101d17")]
)
def test_what_was_written_is_served(developing: Server, home: Path, file: str, text: str) -> None:
    """A module that the server's master has read is read anew, as is a template."""
    assert "The score keeper is at http://127.0.0.1:" in developing.log.read_text()
    assert NEW not in answer(developing)
    changed = home / file
    changed.write_text(changed.read_text().replace(text, NEW))
    developing.until(lambda log: len(STARTED.findall(log)) == 2)
    assert NEW in answer(developing)


def answer(server: Server) -> str:
    """Return the head and the body of a page."""
    page = send(server.port, "GET", "/rules")
    return f"{page.headers}{page.data.decode()}"
