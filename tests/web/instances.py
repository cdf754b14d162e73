"""Several servers that share the tables among them, and a proxy between them and the phones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import cast
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import BaseWSGIServer, make_server
from werkzeug.test import Client, TestResponse

from app import create_app
from tests.api.calling import shut_down
from tests.empty_database import copy_empty_database
from tests.web.phone import Phone

NAMES = ("a", "b", "c")
OF_TABLE = re.compile(r"/(?:t/|api/tables/|offline/tables/?)(?:([a-z0-9]+)\.)?")


class Instances:
    """Servers that know each other, each with a database of its own, on loopback."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._calls = {name: self._listen(name) for name in NAMES}
        addresses = {
            name: f"http://127.0.0.1:{server.port}" for name, server in self._calls.items()
        }
        self.apps = {name: self._make(name, addresses) for name in NAMES}
        # Where the proxy sends what is below no table; it may be another instance each time.
        self.home = "a"

    def _listen(self, name: str) -> BaseWSGIServer:
        def serve(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
            return self.apps[name].wsgi_app(environ, start)

        server = make_server("127.0.0.1", 0, serve, threaded=True)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    def _make(self, name: str, addresses: dict[str, str]) -> Flask:
        path = copy_empty_database(self._folder / name / "chicago.db")
        return create_app(
            {
                "DATABASE": str(path),
                "LIMITS": False,
                "PROPAGATE_EXCEPTIONS": True,
                "SECRET_KEY": "k" * 32,
                "INSTANCE": name,
                "INSTANCES": addresses,
            }
        )

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Send a request on, as deploy/haproxy.cfg says."""
        of_table = OF_TABLE.match(environ["PATH_INFO"])
        name = of_table[1] if of_table else self.home
        return self.apps.get(name, self.apps["a"]).wsgi_app(environ, start)

    def turn_on(self) -> Phone:
        """Turn on a phone, with cookies of its own, in English."""
        return Phone(cast("FlaskClient", Client(self, TestResponse)))

    def close(self) -> None:
        """End all."""
        for name, app in self.apps.items():
            self._calls[name].shutdown()
            self._calls[name].server_close()
            shut_down(app)


@contextmanager
def serve_instances(folder: Path) -> Iterator[Instances]:
    """Serve three instances for as long as they are needed."""
    instances = Instances(folder)
    try:
        yield instances
    finally:
        instances.close()
