"""Request bodies: whole and in time, or refused; requests with a broken head are refused too."""

import io
import random
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
from tests.api.network import REQUESTS, connect, raw, read, send
from tests.browser.serving import UNWANTED, Server

LARGEST, STRAY, LONG = 64 * 1024, 4 * 1024, 3_000_000


def in_chunks(head: str, body: bytes) -> bytes:
    """Return a request with its body in chunks of a few thousand bytes."""
    parts = [body[n : n + 5000] for n in range(0, len(body), 5000)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])
    return read(f"{head} Transfer-Encoding: chunked\r\n\r\n") + chunks


# Of what is sent the part before the fault reads like a whole request.
SENT = {
    **{
        f"{head}: {name}": (read(f"{head} Transfer-Encoding: chunked\r\n\r\n{sent}"), 400)
        for head in ("API", "UPLOAD")
        for name, sent in REQUESTS["broken chunks"].items()
    },
    **{name: (read(sent), status) for name, (sent, status) in REQUESTS["whole"].items()},
    # Refused whole, never cut off and accepted.
    **{
        name: (in_chunks(head, body.ljust(size, " x"[head != "API"]).encode()), status)
        for name, (head, body, size, status) in REQUESTS["in chunks"].items()
    },
}


@pytest.fixture(autouse=True)
def _no_error_is_logged(server: Server) -> Iterator[None]:
    before = len(server.log.read_text())
    yield
    last = send(server.port, "GET", "/rules").headers["X-Request-Id"]
    assert not UNWANTED.search(server.until(lambda log: log[before:] if last in log else None))


@pytest.mark.parametrize(("sent", "status"), SENT.values(), ids=SENT)
def test_a_body_that_is_not_as_it_says_is_refused(server: Server, sent: bytes, status: int) -> None:
    """One in chunks is read up to the same size as any."""
    assert raw(server.port, sent, shut=True).startswith(b"HTTP/1.1 %d" % status)


@pytest.mark.parametrize("what", REQUESTS["broken heads"])
def test_broken_heads_are_refused(server: Server, what: str) -> None:
    """By gunicorn itself: the status code may vary, and the next request is served."""
    answer = raw(server.port, read(REQUESTS["broken heads"][what]))
    assert answer.split()[1] in (b"400", b"414", b"431", b"501")


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


class Sent(io.RawIOBase):
    """A body that was sent; `taken` is how much of it was read."""

    def __init__(self, size: int) -> None:
        self._size, self.taken = size, 0

    def read(self, size: int = -1) -> bytes:
        """Return the next part."""
        part = b"x" * min(size, self._size - self.taken)
        self.taken += len(part)
        return part


PART = '--b\r\nContent-Disposition: form-data; name="{}"\r\n{}\r\n{}\r\n'


@pytest.mark.parametrize("what", REQUESTS["parts"])
def test_an_upload_is_bounded_but_for_its_file(
    alone: Flask, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A file of any bytes is read, others being served after every piece."""
    pauses = list[float]()
    monkeypatch.setattr(clock, "sleep", pauses.append)
    content, name, headers, status, *times = REQUESTS["parts"][what]
    content = content.replace("RANDOM", random.Random(1).randbytes(LONG).decode("latin-1"))
    part = content if name is None else PART.format(name, headers, content)
    sent = read(part) * (times or [1])[0] + b"--b--\r\n"
    kind = "multipart/form-data; boundary=b"
    answer = alone.test_client().post("/files", data=sent, content_type=kind)
    assert answer.status_code == status
    assert status == 413 or len(pauses) >= LONG // bodies.PIECE


METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE")
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
        taken = set(app.url_map.bind("").allowed_methods(path)) - {*METHODS[:4]}
        yield from ((path, method, LARGE.get(rule.rule, LARGEST)) for method in sorted(taken))
        yield path, next(stray for stray in strays if stray not in taken), STRAY


@pytest.mark.parametrize("chunked", [False, True])
def test_no_route_reads_more_than_it_takes(alone: Flask, chunked: bool) -> None:
    """A body one byte larger is refused, in chunks with its last byte, and else unread."""
    for path, method, size in largest(alone):
        body = Sent(size + 1)
        environ: dict[str, object] = {"wsgi.input": body, "CONTENT_LENGTH": str(size + 1)}
        if chunked:
            environ = {"wsgi.input": body, "HTTP_TRANSFER_ENCODING": "chunked"}
        environ |= {"wsgi.input_terminated": True}
        answer = alone.test_client().open(path, method=method, environ_overrides=environ)
        assert (answer.status_code, body.taken) == (413, size + 1 if chunked else 0), (method, path)


def test_all_bodies_together_have_so_much_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is taken a larger one is refused, a tap never; then there is room again."""
    monkeypatch.setattr(bodies, "PIECES", 1)
    app = Flask(__name__)
    bodies.register(app)
    app.wsgi_app = bodies.ReadBodies(app, app.wsgi_app)  # type: ignore[method-assign]
    client = app.test_client()

    app.add_url_rule("/", view_func=lambda: "", methods=["POST"])

    @app.post("/held")
    def hold() -> list[int]:
        """Send a tap and more than that while this body is held, and return the answers."""
        sizes = (bodies.FIRST, bodies.FIRST + 1)
        return [client.post("/", data=b"x" * size).status_code for size in sizes]

    for _ in range(2):
        assert client.post("/held", data=b"x" * bodies.FORM).json == [200, 503]


def test_a_body_that_does_not_come_in_time_is_refused(
    alone: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is 408, and no table is opened."""
    monkeypatch.setattr(bodies, "SECONDS", 0.01)
    dawdler = Mock(read=lambda _: gevent.sleep(60))
    environ = {"wsgi.input_terminated": True, "wsgi.input": dawdler, "CONTENT_LENGTH": "99"}
    answer = alone.test_client().post("/api/tables", environ_overrides=environ)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (408, "bad_request")
