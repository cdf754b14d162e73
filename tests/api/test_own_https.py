"""HTTPS without a server in front: a certificate and its key, and nobody who can hold it up."""

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

from app.http.settings import read_certificate
from tests.api.certificate import Files
from tests.browser.serving import ROOT, Server

FORM = b"player=Anna&player=Bo&stake=1"


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
    return http.client.HTTPSConnection("localhost", server.port, context=files.trusting)


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
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert len(cookies) == 2
    assert all(each.startswith("__Host-chicago") and "Secure" in each for each in cookies)
    # It is said of a host and means all its ports: a printer's page next door might have no HTTPS.
    assert "Strict-Transport-Security" not in answer.headers


def test_the_terminal_shows_an_address_by_https(secure: Server, files: Files) -> None:
    """This one is for this machine alone, and answers."""
    shown = secure.log.read_text()
    assert f"The score keeper is at https://127.0.0.1:{secure.port}/" in shown
    with closing(call(secure, files)) as connection:
        assert ask(connection, "/").startswith(b"200 ")


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
    [
        {"CHICAGO_CERT": "/nowhere.pem", "CHICAGO_KEY": "/nowhere.pem"},
        {"CHICAGO_URL": "home"},
        {"CHICAGO_PROXIES": "abc"},
    ],
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
        check=False,
    )
    [line] = (ended.stdout + ended.stderr).splitlines()
    assert line.startswith(next(iter(setting)))
    assert ended.returncode == 1
