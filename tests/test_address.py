"""The address shown to people: one that answers, or the reason for its absence.

`address.json` has what is found for a request, by where the server listens and stands; and which
texts are read as an address.
"""

import io
import re
import socket
from pathlib import Path

import pytest

from app.http import address
from app.http.address import HERE, Address, announce, find_address, locate
from app.http.environment import read_proxies, read_url
from tests.codes import read_terminal
from tests.told import read_tables

ANYWHERE, URL = "0.0.0.0", "https://home.example/x/chicago"
LAN_ADDRESS, IS_CONTAINER = address.lan_address, address.is_container
DATA = read_tables(__file__)


def announcement(
    host: str, encoding: str = "utf-8", url: str = "", *, behind_proxy: bool = False
) -> str:
    """Return the output of a server bound to `host` on a terminal of that encoding."""
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    announce(locate("http", host, 8000, url, behind_proxy=behind_proxy), 8000, terminal)
    terminal.seek(0)
    return terminal.read()


@pytest.mark.parametrize(("asked", "listening", "where", "url", "obstacle"), DATA["found"])
def test_an_address_is_one_that_others_reach(
    asked: str,
    listening: str,
    where: list[str],
    url: str,
    obstacle: str,
    at_home: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was asked for is good for others too, unless it means the machine itself."""
    monkeypatch.setattr(address, "is_container", lambda: "in a container" in where)
    scheme, _, host = asked.partition("://")
    found = find_address(scheme, host, listening, behind_proxy="behind a proxy" in where)
    assert found == (url.format(home=at_home), obstacle)


def test_a_server_is_shown_at_the_address_phones_can_reach(
    at_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No phone can open 0.0.0.0: the machine's own address has the code, or a configured one."""
    for host in (ANYWHERE, "::"):
        assert read_terminal(shown := announcement(host)) == f"http://{at_home}:8000/"
        assert f"http://{at_home}:8000/" in shown
    for host in (ANYWHERE, "127.0.0.1", "fd00::7"):
        for behind_proxy in (False, True):
            shown = announcement(host, url=URL, behind_proxy=behind_proxy)
            assert f"is at {URL}/\n" in shown
            assert read_terminal(shown) == f"{URL}/"
    # Where the code cannot be drawn, the address is printed alone.
    assert "Scan" not in (shown := announcement(ANYWHERE, encoding="latin-1"))
    assert f"http://{at_home}:8000/" in shown
    # A browser accepts an IPv6 address only in brackets.
    assert locate("http", "fd00::7", 8000) == Address("http://[fd00::7]:8000")
    monkeypatch.setattr(address, "lan_address", lambda _="": "fd00::8")
    assert locate("https", "::", 8000) == Address("https://[fd00::8]:8000")


def test_a_code_that_no_phone_can_open_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on this machine alone, nor behind another server or in a container of unknown name."""
    local = announcement("127.0.0.1")
    assert f"http://127.0.0.1:8000/\n{HERE}" in local
    hosts = (ANYWHERE, "127.0.0.1", "192.168.1.5")
    hidden = [announcement(host, behind_proxy=True) for host in hosts]
    monkeypatch.setattr(address, "is_container", lambda: True)
    hidden.append(announcement(ANYWHERE))
    for shown in hidden:
        assert "http://" not in shown
        assert "listens on port 8000." in shown
        assert "CHICAGO_URL" in shown
    assert "█" not in "".join([local, *hidden])


def test_what_engines_leave_in_a_container_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file or a control group of Docker or Podman tells a container from a machine."""
    groups, mark = tmp_path / "cgroup", tmp_path / ".dockerenv"
    monkeypatch.setattr(address, "CONTAINER_MARKS", (mark,))
    monkeypatch.setattr(address, "CONTROL_GROUPS", groups)
    known = [IS_CONTAINER()]
    for text in ("0::/init.scope\n", "12:pids:/docker/0123456789abcdef\n"):
        groups.write_text(text)
        known.append(IS_CONTAINER())
    groups.unlink()
    mark.touch()
    assert [*known, IS_CONTAINER()] == [False, False, True, True]


def unreachable(*_: object) -> bytes:
    """Answer as a machine without a network."""
    message = "Network is unreachable"
    raise OSError(message)


@pytest.mark.parametrize(("known", "reached"), DATA["interfaces"])
def test_without_a_network_the_machine_is_reached_by_an_interface_or_from_itself(
    known: dict[str, str] | None, reached: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a hotspot without data, but not by loopback, nor where a service may not list them."""

    def ask(_: object, __: int, name: bytes) -> bytes:
        found = (known or {})[name.rstrip(b"\0").decode()]
        return bytes(20) + socket.inet_aton(found) if found else unreachable()

    interfaces = unreachable if known is None else lambda: list(enumerate(known))
    monkeypatch.setattr(socket.socket, "connect", unreachable)
    monkeypatch.setattr(socket, "if_nameindex", interfaces)
    monkeypatch.setattr("fcntl.ioctl", ask)
    monkeypatch.setattr(address, "lan_address", LAN_ADDRESS)
    assert LAN_ADDRESS() == reached
    is_alone = find_address("http", "localhost:80", ANYWHERE).obstacle == "here"
    assert is_alone == (reached == "127.0.0.1")


def test_ipv6_alone_serves_who_listens_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that listens on IPv4 alone would not answer there."""

    def connect(probe: socket.socket, _: object) -> None:
        if probe.family == socket.AF_INET:
            unreachable()

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "getsockname", lambda _: ("fd00::7", 9, 0, 0))
    monkeypatch.setattr(socket, "if_nameindex", list)
    assert (LAN_ADDRESS("::"), LAN_ADDRESS(ANYWHERE)) == ("fd00::7", "127.0.0.1")


def test_a_configured_address_has_a_scheme_a_host_and_a_plain_path() -> None:
    """A slash at its end, large letters or the usual port make no difference."""
    assert [[text, read_url(text)] for text, _ in DATA["read"]] == DATA["read"]
    for text in DATA["refused"]:
        with pytest.raises(SystemExit, match=r"^CHICAGO_URL is the address .*, not .*$"):
            read_url(text)


def test_the_number_of_servers_in_front_is_from_0_to_99() -> None:
    """Nothing else is a number of them."""
    assert [read_proxies(text) for text in ("0", " 1 ", "99")] == [0, 1, 99]
    for text in DATA["no proxies"]:
        with pytest.raises(SystemExit, match=f"CHICAGO_PROXIES.*{re.escape(repr(text))}"):
            read_proxies(text)
