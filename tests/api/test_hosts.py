"""The Host header: a link to scan leads to a place that phones can reach, for any host."""

from itertools import product

import pytest
from flask import Flask

from app import create_app
from tests.api.calling import Table, every_address
from tests.api.places import HOME

ANYWHERE, HERE = "0.0.0.0", "127.0.0.1"
REACHED = ("x", "x:8000", "A.Example", "192.0.2.1", "[2001:db8::1]:8000")
# Of the server's own screen, or none.
NOWHERE = ("", "localhost:8000", "127.0.0.9:8000", "[::1]:8000", "my_box", "my_box:8000")


@pytest.mark.parametrize(
    ("listening", "host", "leads_to"),
    [
        *((ANYWHERE, host, host) for host in REACHED),
        *((ANYWHERE, host, f"{HOME}:8000") for host in NOWHERE),
        (HERE, "localhost:8000", "localhost:8000"),
    ],
)
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
    assert ("qrline" in page) is (listening == ANYWHERE)
    assert ("only this machine" in page) is (listening == HERE)
    assert ("Scan the code" in page) is (listening == ANYWHERE)


LONG = "x" * 3000
NO_HOSTS = ("a b", "a@b", "<a>", "a/b", "[::", "x:99999", "x:y", "ex\xe4mple", LONG, f"my_{LONG}")


@pytest.mark.parametrize("host", NO_HOSTS)
def test_what_is_no_host_is_refused_in_words(app: Flask, host: str) -> None:
    """At every address, whatever it makes of the host: a link, a code, a redirection."""
    client = app.test_client()
    for rule, path in every_address(app):
        answer = client.open(path, method=min(rule.methods or ()), headers={"Host": host})
        assert answer.status_code == 400, rule
    page = client.get("/", headers={"Host": host, "Accept-Language": "en"})
    assert "by its own address" in page.text


@pytest.mark.parametrize("length", [200, 201])
def test_the_longest_addresses_have_a_code_everywhere(app: Flask, length: int) -> None:
    """The longest host below the longest path, with the longest rules, leads to no fault."""
    made, prefix = create_app({**app.config, "PROXIES": 1}), "/".ljust(length, "x")
    host = ".".join(["x" * 62] * 4)[:250] + ":65535"
    client = made.test_client()
    client.environ_base |= {"HTTP_X_FORWARDED_HOST": host, "HTTP_X_FORWARDED_PREFIX": prefix}
    opened = client.post("/", data={"player": ["Anna", "Bo"], "stake": "1"})
    assert opened.status_code == (303 if length == 200 else 400)
    table = opened.headers.get("Location", "").removeprefix(prefix)
    for page in ("/join", "/recovery", "/pen", "/rules", "/install", "/transfer"):
        for path, method in product((page, table + page), ("GET", "POST")):
            assert client.open(path, method=method).status_code < 500, path
    made.close()


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        *(("my_box:8000", "http://my_box:8000", 303), ("my_box", "http://x", 403)),
        *(("inner:8000", "https://chicago.example", 303), ("inner:8000", "null", 403)),
        ("inner:8000", "http://chicago.example", 403),
    ],
)
def test_forms_are_taken_from_the_same_host_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch, host: str, origin: str, status: int
) -> None:
    """The origin is that of the Host header as it was sent, or of CHICAGO_URL."""
    config = table.caller.client.application.config
    monkeypatch.setitem(config, "URL", "https://Chicago.example/below")
    headers = {"Host": host, "Origin": origin}
    assert table.caller.client.post("/language", headers=headers).status_code == status
