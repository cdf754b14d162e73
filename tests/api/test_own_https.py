"""HTTPS without a server in front: a certificate and its key, and nobody who can hold it up."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
import trustme

from app.http.settings import read_certificate
from app.http.sse import MAX_PER_ADDRESS
from tests.api.certificate import Files
from tests.api.network import PATIENCE, connect, read
from tests.browser.serving import ROOT, Server

HURRIED = Path(__file__).with_name("hurried.conf.py")
FORM = b"player=Anna&player=Bo&stake=1"
# More than a page has at once, and more than a table's form is long.
LONG = b"&".join([FORM, b"x=" + 40_000 * b"y"])
HALF_A_HELLO = bytes.fromhex("16030100f8010000f40303")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return a certificate and its key."""
    return Files(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def secure(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve by HTTPS, with limits as at home."""
    settings = {"CHICAGO_LIMITS": "", **files.environment}
    server = Server(tmp_path_factory.mktemp("secure"), **settings)
    server.start()
    yield server
    server.stop()


def call(server: Server, files: Files) -> http.client.HTTPSConnection:
    """Return a connection to a server, whose certificate is checked."""
    return http.client.HTTPSConnection(
        "localhost", server.port, timeout=PATIENCE, context=files.trusting
    )


def ask(connection: http.client.HTTPSConnection, path: str, body: bytes | None = None) -> bytes:
    """Ask for a page, or send a form, and return the answer's status and its text."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    connection.request("POST" if body else "GET", path, body, kind)
    answer = connection.getresponse()
    return f"{answer.status} ".encode() + answer.read()


def test_a_certificate_makes_it_https(secure: Server, files: Files) -> None:
    """The cookie is for HTTPS alone, and other programs of the machine keep their http."""
    with closing(call(secure, files)) as connection:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/", FORM, kind)
        answer = connection.getresponse()
        answer.read()
    assert answer.status == 303
    [cookie] = answer.headers.get_all("Set-Cookie") or []
    assert cookie.startswith("__Host-chicago=")
    assert "Secure" in cookie
    # It is said of a host and means all its ports: a printer's page next door might have no HTTPS.
    assert "Strict-Transport-Security" not in answer.headers


def test_the_terminal_shows_an_address_by_https(secure: Server, files: Files) -> None:
    """This one is for this machine alone, and answers."""
    shown = secure.log.read_text()
    assert f"The score keeper is at https://127.0.0.1:{secure.port}/" in shown
    with closing(call(secure, files)) as connection:
        assert ask(connection, "/").startswith(b"200 ")


def test_many_requests_of_every_size_share_a_connection(secure: Server, files: Files) -> None:
    """Heads and bodies that arrive in one record or in many, one after the other."""
    with closing(call(secure, files)) as connection:
        for _ in range(3):
            assert ask(connection, "/", LONG).startswith(b"303 ")
            assert ask(connection, "/static/app.css").startswith(b"200 ")
            assert ask(connection, "/", FORM).startswith(b"303 ")


def test_what_comes_in_one_record_is_answered_one_after_the_other(
    secure: Server, files: Files
) -> None:
    """What was decrypted along with a request is not forgotten until something else comes."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 8192\r\n\r\n"
    last = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with by_tls(secure, files) as connection:
        connection.sendall(head)
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        # The body ends where a read of it does, and the rest of the record is another request.
        connection.sendall(8192 * b"x" + last)
        answered = read(connection)
    assert answered.count(b"HTTP/1.1 ") == 2
    assert answered.endswith(b"ok")


def by_tls(server: Server, files: Files) -> ssl.SSLSocket:
    """Return a connection on which TLS is spoken."""
    return files.trusting.wrap_socket(connect(server.port), server_hostname="localhost")


def test_a_handshake_that_is_never_finished_holds_nobody_up(secure: Server, files: Files) -> None:
    """Silent, half-said, or no TLS at all: neighbours go on."""
    with ExitStack() as opened:
        held = [opened.enter_context(closing(connect(secure.port, "127.0.0.2"))) for _ in range(40)]
        for number, connection in enumerate(held):
            connection.sendall([b"", HALF_A_HELLO][number % 2])
        plain = opened.enter_context(closing(connect(secure.port, "127.0.0.3")))
        plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200" not in read(plain)
        with closing(call(secure, files)) as neighbour:
            assert ask(neighbour, "/").startswith(b"200 ")


def test_who_does_not_go_on_is_closed_in_time(tmp_path: Path, files: Files) -> None:
    """In the middle of a handshake, or after it."""
    settings = {"CHICAGO_LIMITS": "", "GUNICORN_CMD_ARGS": f"--config {HURRIED}"}
    server = Server(tmp_path, **settings, **files.environment)
    server.start()
    with ExitStack() as opened:
        held = [opened.enter_context(closing(connect(server.port))) for _ in range(2)]
        held[1].sendall(HALF_A_HELLO)
        quiet = opened.enter_context(by_tls(server, files))
        for connection in [*held, quiet]:
            assert not read(connection)
    server.stop()


def test_who_stops_watching_leaves_at_once(secure: Server, files: Files) -> None:
    """More may watch one after the other than at the same time."""
    with closing(call(secure, files)) as connection:
        connection.request("POST", "/", FORM, {"Content-Type": "application/x-www-form-urlencoded"})
        table = connection.getresponse().headers["Location"]
    with ExitStack() as opened:
        for _ in range(MAX_PER_ADDRESS + 1):
            watching = opened.enter_context(by_tls(secure, files))
            watching.sendall(f"GET {table}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert watching.recv(12) == b"HTTP/1.1 200"
            # Its good-bye is a message of TLS, and the connection is still there.
            watching.setblocking(False)
            with suppress(OSError):
                watching.unwrap()


def test_a_phone_that_hangs_up_amid_an_answer_is_no_error(secure: Server, files: Files) -> None:
    """Whatever it had begun to say; the log holds nothing of it, as the server's end shows."""
    whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    for said in (whole, whole[:8], whole[:-2]):
        connection = by_tls(secure, files)
        connection.sendall(said)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
    with closing(call(secure, files)) as after:
        assert ask(after, "/healthz") == b"200 ok"


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [
        ("cert.pem", "", "CHICAGO_CERT without CHICAGO_KEY: "),
        ("", "key.pem", "CHICAGO_KEY without CHICAGO_CERT: "),
        ("nothing.pem", "key.pem", "CHICAGO_CERT: .*nothing.pem cannot be read: No such file"),
        ("cert.pem", ".", "CHICAGO_KEY: .* cannot be read: Is a directory"),
        ("key.pem", "cert.pem", "CHICAGO_CERT and CHICAGO_KEY: .* are no certificate with its key"),
        ("cert.pem", "other.pem", "CHICAGO_CERT and CHICAGO_KEY: .* are no certificate with its"),
    ],
)
def test_files_that_make_no_https_end_the_start(
    files: Files, certificate: str, key: str, said: str
) -> None:
    """One sentence that names the setting at fault."""
    folder = Path(files.key).parent
    trustme.CA().issue_cert("localhost").private_key_pem.write_to_path(str(folder / "other.pem"))
    paths = [str(folder / name) if name else "" for name in (certificate, key)]
    with pytest.raises(SystemExit, match=said):
        read_certificate(*paths)
    assert read_certificate("", "") is None


@pytest.mark.parametrize(
    "setting",
    [{"CHICAGO_CERT": "/nowhere.pem", "CHICAGO_KEY": "/nowhere.pem"}, {"CHICAGO_URL": "home"}],
)
def test_a_setting_that_cannot_be_read_ends_the_start(
    tmp_path: Path, setting: dict[str, str]
) -> None:
    """One line and exit status 1."""
    env = {**os.environ, "CHICAGO_DB": str(tmp_path / "c.db"), "HOST": "127.0.0.1", "PORT": "0"}
    ended = subprocess.run(
        [Path(sys.executable).parent / "gunicorn", "app:create_app()"],
        cwd=ROOT,
        env=env | setting,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    [line] = (ended.stdout + ended.stderr).splitlines()
    assert line.startswith(next(iter(setting)))
    assert ended.returncode == 1
