"""Where a request comes from and goes to: hosts, origins, headers of servers in front."""

from __future__ import annotations

from itertools import product

import pytest
from flask import Flask

from app import create_app
from tests.api.calling import Table, every_address
from tests.api.network import send
from tests.browser.serving import Server
from tests.told import told

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
OPENING = {"player": ["Anna", "Bo"], "stake": "1"}


def test_nothing_is_believed_unless_one_is_told_of_a_server_in_front(server: Server) -> None:
    """No header is believed, not even from this machine, nor gunicorn's own of the path."""
    claims = {**CLAIMS, "Content-Type": "application/x-www-form-urlencoded"}
    answer = send(server.port, "POST", "/", b"player=Anna&player=Bo&stake=1", **claims)
    assert answer.headers["Set-Cookie"].startswith("chicago-pen=")
    assert "Strict-Transport-Security" not in answer.headers
    assert answer.headers["Location"].startswith("/t/")
    answer = send(server.port, "GET", "/rules", SCRIPT_NAME="/elsewhere")
    assert (answer.status, b"/elsewhere" in answer.data) == (200, False)


@pytest.mark.parametrize("proxies", [1, 2])
def test_a_server_in_front_that_one_was_told_of_is_believed(app: Flask, proxies: int) -> None:
    """Its HTTPS, its host name and its path prefix are used; of two the inner one tells them."""
    behind = create_app({"DATABASE": app.config["DATABASE"], "PROXIES": proxies})
    client = behind.test_client()
    answer = client.post("/", data=OPENING, headers=CLAIMS)
    link = answer.headers["Location"]
    told = client.get(f"{link.removeprefix('/evil')}/join", headers=CLAIMS).text
    behind.close()
    assert answer.headers["Set-Cookie"].startswith("__Secure-chicago-pen=")
    assert link.startswith("/evil/t/")
    assert f'value="https://evil.example{link}"' in told


@told
def test_a_link_leads_to_a_host_that_others_reach(
    table: Table, listening: str, host: str, leads_to: str
) -> None:
    """It is the one that was asked for, or else the server's address; there is no code to none."""
    page = table.caller.client.get(
        f"/t/{table.link}/join",
        headers={"Host": host, "Accept-Language": "en"},
        environ_overrides={"SERVER_NAME": listening, "SERVER_PORT": "8000"},
    ).text
    assert f'value="http://{leads_to}/t/{table.link}"' in page
    words = {"qrline": "0.0.0.0", "only this machine": "127.0.0.1", "Scan the code": "0.0.0.0"}
    assert [listening == at for at in words.values()] == [word in page for word in words]


def test_what_is_no_host_is_refused_in_words(app: Flask) -> None:
    """At every address, whatever it makes of the host: a link, a code, a redirection."""
    client = app.test_client()
    for rule, path in every_address(app):
        answer = client.open(path, method=min(rule.methods or ()), headers={"Host": "a b"})
        assert answer.status_code == 400, rule
    no_hosts = ["a@b", "<a>", "a/b", "[::", "x:99999", "x:y", "ex\xe4mple", "x" * 3000]
    for host in (*no_hosts, f"my_{no_hosts[-1]}"):
        page = client.get("/", headers={"Host": host, "Accept-Language": "en"})
        assert (page.status_code, "by its own address" in page.text) == (400, True)


@pytest.mark.parametrize("length", [200, 201])
def test_the_longest_addresses_have_a_code_everywhere(app: Flask, length: int) -> None:
    """The longest host below the longest path, with the longest rules, leads to no fault."""
    made, prefix = create_app({**app.config, "PROXIES": 1}), "/".ljust(length, "x")
    host = ".".join(["x" * 62] * 4)[:250] + ":65535"
    client = made.test_client()
    client.environ_base |= {"HTTP_X_FORWARDED_HOST": host, "HTTP_X_FORWARDED_PREFIX": prefix}
    opened = client.post("/", data=OPENING)
    assert opened.status_code == (303 if length == 200 else 400)
    table = opened.headers.get("Location", "").removeprefix(prefix)
    for page in ("/join", "/recovery", "/pen", "/rules", "/install", "/transfer"):
        for path, method in product((page, table + page), ("GET", "POST")):
            assert client.open(path, method=method).status_code < 500, path
    made.close()


@told
def test_forms_are_taken_from_the_same_host_alone(
    app: Flask, monkeypatch: pytest.MonkeyPatch, host: str, origin: str, status: int
) -> None:
    """The origin is that of the Host header as it was sent, or of CHICAGO_URL."""
    monkeypatch.setitem(app.config, "URL", "https://Chicago.example/below")
    answer = app.test_client().post("/language", headers={"Host": host, "Origin": origin})
    assert answer.status_code == status
