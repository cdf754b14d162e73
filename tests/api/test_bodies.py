"""Request bodies: whole and in time, or refused; requests with a broken head are refused too."""

import io
import random
import socket
from collections.abc import Iterator

import gevent
import pytest
from flask import Flask

from app.http import bodies
from app.store import clock
from tests.api.calling import every_address
from tests.api.network import connect, raw, send
from tests.browser.serving import UNWANTED, Server

API = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
VISIT = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
FORM = (
    b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)
UPLOAD = (
    b"POST /files HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    b"Content-Type: multipart/form-data; boundary=b\r\n"
)
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
PART = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\nx\r\n--b--\r\n'
LENGTH = b"Content-Length: %d\r\n\r\n"
PLAYERS, FIELDS = b'{"players": ["Anna", "Bo"]}', b"players=Anna&players=Bo"
LARGEST, STRAY = 64 * 1024, 4 * 1024

BROKEN_CHUNKS = {
    "a size that is no number": b"xyz\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-1\r\nabc\r\n0\r\n\r\n",
    "a huge size": b"f" * 100 + b"\r\nabc\r\n0\r\n\r\n",
    "a size line without an end": b"0" * 10_000,
    "no line end after a chunk": b"3\r\nabcX0\r\n\r\n",
    "a chunk longer than it says": b"3\r\nabcdef\r\n0\r\n\r\n",
    "a chunk that breaks off": b"%x\r\n%s" % (len(PLAYERS) + 9, PLAYERS),
    "an end that is missing": b"%x\r\n%s\r\n" % (len(PLAYERS), PLAYERS),
}
# Gunicorn itself refuses these.
BROKEN_HEADS = {
    "two lengths": API + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length and chunks": API + b"Content-Length: 2\r\n" + CHUNKED + b"2\r\n{}\r\n0\r\n\r\n",
    "chunks twice": API + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "an unknown coding": API + b"Transfer-Encoding: cow\r\n\r\n0\r\n\r\n",
    "a negative length": API + b"Content-Length: -1\r\n\r\n",
    "a length in other digits": API + "Content-Length: ²\r\n\r\n{}".encode("latin-1"),
    "a header without a colon": API + b"nonsense\r\n\r\n",
    "a header with a zero byte": API + b"X: \0\r\n\r\n",
    "a line feed alone": API + b"X: y\n\r\n",
    "a long address": b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long header": API + b"X: " + b"a" * 9000 + b"\r\n\r\n",
    "many headers": API + b"X: y\r\n" * 200 + b"\r\n",
    "many long headers": VISIT + (b"X: " + b"a" * 6000 + b"\r\n") * 3 + b"\r\n",
    "a cookie in many": VISIT + (b"Cookie: chicago=" + b"a" * 6000 + b"\r\n") * 3 + b"\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
}


def in_chunks(body: bytes) -> bytes:
    """Return a body in chunks of a few thousand bytes."""
    parts = [body[n : n + 5000] for n in range(0, len(body), 5000)]
    return CHUNKED + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


# Of what is sent the part before the fault reads like a whole request.
SENT = {
    **{f"api: {name}": (API + CHUNKED + sent, 400) for name, sent in BROKEN_CHUNKS.items()},
    **{f"upload: {name}": (UPLOAD + CHUNKED + sent, 400) for name, sent in BROKEN_CHUNKS.items()},
    "a call that breaks off": (API + LENGTH % 99 + PLAYERS, 400),
    "a form that breaks off": (FORM + LENGTH % 99 + FIELDS, 400),
    "an upload that breaks off": (UPLOAD + LENGTH % 999 + PART, 400),
    # A program need not know the length of its body in advance.
    "chunks": (API + in_chunks(PLAYERS), 201),
    "the most of chunks": (API + in_chunks(PLAYERS.ljust(LARGEST)), 201),
    "too much in chunks": (API + in_chunks(PLAYERS.ljust(LARGEST + 1)), 413),
    # Refused whole, never cut off and accepted.
    "a form too large": (FORM + in_chunks((FIELDS + b"&players=").ljust(LARGEST + 1, b"x")), 413),
    "a field too large": (FORM + in_chunks((FIELDS + b"&name=").ljust(LARGEST + 1, b"x")), 413),
    # Werkzeug reads it in one piece.
    "an upload without parts": (
        FORM.replace(b"/", b"/files", 1) + in_chunks(FIELDS.ljust(LARGEST + 1, b"&")),
        413,
    ),
    # The rest is passed over, so that no reset comes before the answer.
    "far too much": (FORM + LENGTH % 5_000_000 + b"x" * 5_000_000, 413),
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


@pytest.mark.parametrize("sent", BROKEN_HEADS.values(), ids=BROKEN_HEADS)
def test_broken_heads_are_refused(server: Server, sent: bytes) -> None:
    """The status code may vary; the next request is served."""
    assert raw(server.port, sent).split()[1] in (b"400", b"414", b"431", b"501")


def test_a_body_that_is_too_large_is_answered_before_it_arrives(server: Server) -> None:
    """The answer does not wait for the body, and after it the connection ends."""
    head = UPLOAD.replace(b"Connection: close\r\n", b"") + LENGTH
    with connect(server.port) as connection:
        connection.sendall(head % (bodies.UPLOAD + 1))
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


FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%b\r\n'
FIELD = b'--b\r\nContent-Disposition: form-data; name="%b"\r\n%b\r\n%b\r\n'
LONG = 3_000_000
PARTS = {
    "a file of line ends": (FILE % (b"\r\n--" * (LONG // 4)), 422),
    "a file of any bytes": (FILE % random.Random(1).randbytes(LONG), 422),
    "a long field": (FIELD % (b"name", b"", b"a" * LONG), 413),
    "a long name": (FIELD % (b"a" * LONG, b"", b""), 413),
    "long headers": (FIELD % (b"name", b"a:\r\n" * (LONG // 4), b""), 413),
    "many long headers": (FIELD % (b"name", b"a:\r\n" * 10_000, b"") * 75, 413),
    "many parts": (FIELD % (b"name", b"", b"") * 1000, 413),
    "no part": (b"a" * LONG, 413),
}


@pytest.mark.parametrize(("sent", "status"), PARTS.values(), ids=PARTS)
def test_an_upload_is_bounded_but_for_its_file(
    alone: Flask, monkeypatch: pytest.MonkeyPatch, sent: bytes, status: int
) -> None:
    """A file of any bytes is read, others being served after every piece."""
    pauses = list[float]()
    monkeypatch.setattr(clock, "sleep", pauses.append)
    kind = "multipart/form-data; boundary=b"
    answer = alone.test_client().post("/files", data=sent + b"--b--\r\n", content_type=kind)
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
    """Yield each address there is, and one that is none, with each method and what it takes."""
    yield from (("/nowhere", method, STRAY) for method in METHODS)
    for rule, path in every_address(app):
        taken = set(app.url_map.bind("").allowed_methods(path)) - {*METHODS[:4]}
        form = LARGE.get(rule.rule, LARGEST)
        yield from ((path, method, form if method in taken else STRAY) for method in METHODS)


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


class Dawdler(io.RawIOBase):
    """A client that sends a little, and then nothing for a long time."""

    def __init__(self) -> None:
        self._parts = [PLAYERS]

    def read(self, _size: int = -1) -> bytes:
        """Return the next part."""
        if not self._parts:
            gevent.sleep(60)
        return self._parts.pop()


def test_a_body_that_does_not_come_in_time_is_refused(
    alone: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is 408, and no table is opened."""
    monkeypatch.setattr(bodies, "SECONDS", 0.01)
    environ = {"wsgi.input_terminated": True, "wsgi.input": Dawdler(), "CONTENT_LENGTH": "99"}
    answer = alone.test_client().post("/api/tables", environ_overrides=environ)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (408, "bad_request")
