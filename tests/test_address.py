"""The address shown to people: one that answers, or the reason for its absence."""

from __future__ import annotations

import io
import socket
from pathlib import Path

import pytest

from app.cli.announcement import announce, locate
from app.http import address
from app.http.address import Address, find_address
from app.http.environment import read_url
from tests.codes import read_terminal

ANYWHERE = "0.0.0.0"
URL = "https://home.example/x/chicago"
LAN_ADDRESS, IS_CONTAINER = address.lan_address, address.is_container


@pytest.fixture
def contained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put this machine into a container, with an address of its own."""
    monkeypatch.setattr(address, "is_container", lambda: True)
    monkeypatch.setattr(address, "lan_address", lambda _="": "172.17.0.2")


def announcement(
    host: str, encoding: str = "utf-8", url: str = "", *, behind_proxy: bool = False
) -> str:
    """Return the output of a server bound to `host` on a terminal of that encoding."""
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    found = locate("http", host, 8000, url, behind_proxy=behind_proxy)
    announce(found, 8000, terminal)
    terminal.seek(0)
    return terminal.read()


@pytest.mark.parametrize("host", [ANYWHERE, "::"])
def test_a_server_on_all_interfaces_is_shown_at_the_address_phones_can_reach(
    host: str, at_home: str
) -> None:
    """No phone can open 0.0.0.0, so the machine's own address is shown, with its code."""
    shown = announcement(host)
    assert f"http://{at_home}:8000/" in shown
    assert read_terminal(shown) == f"http://{at_home}:8000/"


def test_the_address_that_was_configured_is_shown() -> None:
    """The configured address is shown, for a server bound to any host."""
    for host in (ANYWHERE, "127.0.0.1", "fd00::7"):
        shown = announcement(host, url=URL)
        assert f"is at {URL}/\n" in shown
        assert read_terminal(shown) == f"{URL}/"


def test_a_server_for_this_machine_only_says_so() -> None:
    """A code that no phone can open is not drawn."""
    shown = announcement("127.0.0.1")
    assert "http://127.0.0.1:8000/" in shown
    assert "Only this machine" in shown
    assert "█" not in shown


@pytest.mark.usefixtures("contained")
def test_a_container_shows_no_address_of_its_own() -> None:
    """No phone is in its network: without a configured address it prints a hint instead."""
    shown = announcement(ANYWHERE)
    assert "172.17" not in shown
    assert "█" not in shown
    assert "CHICAGO_URL" in shown
    assert "port 8000" in shown
    assert read_terminal(announcement(ANYWHERE, url=URL)) == f"{URL}/"


@pytest.mark.parametrize("host", [ANYWHERE, "127.0.0.1", "192.168.1.5"])
def test_behind_another_server_a_server_shows_no_address_past_it(host: str) -> None:
    """Phones must use the server in front, whose name only they or the configuration know."""
    shown = announcement(host, behind_proxy=True)
    assert "http://" not in shown
    assert "█" not in shown
    assert "CHICAGO_URL" in shown
    assert read_terminal(announcement(host, url=URL, behind_proxy=True)) == f"{URL}/"


def test_a_terminal_without_block_characters_still_gets_the_address(at_home: str) -> None:
    """The address is printed alone where the code cannot be drawn."""
    shown = announcement(ANYWHERE, encoding="latin-1")
    assert f"http://{at_home}:8000/" in shown
    assert "Scan" not in shown


def test_an_ipv6_address_is_bracketed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser accepts an IPv6 address only in brackets."""
    assert locate("http", "fd00::7", 8000) == Address("http://[fd00::7]:8000")
    monkeypatch.setattr(address, "lan_address", lambda _="": "fd00::8")
    assert locate("https", "::", 8000) == Address("https://[fd00::8]:8000")


@pytest.mark.parametrize("name", ["Localhost.", "chicago.localhost", "[::1]", "0.0.0.0"])
def test_asked_for_on_its_own_screen_a_server_is_where_it_listens(name: str, at_home: str) -> None:
    """On all interfaces: the network's address. On loopback: only here. Behind a proxy: unknown."""
    asked = f"http://{name}:8000"
    host = f"{name}:8000"
    assert find_address("http", host, ANYWHERE) == Address(f"http://{at_home}:8000")
    assert find_address("http", host, "127.0.0.1") == Address(asked, "here")
    assert find_address("http", host, "::1") == Address(asked, "here")
    for listening in (ANYWHERE, "127.0.0.1"):
        found = find_address("http", host, listening, behind_proxy=True)
        assert found == Address(asked, "unknown")


@pytest.mark.parametrize("name", ["chicago.local", "192.168.1.5", "[fd00::7]", "172.17.0.2"])
def test_what_was_asked_for_is_what_is_shown(name: str) -> None:
    """A name that one phone can reach is good for others too."""
    for listening in (ANYWHERE, "127.0.0.1"):
        found = find_address("https", f"{name}:8000", listening)
        assert found == Address(f"https://{name}:8000")


@pytest.mark.usefixtures("contained")
def test_a_container_is_known_to_others_by_the_name_they_asked_for() -> None:
    """Its own address and loopback lead nowhere for others."""
    for host in ("localhost:8000", "172.17.0.2:8000", "10.88.0.3"):
        assert find_address("http", host, ANYWHERE) == Address(f"http://{host}", "unknown")
    for host in ("home.local:8000", "192.168.1.5:8000"):
        assert find_address("http", host, ANYWHERE) == Address(f"http://{host}")


def test_what_engines_leave_in_a_container_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file or a control group of Docker or Podman tells a container from a machine."""
    groups, mark = tmp_path / "cgroup", tmp_path / ".dockerenv"
    monkeypatch.setattr(address, "CONTAINER_MARKS", (mark,))
    monkeypatch.setattr(address, "CONTROL_GROUPS", groups)
    assert not IS_CONTAINER()
    groups.write_text("0::/init.scope\n")
    assert not IS_CONTAINER()
    groups.write_text("12:pids:/docker/0123456789abcdef\n")
    assert IS_CONTAINER()
    groups.unlink()
    mark.touch()
    assert IS_CONTAINER()


def test_without_a_network_the_machine_is_reached_from_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine without an address of its own shows the loopback address, and says so."""
    monkeypatch.setattr(socket.socket, "connect", _unreachable)
    monkeypatch.setattr(socket, "if_nameindex", list)
    assert LAN_ADDRESS() == "127.0.0.1"
    monkeypatch.setattr(address, "lan_address", LAN_ADDRESS)
    assert find_address("http", "localhost:80", ANYWHERE).obstacle == "here"
    assert "Only this machine" in announcement(ANYWHERE)


def test_a_network_that_leads_nowhere_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a hotspot without data the address is that of the interface, but not loopback."""
    known = {"lo": "127.0.0.1", "usb0": None, "wlan0": "192.168.4.1"}

    def ask(_: object, __: int, name: bytes) -> bytes:
        found = known[name.rstrip(b"\0").decode()]
        return bytes(20) + socket.inet_aton(found) if found else _unreachable()

    monkeypatch.setattr(socket.socket, "connect", _unreachable)
    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(known)))
    monkeypatch.setattr("fcntl.ioctl", ask)
    assert LAN_ADDRESS() == "192.168.4.1"


def test_a_machine_that_does_not_tell_its_interfaces_is_reached_from_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A service may not be allowed to list them: the server starts all the same."""
    monkeypatch.setattr(socket.socket, "connect", _unreachable)
    monkeypatch.setattr(socket, "if_nameindex", _unreachable)
    assert LAN_ADDRESS() == "127.0.0.1"


def test_ipv6_alone_serves_who_listens_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that listens on IPv4 alone would not answer there."""

    def connect(probe: socket.socket, _: object) -> None:
        if probe.family == socket.AF_INET:
            _unreachable()

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "getsockname", lambda _: ("fd00::7", 9, 0, 0))
    monkeypatch.setattr(socket, "if_nameindex", list)
    assert LAN_ADDRESS("::") == "fd00::7"
    assert LAN_ADDRESS(ANYWHERE) == "127.0.0.1"


def _unreachable(*_: object) -> bytes:
    message = "Network is unreachable"
    raise OSError(message)


@pytest.mark.parametrize(
    "text",
    [
        *("chicago.example", "ftp://home.example", "https://", "https://home.example?"),
        *("https://home.example/#", "https://me:secret@home.example", "http://[::1"),
        *("http://home.example:99999", "http://a/../b", "https://home.example//x"),
        *("https://home.example/x y", "https://hömma.example"),
        *(f"https://home.{'x' * 300}", f"https://home.example/{'x' * 300}"),
    ],
)
def test_what_is_no_address_of_a_score_keeper(text: str) -> None:
    """A valid address has a scheme, a host, perhaps a port and a plain path."""
    with pytest.raises(SystemExit, match=r"^CHICAGO_URL is the address .*, not .*$"):
        read_url(text)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        *(("", ""), (" http://192.168.1.5:8000/ ", "http://192.168.1.5:8000"), (f"{URL}/", URL)),
        ("https://[fd00::7]:8443", "https://[fd00::7]:8443"),
        ("HTTPS://Home.example:443/Chicago", "https://home.example/Chicago"),
        ("http://[fd00::80]:80", "http://[fd00::80]"),
        ("http://home.example:443", "http://home.example:443"),
    ],
)
def test_what_is_one(text: str, url: str) -> None:
    """A slash at its end, large letters or the usual port make no difference."""
    assert read_url(text) == url
