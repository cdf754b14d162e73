"""Telling the people at the table where the score keeper is."""

import io
import socket

import pytest

from app.http import address

ANYWHERE = "0.0.0.0"
HOME = "192.168.1.20"


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put this machine at a fixed address in a home network."""
    monkeypatch.setattr(address, "lan_address", lambda: HOME)


def announcement(host: str, encoding: str = "utf-8") -> str:
    """Return what a server bound to `host` prints on a terminal of that encoding."""
    terminal = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    address.announce(host, 8000, terminal)
    terminal.seek(0)
    return terminal.read()


def test_a_server_on_all_interfaces_is_shown_at_the_address_phones_can_reach() -> None:
    """Nobody can open 0.0.0.0 on a phone, so the machine's own address is shown."""
    assert f"http://{HOME}:8000/" in announcement(ANYWHERE)


def test_the_qr_code_holds_the_address_shown() -> None:
    """The code printed is the code of exactly the address printed."""
    assert address.qr_code(f"http://{HOME}:8000/") in announcement(ANYWHERE)


def test_a_server_for_this_machine_only_says_so() -> None:
    """A code that no phone could follow is not drawn."""
    shown = announcement("127.0.0.1")
    assert "http://127.0.0.1:8000/" in shown
    assert "Only this machine" in shown
    assert "█" not in shown


def test_a_terminal_without_block_characters_still_gets_the_address() -> None:
    """The address is printed alone where the code cannot be drawn."""
    shown = announcement(ANYWHERE, encoding="latin-1")
    assert f"http://{HOME}:8000/" in shown
    assert "Scan" not in shown


def test_an_ipv6_address_is_bracketed() -> None:
    """A browser takes an IPv6 address only in brackets."""
    assert address.reachable_url("fd00::7", 8000) == "http://[fd00::7]:8000/"


def test_without_a_network_the_machine_is_reached_from_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine with no address of its own shows the loopback address."""
    monkeypatch.undo()
    monkeypatch.setattr(socket.socket, "connect", _unreachable)
    assert address.lan_address() == "127.0.0.1"


def _unreachable(*_: object) -> None:
    message = "Network is unreachable"
    raise OSError(message)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
        ("fe80::1%eth0", "fe80::2"),
        ("192.0.2.1", "192.0.2.1"),
    ],
)
def test_a_household_counts_as_one_address(one: str, other: str) -> None:
    """Of IPv6 it has a network, whose addresses its phones change at will."""
    assert address.network(one) == address.network(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("192.0.2.1", "192.0.2.2"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"),
        ("", "192.0.2.1"),
    ],
)
def test_neighbours_count_as_two_addresses(one: str, other: str) -> None:
    """Also where IPv4 comes in the clothes of IPv6."""
    assert address.network(one) != address.network(other)
