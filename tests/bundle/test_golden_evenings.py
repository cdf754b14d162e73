"""Whole evenings in the bundle's Python match those recorded on a server.

The application is the server's, since an evening has several phones and programs, but its rules,
pages and texts are the bundle's own: compiled modules and templates, SQLite and Babel.
Every step is played; only the PNG of a picture stays empty, as nothing paints there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from werkzeug.test import Client

from tests.bundle.bundle_python import SERVER, BundlePython
from tests.evenings.clock import Clock
from tests.evenings.replay import FOLDER, play, read, write

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Server(BundlePython):
    """The server's application in the bundle's Python."""

    def test_client(self) -> Client:
        """Return the client of a phone."""
        return Client(self)

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer at the present time of the evening."""
        return super().__call__({**environ, "evening.at": Clock.at.isoformat()}, start)


@pytest.fixture(scope="module")
def server(bundle: Path) -> Iterator[Server]:
    """Start the server; each evening has its own table."""
    started = Server(bundle, SERVER)
    yield started
    started.stop()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_everybody_sees_what_they_saw(server: Server, path: Path) -> None:
    """The same requests get the same status codes, words and numbers."""
    assert write(play(server, read(path))) == path.read_text("utf-8")
