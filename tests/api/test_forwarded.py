"""Headers of servers in front: they count as far as configured, and from nobody else."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app import create_app
from app.http.environment import read_proxies
from tests.api.network import send
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


def test_nothing_is_believed_unless_one_is_told_of_a_server_in_front(server: Server) -> None:
    """No header is believed, not even from this machine, nor gunicorn's own of the path."""
    claims = {**CLAIMS, "Content-Type": "application/x-www-form-urlencoded"}
    answer = send(server.port, "POST", "/", b"player=Anna&player=Bo&stake=1", **claims)
    assert answer.status == 303
    assert answer.headers["Set-Cookie"].startswith("chicago-pen=")
    assert "Strict-Transport-Security" not in answer.headers
    assert answer.headers["Location"].startswith("/t/")
    answer = send(server.port, "GET", "/rules", SCRIPT_NAME="/elsewhere")
    assert answer.status == 200
    assert b"/elsewhere" not in answer.data


@pytest.mark.parametrize("proxies", [1, 2])
def test_a_server_in_front_that_one_was_told_of_is_believed(app: Flask, proxies: int) -> None:
    """Its HTTPS, its host name and its path prefix are used; of two the inner one tells them."""
    behind = create_app({"DATABASE": app.config["DATABASE"], "PROXIES": proxies})
    client, form = behind.test_client(), {"player": ["Anna", "Bo"], "stake": "1"}
    answer = client.post("/", data=form, headers=CLAIMS)
    link = answer.headers["Location"]
    told = client.get(f"{link.removeprefix('/evil')}/join", headers=CLAIMS).text
    behind.close()
    assert answer.headers["Set-Cookie"].startswith("__Secure-chicago-pen=")
    assert link.startswith("/evil/t/")
    assert f'value="https://evil.example{link}"' in told


@pytest.mark.parametrize("text", ["-1", "1.5", "100", "²", "1 2", "0x1", "+1"])
def test_what_is_no_number_of_servers(text: str) -> None:
    """The number of servers is from 0 to 99."""
    with pytest.raises(SystemExit, match=f"CHICAGO_PROXIES.*{re.escape(repr(text))}"):
        read_proxies(text)
    assert [read_proxies(number) for number in ("0", " 1 ", "99")] == [0, 1, 99]
