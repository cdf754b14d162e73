"""HTTPS without a server in front, by a certificate and its key."""

from __future__ import annotations

import re
import ssl
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization

from app.http.environment import read_certificate
from tests.api.network import REQUESTS, connect, raw, read
from tests.browser.serving import UNWANTED, Server

SECRET = "0Zx9_abcdefghijklmnopA"


@pytest.fixture(scope="module")
def trusting() -> ssl.SSLContext:
    """Return what trusts the certificates of these tests, and no others."""
    return ssl.create_default_context()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, trusting: ssl.SSLContext) -> Path:
    """Return a folder with a certificate and its key."""
    folder, authority = tmp_path_factory.mktemp("certificate"), trustme.CA()
    authority.configure_trust(trusting)
    made = authority.issue_cert("localhost", "127.0.0.1")
    made.private_key_pem.write_to_path(folder / "key.pem")
    made.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    return folder


def test_a_certificate_makes_it_https_and_who_speaks_none_holds_up_nobody(
    folder: Path, trusting: ssl.SSLContext
) -> None:
    """Plain HTTP and half a handshake block no other client.

    Neither a failed handshake nor what is unreadable within HTTPS names its visitor. Without lines
    of requests, which can be switched off, errors are logged all the same.
    """
    files = {"CHICAGO_CERT": str(folder / "cert.pem"), "CHICAGO_KEY": str(folder / "key.pem")}
    places = "tests.api.places:observed()"
    server = Server(folder, places, CHICAGO_LOG="off", **files)
    server.start()
    https = HTTPSConnection("localhost", server.port, context=trusting)
    with connect(server.port), connect(server.port) as half, closing(https):
        half.sendall(b"\x16\x03\x01\x02\x00\x01")
        plain = raw(server.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        https.request("POST", "/", b"player=Anna&player=Bo&stake=1", form)
        opened = https.getresponse()
    complaint = UNWANTED.search(server.log.read_text("utf-8"))
    for text in ("GET /broken/view/%s HTTP/1.0\r\n\r\n", *REQUESTS["unreadable requests"]):
        sent = read(text.replace("%s", SECRET))
        raw(server.port, sent, shut=True)
        with (
            connect(server.port) as outer,
            trusting.wrap_socket(outer, server_hostname="127.0.0.1") as inner,
        ):
            inner.sendall(sent)
    server.stop(re.compile("Traceback"))
    assert complaint is None
    assert not plain.startswith(b"HTTP/1.1 2")
    cookies = opened.headers.get_all("Set-Cookie") or []
    assert ["Secure" in each for each in cookies] == [True, True]
    told, _, log = server.log.read_text("utf-8").partition("Booting worker")
    assert f"The score keeper is at https://127.0.0.1:{server.port}/" in told
    assert [each for each in ("127.0.0.1", SECRET, " ms") if each in log] == []
    assert "RuntimeError" in log


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [
        ("nothing.pem", "key.pem", ".*nothing.pem and .* are not a certificate .*No such file"),
        ("cert.pem", "sealed.pem", ".* are not a certificate and its key"),
    ],
)
def test_files_that_make_no_https_end_the_start(
    folder: Path, certificate: str, key: str, said: str
) -> None:
    """One sentence names the settings; no password is asked for."""
    plain = serialization.load_pem_private_key((folder / "key.pem").read_bytes(), None)
    how = serialization.BestAvailableEncryption(b"secret")
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how)
    (folder / "sealed.pem").write_bytes(plain.private_bytes(*form))
    paths = {"CHICAGO_CERT": str(folder / certificate), "CHICAGO_KEY": str(folder / key)}
    with pytest.raises(SystemExit, match=said) as ended:
        read_certificate(paths)
    assert "CHICAGO_CERT" in str(ended.value)
    assert "\n" not in str(ended.value)
    assert read_certificate({}) is None
