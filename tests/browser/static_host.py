"""A host of files, as anybody has one: it knows nothing of the score keeper, and has its faults."""

from __future__ import annotations

import threading
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Host:
    """A folder behind an address.

    `asked` are the paths that it was asked for; `sent` the bytes of all bodies; `refused` are
    endings that it has not.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.sent = 0
        self.refused: tuple[str, ...] = ()
        self._port = 0
        self.start()

    def start(self) -> None:
        """Be there, at the same address as before."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), partial(_Handler, host=self))
        self._port = self._server.server_port
        self.url = f"http://127.0.0.1:{self._port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.05])
        self._thread.start()

    def stop(self) -> None:
        """Be gone."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, host: Host) -> None:  # noqa: ANN401  # the library's
        self.host = host
        super().__init__(*args, directory=str(host.folder))

    def do_GET(self) -> None:
        """Send a file; what is not there is answered with the page 404.html of its site."""
        path = self.path.partition("?")[0]
        self.host.asked.append(path)
        found = Path(self.translate_path(path))
        if path.endswith(self.host.refused) or not found.exists():
            self._send_lost(found)
        else:
            super().do_GET()

    def _send_lost(self, found: Path) -> None:
        pages = [each / "404.html" for each in found.parents]
        page = next((each for each in pages if each.is_file()), None)
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.read_bytes() if page else b"")

    def copyfile(self, source: Any, outputfile: Any) -> None:  # noqa: ANN401  # the library's
        """Send a body, and count it."""
        content = source.read()
        self.host.sent += len(content)
        outputfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
