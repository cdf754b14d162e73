"""HTTPS without a server in front, by a certificate and its key."""

from __future__ import annotations

import http.client
from contextlib import closing
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from cryptography.hazmat.primitives import serialization

from app.http.environment import read_certificate
from tests.api.certificate import Files
from tests.api.network import connect, raw
from tests.browser.serving import Server
from tests.codes import read_path, read_terminal

URL = "https://localhost/x/chicago"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Return a certificate and its key."""
    return Files(tmp_path_factory.mktemp("certificate"))


def test_a_certificate_makes_it_https_and_who_speaks_none_holds_up_nobody(
    files: Files, tmp_path: Path
) -> None:
    """Plain HTTP and half a handshake block no other client; the codes have the set address."""
    server = Server(tmp_path, CHICAGO_URL=URL, **files.environment)
    server.start()
    https = http.client.HTTPSConnection("localhost", server.port, context=files.trusting)

    def ask(method: str, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        https.request(method, path, b"player=Anna&player=Bo&stake=1", headers)
        answer = https.getresponse()
        return answer, answer.read()

    with connect(server.port), connect(server.port) as half, closing(https):
        half.sendall(b"\x16\x03\x01\x02\x00\x01")
        plain = raw(server.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        opened, _ = ask("POST", "/", **{"Content-Type": "application/x-www-form-urlencoded"})
        table = opened.headers["Location"]
        joining, page = ask("GET", f"{table}/join", Host=f"127.0.0.1:{server.port}")
    server.stop()
    assert not plain.startswith(b"HTTP/1.1 2")
    assert (opened.status, joining.status) == (303, 200)
    cookies = opened.headers.get_all("Set-Cookie") or []
    assert ["Secure" in each for each in cookies] == [True, True]
    assert read_terminal(server.log.read_text()) == f"{URL}/"
    [code] = BeautifulSoup(page, "html.parser").select("path.qrline")
    assert read_path(str(code["d"])) == f"https://localhost{table}"


@pytest.mark.parametrize(
    ("certificate", "key", "said"),
    [
        ("nothing.pem", "key.pem", ".*nothing.pem and .* are not a certificate .*No such file"),
        ("cert.pem", "sealed.pem", ".* are not a certificate and its key"),
    ],
)
def test_files_that_make_no_https_end_the_start(
    files: Files, certificate: str, key: str, said: str
) -> None:
    """One sentence names the settings; no password is asked for."""
    folder = Path(files.key).parent
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
