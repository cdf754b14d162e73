"""A proxy that serves the score keeper below a path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from tests.browser.proxy import Passage, Proxy, running
from tests.browser.serving import HOST, Server

PREFIX = "/api/hassio_ingress/Tm9ib2R5IGtub3dz"


class PrefixProxy(Proxy):
    """A proxy that strips the prefix, and sends it to the server in a header.

    `astray` are the requested paths outside of the prefix.
    """

    def __init__(self, server: Server) -> None:
        super().__init__(0, server)
        self.RequestHandlerClass = _Below
        self.astray: list[str] = []

    @property
    def url(self) -> str:
        """The address of the front page, without the last slash."""
        return f"http://{HOST}:{self.server_address[1]}{PREFIX}"


class _Below(Passage):
    server: PrefixProxy

    def _below(self) -> None:
        if not self.path.startswith(f"{PREFIX}/"):
            self.server.astray.append(self.path)
            return self.send_error(HTTPStatus.NOT_FOUND)
        self.path = self.path.removeprefix(PREFIX)
        self.headers["X-Forwarded-Prefix"] = PREFIX
        return super().do_GET()

    do_GET = do_POST = _below  # noqa: N815 - as the library calls it


@contextmanager
def below_a_path(server: Server) -> Iterator[PrefixProxy]:
    """Serve below a path for the length of a block."""
    with running(PrefixProxy(server)) as proxy:
        yield proxy
