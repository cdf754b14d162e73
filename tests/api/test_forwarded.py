"""Headers of servers in front: they count as far as configured, and from nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import read_proxies
from tests.api.network import Answer, send
from tests.browser.serving import Server

# Every known header in which servers in front describe a visitor.
CLAIMS = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Protocol": "ssl",
    "X-Forwarded-Ssl": "on",
    "X-Forwarded-For": "192.0.2.7",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Prefix": "/evil",
    "Forwarded": "for=192.0.2.7;proto=https;host=evil.example",
}


def opened(server: Server, **headers: str) -> Answer:
    """Open a table as a browser does."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return send(server.port, "POST", "/", b"player=Anna&player=Bo&stake=1", **kind, **headers)


def test_nothing_is_believed_unless_one_is_told_of_a_server_in_front(server: Server) -> None:
    """No header is believed, not even from this machine, the place of a server in front."""
    answer = opened(server, **CLAIMS)
    assert answer.status == 303
    assert answer.headers["Set-Cookie"].startswith("chicago-pen=")
    assert "Secure" not in answer.headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in answer.headers
    assert answer.headers["Location"].startswith("/t/")


def test_no_header_says_which_page_was_asked_for(server: Server) -> None:
    """Gunicorn takes SCRIPT_NAME from servers that it trusts; no client may send it."""
    answer = send(server.port, "GET", "/rules", SCRIPT_NAME="/elsewhere")
    assert answer.status == 200
    assert b"/elsewhere" not in answer.data


def test_a_server_in_front_that_one_was_told_of_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its HTTPS, its host name and its path prefix are used."""
    monkeypatch.setenv("CHICAGO_PROXIES", "1")
    server = Server(tmp_path)
    server.start()
    below = opened(server, **CLAIMS)
    claims = {name: value for name, value in CLAIMS.items() if name != "X-Forwarded-Prefix"}
    answer = opened(server, **claims)
    link = answer.headers["Location"]
    told = send(server.port, "GET", f"{link}/join", **claims).data.decode()
    server.stop()
    assert below.headers["Set-Cookie"].startswith("__Secure-chicago-pen=")
    assert below.headers["Location"].startswith("/evil/t/")
    assert answer.headers["Set-Cookie"].startswith("__Host-chicago-pen=")
    assert "Secure" in answer.headers["Set-Cookie"]
    assert "Strict-Transport-Security" in answer.headers
    assert link.startswith("/t/")
    assert f'value="https://evil.example{link}"' in told


@pytest.mark.parametrize("text", ["-1", "1.5", "100", "²", "1 2", "0x1", "+1"])
def test_what_is_no_number_of_servers(text: str) -> None:
    """The number of servers is from 0 to 99."""
    with pytest.raises(SystemExit, match="CHICAGO_PROXIES") as ended:
        read_proxies(text)
    assert repr(text) in str(ended.value)
    assert [read_proxies(number) for number in ("0", " 1 ", "99")] == [0, 1, 99]
