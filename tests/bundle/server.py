"""A program in the bundle's Python: the server's application in place of the phone's.

Modules that only a server has come from the checkout. Answers are not compressed, bodies not
awaited, and pictures not painted: those libraries are compiled for servers.
"""

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any


class Checkout(MetaPathFinder):
    """A finder of our modules that the bundle leaves out."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Look for the package in the checkout."""
        folders = [f"/project{folder.removeprefix('/app')}" for folder in path or ()]
        return PathFinder.find_spec(fullname, folders, target)


def put(name: str, **values: object) -> None:
    """Put a stand-in in the place of a module."""
    module = ModuleType(name)
    vars(module).update(values, __spec__=ModuleSpec(name, None))
    sys.modules[name] = module


sys.path.append("/project")
sys.meta_path.append(Checkout())
put("app.http.bodies", register=lambda _: None, ReadBodies=lambda _, wsgi: wsgi)
put("resvg_py", svg_to_bytes=lambda **_: b"")

from jinja2 import ModuleLoader  # noqa: E402  # only now everything is there

from app import create_app  # noqa: E402
from app.http import address, rendered  # noqa: E402
from app.offline.phone import COMPILED_TEMPLATES  # noqa: E402
from tests.stopped import stopped_at  # noqa: E402

address.lan_address = lambda listening="": "192.168.1.20"  # noqa: ARG005  # its signature
address.is_container = lambda: False
rendered.register_compression = lambda app: None  # noqa: ARG005  # its signature
served = create_app({"DATABASE": "/server.db", "LIMITS": False, "PROPAGATE_EXCEPTIONS": True})
served.jinja_env.loader = ModuleLoader(Path("/app", COMPILED_TEMPLATES))


def application(environ: dict[str, Any], start: Any) -> Iterable[bytes]:  # noqa: ANN401  # WSGI's
    """Answer at the present time of the evening."""
    with stopped_at(datetime.fromisoformat(environ["evening.at"])):
        return served(environ, start)
