"""HTTPS without a server in front, by a certificate and its key."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from app.http.address import read_certificate
from tests.api.certificate import Files
from tests.api.network import connect, raw
from tests.browser.serving import ROOT, Server

FORM = b"player=Anna&player=Bo&stake=1"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return a certificate and its key."""
    return Files(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def secure(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve by HTTPS, with rate limits as at home."""
    settings = {"CHICAGO_LIMITS": "", **files.environment}
    server = Server(tmp_path_factory.mktemp("secure"), **settings)
    server.start()
    yield server
    server.stop()


def call(server: Server, files: Files) -> http.client.HTTPSConnection:
    """Return a connection to a server that verifies its certificate."""
    return http.client.HTTPSConnection("localhost", server.port, context=files.trusting)


def ask(connection: http.client.HTTPSConnection, path: str, body: bytes | None = None) -> bytes:
    """Request a page or send a form, and return the status and the body of the answer."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    connection.request("POST" if body else "GET", path, body, kind)
    answer = connection.getresponse()
    return f"{answer.status} ".encode() + answer.read()


def test_a_certificate_makes_it_https(secure: Server, files: Files) -> None:
    """The cookie is for HTTPS alone; other programs of the machine keep plain HTTP."""
    with closing(call(secure, files)) as connection:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/", FORM, kind)
        answer = connection.getresponse()
        answer.read()
    assert answer.status == 303
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert len(cookies) == 2
    assert all(each.startswith("__Host-chicago") and "Secure" in each for each in cookies)
    # The header holds for all ports of a host: a printer's page next door might have no HTTPS.
    assert "Strict-Transport-Security" not in answer.headers


def test_who_speaks_no_https_holds_up_nobody(secure: Server, files: Files) -> None:
    """Plain HTTP, half a handshake and a silent connection block no other client."""
    silent, half = connect(secure.port), connect(secure.port)
    with silent, half, closing(call(secure, files)) as connection:
        half.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert not raw(secure.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").startswith(b"HTTP/1.1 2")
        assert ask(connection, "/").startswith(b"200 ")


def test_the_terminal_shows_an_address_by_https(secure: Server, files: Files) -> None:
    """The address is for this machine alone, and answers."""
    shown = secure.log.read_text()
    assert f"The score keeper is at https://127.0.0.1:{secure.port}/" in shown
    with closing(call(secure, files)) as connection:
        assert ask(connection, "/").startswith(b"200 ")


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [
        ("cert.pem", "", "HTTPS takes a certificate and its key"),
        ("nothing.pem", "key.pem", ".*nothing.pem and .* are no certificate .*No such file"),
        ("cert.pem", "other.pem", ".* are no certificate with its key"),
        ("cert.pem", "sealed.pem", ".* are no certificate with its key"),
    ],
)
def test_files_that_make_no_https_end_the_start(
    files: Files, certificate: str, key: str, said: str
) -> None:
    """One sentence names the settings; no password is asked for."""
    folder = Path(files.key).parent
    trustme.CA().issue_cert("localhost").private_key_pem.write_to_path(str(folder / "other.pem"))
    seal(Path(files.key), folder / "sealed.pem")
    names = {"CHICAGO_CERT": certificate, "CHICAGO_KEY": key}
    paths = {setting: str(folder / name) if name else "" for setting, name in names.items()}
    with pytest.raises(SystemExit, match=said) as ended:
        read_certificate(paths)
    assert "CHICAGO_CERT" in str(ended.value)
    assert "\n" not in str(ended.value)
    assert read_certificate({}) is None


def seal(key: Path, sealed: Path) -> None:
    """Encrypt a key with a password."""
    plain = serialization.load_pem_private_key(key.read_bytes(), None)
    how = serialization.BestAvailableEncryption(b"secret")
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how)
    sealed.write_bytes(plain.private_bytes(*form))


@pytest.mark.parametrize(
    "setting",
    [
        {"CHICAGO_CERT": "/nowhere.pem", "CHICAGO_KEY": "/nowhere.pem"},
        {"CHICAGO_URL": "home"},
        {"CHICAGO_PROXIES": "abc"},
    ],
)
def test_a_setting_that_cannot_be_read_ends_the_start(
    tmp_path: Path, setting: dict[str, str]
) -> None:
    """The server prints one line, and ends with exit status 1."""
    env = {**os.environ, "CHICAGO_DB": str(tmp_path / "c.db"), "HOST": "127.0.0.1", "PORT": "0"}
    ended = subprocess.run(
        [Path(sys.executable).parent / "gunicorn", "app:create_app()"],
        cwd=ROOT,
        env=env | setting,
        capture_output=True,
        text=True,
        check=False,
    )
    [line] = (ended.stdout + ended.stderr).splitlines()
    assert line.startswith(next(iter(setting)))
    assert ended.returncode == 1
