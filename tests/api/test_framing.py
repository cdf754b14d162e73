"""Requests whose framing is broken: refused, each with its reason's status, and never logged."""

import json
from collections.abc import Iterator

import pytest

from tests.api.network import raw
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
LARGEST = 64 * 1024

BROKEN_CHUNKS = {
    "a size that is no number": b"xyz\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-1\r\nabc\r\n0\r\n\r\n",
    "a size with a sign": b"+3\r\nabc\r\n0\r\n\r\n",
    "an empty size": b"\r\nabc\r\n0\r\n\r\n",
    "a huge size": b"f" * 100 + b"\r\nabc\r\n0\r\n\r\n",
    "a size line without an end": b"0" * 10_000,
    "a broken extension": b"3;=\r\nabc\r\n0\r\n\r\n",
    "no line end after a chunk": b"3\r\nabcX0\r\n\r\n",
    "a chunk longer than it says": b"3\r\nabcdef\r\n0\r\n\r\n",
    "line feeds alone": b"3\nabc\n0\n\n",
    "a trailer that is no header": b"3\r\nabc\r\n0\r\nnonsense\r\n\r\n",
    "a trailer that may be none": b"3\r\nabc\r\n0\r\nContent-Length: 3\r\n\r\n",
    "endless trailers": b"3\r\nabc\r\n0\r\n" + b"X: y\r\n" * 200 + b"\r\n",
}
BROKEN_HEADS = {
    "two lengths": b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length and chunks": b"Content-Length: 2\r\n" + CHUNKED + b"2\r\n{}\r\n0\r\n\r\n",
    "chunks twice": b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "chunks in between": b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "an unknown coding": b"Transfer-Encoding: cow\r\n\r\n0\r\n\r\n",
    "a negative length": b"Content-Length: -1\r\n\r\n",
    "a length that is no number": b"Content-Length: two\r\n\r\n{}",
    "a length in other digits": "Content-Length: ²\r\n\r\n{}".encode("latin-1"),
    "a header without a colon": b"nonsense\r\n\r\n",
    "a header with a space": b"X : y\r\n\r\n",
    "a folded header": b"X: y\r\n z\r\n\r\n",
    "a header with a zero byte": b"X: \0\r\n\r\n",
    "two hosts": b"Host: y\r\n\r\n",
    "a line feed alone": b"X: y\n\r\n",
}
BROKEN_LINES = {
    "no method": b"/ HTTP/1.1\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "another version": b"GET / HTTP/3.0\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "letters outside ASCII": "GET /å HTTP/1.1\r\n\r\n".encode(),
    "a proxy's request": b"CONNECT x:80\r\n\r\n",
    "nothing but line ends": b"\r\n\r\n\r\n\r\n",
}


def status(answer: bytes) -> int:
    """Return the status of an answer."""
    assert answer.startswith(b"HTTP/1."), answer
    return int(answer.split()[1])


@pytest.fixture(autouse=True)
def _nothing_is_logged(server: Server) -> Iterator[None]:
    before = server.log.stat().st_size
    yield
    lines = server.log.read_text(encoding="utf-8")[before:].splitlines()
    assert [line for line in lines if json.loads(line)["level"] != "info"] == []


@pytest.mark.parametrize("chunks", BROKEN_CHUNKS.values(), ids=BROKEN_CHUNKS)
@pytest.mark.parametrize("head", [API, UPLOAD], ids=["api", "upload"])
def test_broken_chunks_are_refused(server: Server, head: bytes, chunks: bytes) -> None:
    """400, also where the reader of the body had not asked for the broken part."""
    assert status(hang_up(server, head + CHUNKED + chunks)) == 400


@pytest.mark.parametrize("rest", BROKEN_HEADS.values(), ids=BROKEN_HEADS)
def test_broken_heads_are_refused(server: Server, rest: bytes) -> None:
    """With a plain answer that repeats nothing and does not say what serves."""
    answer = raw(server.port, API + rest)
    assert status(answer) == 400
    assert answer.endswith(b"\r\n\r\n400 Bad Request\n")
    assert b"Server:" not in answer


@pytest.mark.parametrize("line", BROKEN_LINES.values(), ids=BROKEN_LINES)
def test_broken_request_lines_are_refused(server: Server, line: bytes) -> None:
    """The same."""
    assert raw(server.port, line).endswith(b"\r\n\r\n400 Bad Request\n")


def test_heads_that_are_too_large_are_refused(server: Server) -> None:
    """A long address, a long header, many headers, and more of them than is read at all."""
    line = b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"
    assert status(raw(server.port, line)) == 414
    for headers in (b"X: " + b"a" * 9000, b"X: y\r\n" * 200 + b"X: y", b"X: yyyyyy\r\n" * 9000):
        ask = b"GET / HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n\r\n"
        assert status(raw(server.port, ask)) == 431


def in_chunks(body: bytes) -> bytes:
    """A body in chunks of a few thousand bytes."""
    parts = [body[n : n + 5000] for n in range(0, len(body), 5000)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


def test_a_body_in_chunks_is_read_up_to_the_same_size(server: Server) -> None:
    """A program need not know beforehand how much it will send."""
    small = b'{"players": ["Anna", "Bo"]}'
    for body, answered in (
        (small, 201),
        (small.ljust(LARGEST), 201),
        (small.ljust(LARGEST + 1), 413),
    ):
        assert status(raw(server.port, API + CHUNKED + in_chunks(body))) == answered


@pytest.mark.parametrize("name", ["players", "name"])
def test_a_form_in_chunks_is_refused_whole_when_it_is_too_large(server: Server, name: str) -> None:
    """Never cut off and accepted."""
    fields = b"players=Anna&players=Bo&"
    for size in (LARGEST + 1, 70_000, 200_000):
        body = (fields + name.encode() + b"=").ljust(size, b"x")
        assert status(raw(server.port, FORM + CHUNKED + in_chunks(body))) == 413


def test_an_upload_in_chunks_that_breaks_off_is_refused(server: Server) -> None:
    """Its end is missing, however whole it looks."""
    chunk = b"%x\r\n%s\r\n" % (len(PART), PART)
    assert status(hang_up(server, UPLOAD + CHUNKED + chunk)) == 400


@pytest.mark.parametrize("head", [API, FORM], ids=["api", "form"])
def test_a_client_that_hangs_up_in_its_body_has_sent_nothing(server: Server, head: bytes) -> None:
    """What came reads like a whole request, and is refused."""
    body = b'{"players": ["Anna", "Bo"]}' if head == API else b"players=Anna&players=Bo"
    length = b"Content-Length: %d\r\n\r\n" % (len(body) + 10)
    assert status(hang_up(server, head + length + body)) == 400


def hang_up(server: Server, sent: bytes) -> bytes:
    """Send something, and say that no more comes."""
    return raw(server.port, sent, shut=True)
