"""HTTPS without a server in front, by a certificate and its key."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from app.http.address import read_certificate
from tests.api.certificate import Files
from tests.api.network import connect, raw
from tests.browser.serving import ROOT, Server


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return a certificate and its key."""
    return Files(tmp_path_factory.mktemp("certificate"))


def test_a_certificate_makes_it_https_and_who_speaks_none_holds_up_nobody(
    files: Files, tmp_path: Path
) -> None:
    """The cookie is for HTTPS alone; plain HTTP and half a handshake block no other client."""
    server = Server(tmp_path, CHICAGO_LIMITS="", **files.environment)
    server.start()
    assert f"The score keeper is at https://127.0.0.1:{server.port}/" in server.log.read_text()
    https = http.client.HTTPSConnection("localhost", server.port, context=files.trusting)
    with connect(server.port), connect(server.port) as half, closing(https):
        half.sendall(b"\x16\x03\x01\x02\x00\x01")
        plain = raw(server.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        https.request("POST", "/", b"player=Anna&player=Bo&stake=1", kind)
        answer = https.getresponse()
    server.stop()
    assert not plain.startswith(b"HTTP/1.1 2")
    assert answer.status == 303
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert len(cookies) == 2
    assert all(each.startswith("__Host-chicago") and "Secure" in each for each in cookies)
    # The header holds for all ports of a host: a printer's page next door might have no HTTPS.
    assert "Strict-Transport-Security" not in answer.headers


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
    other = trustme.CA().issue_cert("localhost").private_key_pem.bytes()
    (folder / "other.pem").write_bytes(other)
    plain = serialization.load_pem_private_key(Path(files.key).read_bytes(), None)
    how = serialization.BestAvailableEncryption(b"secret")
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how)
    (folder / "sealed.pem").write_bytes(plain.private_bytes(*form))
    names = {"CHICAGO_CERT": certificate, "CHICAGO_KEY": key}
    paths = {setting: str(folder / name) if name else "" for setting, name in names.items()}
    with pytest.raises(SystemExit, match=said) as ended:
        read_certificate(paths)
    assert "CHICAGO_CERT" in str(ended.value)
    assert "\n" not in str(ended.value)
    assert read_certificate({}) is None


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
