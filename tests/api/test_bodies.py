"""Request bodies: whole and in time, or refused; requests with a broken head are refused too."""

import io
from collections.abc import Iterator

import gevent
import pytest
from flask import Flask

from app.http import bodies
from tests.api.network import raw, send
from tests.browser.serving import Server

API = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
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
PLAYERS = b'{"players": ["Anna", "Bo"]}'
LARGEST = 64 * 1024

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
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
}


def status(answer: bytes) -> int:
    """Return the status code of an answer."""
    assert answer.startswith(b"HTTP/1."), answer
    return int(answer.split()[1])


@pytest.fixture(autouse=True)
def _no_error_is_logged(server: Server) -> Iterator[None]:
    before = len(server.log.read_text())
    yield
    last = send(server.port, "GET", "/rules").headers["X-Request-Id"]
    log = server.until(lambda log: log[before:] if last in log else None)
    assert " ERROR " not in log
    assert "Traceback" not in log


@pytest.mark.parametrize("chunks", BROKEN_CHUNKS.values(), ids=BROKEN_CHUNKS)
@pytest.mark.parametrize("head", [API, UPLOAD], ids=["api", "upload"])
def test_broken_chunks_are_refused(server: Server, head: bytes, chunks: bytes) -> None:
    """The answer is 400, also where the part before reads like a whole request."""
    assert status(raw(server.port, head + CHUNKED + chunks, shut=True)) == 400


@pytest.mark.parametrize("sent", BROKEN_HEADS.values(), ids=BROKEN_HEADS)
def test_broken_heads_are_refused(server: Server, sent: bytes) -> None:
    """The status code may vary; the next request is served."""
    assert status(raw(server.port, sent)) in (400, 414, 431, 501)
    assert send(server.port, "GET", "/rules").status == 200


@pytest.mark.parametrize(
    ("head", "body"),
    [(API, PLAYERS), (FORM, b"players=Anna&players=Bo"), (UPLOAD, PART)],
    ids=["api", "form", "upload"],
)
def test_a_client_that_hangs_up_in_its_body_has_sent_nothing(
    server: Server, head: bytes, body: bytes
) -> None:
    """The part that arrived reads like a whole request, and is refused."""
    length = b"Content-Length: %d\r\n\r\n" % (len(body) + 10)
    assert status(raw(server.port, head + length + body, shut=True)) == 400


def in_chunks(body: bytes) -> bytes:
    """Return a body in chunks of a few thousand bytes."""
    parts = [body[n : n + 5000] for n in range(0, len(body), 5000)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


@pytest.mark.parametrize(
    ("body", "answered"),
    [(PLAYERS, 201), (PLAYERS.ljust(LARGEST), 201), (PLAYERS.ljust(LARGEST + 1), 413)],
    ids=["small", "largest", "larger"],
)
def test_a_body_in_chunks_is_read_up_to_the_same_size(
    server: Server, body: bytes, answered: int
) -> None:
    """A program need not know the length of its body in advance."""
    assert status(raw(server.port, API + CHUNKED + in_chunks(body))) == answered


@pytest.mark.parametrize("name", [b"players", b"name"])
def test_a_form_in_chunks_is_refused_whole_when_it_is_too_large(
    server: Server, name: bytes
) -> None:
    """The form is refused with 413, never cut off and accepted."""
    body = (b"players=Anna&players=Bo&" + name + b"=").ljust(LARGEST + 1, b"x")
    assert status(raw(server.port, FORM + CHUNKED + in_chunks(body))) == 413


def test_a_body_larger_than_any_may_be_is_not_read(server: Server) -> None:
    """The answer is 413 before the body arrives; in chunks, as soon as it is too much."""
    length = b"Content-Length: %d\r\n\r\n" % (bodies.LARGEST + 1)
    assert status(raw(server.port, UPLOAD + length, shut=True)) == 413


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
