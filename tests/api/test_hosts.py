"""The Host header: what names no host is refused, and a link to scan leads where phones can go."""

import re
from collections.abc import Iterator

import pytest
from app.http.request import is_host

from tests.api.network import new_table, raw
from tests.browser.serving import Server

LONG_LABEL = "a" * 63
HOSTS = [
    *("x", "x:8000", "x:", "a.example", "a.example.", "A.Example:80", "under_score", "192.0.2.1"),
    *("[2001:db8::1]", "[::1]:8000", f"{LONG_LABEL}.{LONG_LABEL}.example", "xn--bcher-kva.example"),
]
NO_HOSTS = [
    *("a" * 64, f"{'a' * 64}.example", ".".join(["a" * 50] * 6), "a..b", ".a", ".", ":80", "a:b"),
    *("a:99999", "a:123456", "a:1:2", "[::1", "::1", "[::g]", "[]", "a b", "a/b", "a@b", "a\\b"),
    *("bücher.example", "a,b", "a%00", "<a>", "a?b", "a#b", "[::1]x", "²"),
    "a" * 8000,
]
PATHS = ["/", "/nothing", "/t/nothing", "/api/tables/nothing", "/api/nothing", "/static/live.js"]


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve on all interfaces of a machine at home."""
    server = Server(tmp_path_factory.mktemp("home"), "tests.api.places:at_home()", HOST="0.0.0.0")
    server.start()
    yield server
    server.stop()


def get(server: Server, path: str, host: str) -> tuple[int, str]:
    """Ask for a page of a host, and return the answer's status and its text."""
    ask = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    head, _, text = raw(server.port, ask.encode()).partition(b"\r\n\r\n")
    return int(head.split()[1]), text.decode()


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_one(server: Server, host: str) -> None:
    """A name, an address, or either with a port; and the code to scan leads there."""
    assert is_host(host)
    link, _ = new_table(server.port)
    status, page = get(server, f"/t/{link}/join", host)
    assert status == 200
    assert f"/t/{link}" in page


@pytest.mark.parametrize("host", NO_HOSTS)
def test_what_is_no_host_is_refused(server: Server, host: str) -> None:
    """400, over the network too."""
    assert not is_host(host)
    assert get(server, "/", host)[0] == 400


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_answered_to_what_is_no_host(server: Server, path: str) -> None:
    """Whatever page or call it asks for."""
    assert get(server, path, "a@b")[0] == 400


@pytest.mark.parametrize("host", ["", "localhost", "127.0.0.1", "127.0.0.9", "[::1]", "0.0.0.0"])
def test_a_link_to_scan_never_leads_to_the_phone_itself(
    everywhere: Server, at_home: str, host: str
) -> None:
    """Asked for on the server's own screen, or without a host, it names the server's address."""
    port = everywhere.port
    link, _ = new_table(port)
    status, page = get(everywhere, f"/t/{link}/join", f"{host}:{port}" if host else "")
    assert status == 200
    shown = re.search(rf"http://([^/]*)/t/{link}", page)
    assert shown
    assert shown[1] == f"{at_home}:{port}"
