"""Request bodies: whole and in time, or refused; requests with a broken head are refused too."""

import io
import re
import socket
from collections.abc import Iterator
from itertools import cycle
from unittest.mock import Mock

import gevent
import pytest
from flask import Flask

from app.http import bodies
from app.store import clock
from tests.api.calling import every_address
from tests.api.network import connect, log_since, raw, read
from tests.browser.serving import UNWANTED, Server
from tests.told import told


@pytest.fixture(autouse=True)
def _no_error_is_logged(server: Server) -> Iterator[None]:
    before = len(server.log.read_text("utf-8"))
    yield
    assert not UNWANTED.search(log_since(server, before))


@told
def test_a_request_that_is_not_as_it_says_is_refused(
    server: Server, sent: str, status: str
) -> None:
    """The next one is served."""
    assert re.fullmatch(status, raw(server.port, read(sent), shut=True).split()[1].decode())


def test_a_body_that_is_too_large_is_answered_before_it_arrives(server: Server) -> None:
    """The answer does not wait for the body, and after it the connection ends."""
    head = read(f"UPLOAD Content-Length: {bodies.UPLOAD + 1}\r\n\r\n")
    with connect(server.port) as connection:
        connection.sendall(head.replace(b"Connection: close\r\n", b""))
        assert connection.recv(65536).startswith(b"HTTP/1.1 413")
        connection.sendall(b"x" * 1000)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


@told
def test_an_upload_is_bounded_but_for_its_file(
    alone: Flask, monkeypatch: pytest.MonkeyPatch, sent: str, status: int
) -> None:
    """A file of any bytes is read, others being served after every piece."""
    pauses = list[float]()
    monkeypatch.setattr(clock, "sleep", pauses.append)
    kind = "multipart/form-data; boundary=b"
    answer = alone.test_client().post("/files", data=read(sent), content_type=kind)
    assert answer.status_code == status
    assert status == 413 or len(pauses) >= 2 * 3_000_000 // bodies.PIECE


WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")
METHODS = (*WITHOUT_BODY, "POST", "PUT", "PATCH", "DELETE")
FORM, STRAY = 64 * 1024, 4 * 1024
# All that takes more than a form.
LARGE = {
    "/files": 20_000_000,
    "/t/<link>/files": 20_000_000,
    "/offline/tables/<link>": 2_500_000,
    "/offline/replicas": 2_500_000,
}


def largest(app: Flask) -> Iterator[tuple[str, str, int]]:
    """Yield each address there is, and one that is none, with methods and what each takes.

    They are those that have a body there, and of the others one in turn.
    """
    yield from (("/nowhere", method, STRAY) for method in METHODS)
    strays = cycle(METHODS)
    for rule, path in every_address(app):
        taken = {*app.url_map.bind("").allowed_methods(path)}.difference(WITHOUT_BODY)
        yield from ((path, method, LARGE.get(rule.rule, FORM)) for method in sorted(taken))
        yield path, next(stray for stray in strays if stray not in taken), STRAY


@pytest.mark.parametrize("chunked", [False, True])
def test_no_route_reads_more_than_it_takes(alone: Flask, chunked: bool) -> None:
    """A body one byte larger is refused, in chunks with its last byte, and else unread."""
    for path, method, size in largest(alone):
        body = io.BytesIO(bytes(size + 1))
        told = (
            {"HTTP_TRANSFER_ENCODING": "chunked"} if chunked else {"CONTENT_LENGTH": f"{size + 1}"}
        )
        environ = {"wsgi.input": body, "wsgi.input_terminated": True, **told}
        answer = alone.test_client().open(
            path, method=method, headers=told, environ_overrides=environ
        )
        assert (answer.status_code, body.tell()) == (413, chunked * (size + 1)), (method, path)


def test_all_bodies_together_have_so_much_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is taken a larger one is refused, a tap never; then there is room again."""
    monkeypatch.setattr(bodies, "PIECES", 1)
    app = Flask(__name__)
    bodies.register(app)
    app.wsgi_app = bodies.ReadBodies(app, app.wsgi_app)  # type: ignore[method-assign]
    client, sizes = app.test_client(), (bodies.FIRST, bodies.FIRST + 1)

    @app.post("/tap")
    def tap() -> str:
        """Take any body."""
        return ""

    @app.post("/held")
    def hold() -> list[int]:
        """Send a tap and more than that while this body is held, and return the answers."""
        return [client.post("/tap", data=bytes(size)).status_code for size in sizes]

    for _ in range(2):
        assert client.post("/held", data=bytes(bodies.FORM)).json == [200, 503]


def test_a_body_that_does_not_come_in_time_is_refused(
    alone: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is 408, and no table is opened."""
    monkeypatch.setattr(bodies, "SECONDS", 0.01)
    dawdler = Mock(read=lambda _: gevent.sleep(60))
    environ = {"wsgi.input_terminated": True, "wsgi.input": dawdler, "CONTENT_LENGTH": "99"}
    answer = alone.test_client().post("/api/tables", environ_overrides=environ)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (408, "bad_request")
