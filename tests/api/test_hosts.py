"""The Host header: a link to scan leads to a place that phones can reach, for any host."""

import re

import pytest

from tests.api.calling import Table

LISTENING = {"SERVER_NAME": "0.0.0.0", "SERVER_PORT": "8000"}


def shown(table: Table, host: str) -> str:
    """Return the host of a page's link to scan."""
    page = table.caller.client.get(
        f"/t/{table.link}/join", headers={"Host": host}, environ_overrides=LISTENING
    )
    assert page.status_code == 200
    [found] = set(re.findall(rf'value="http://([^"]*)/t/{table.link}"', page.text))
    return str(found)


@pytest.mark.parametrize("host", ["x", "x:8000", "A.Example", "192.0.2.1", "[2001:db8::1]:8000"])
def test_a_link_leads_to_the_host_that_was_asked_for(table: Table, host: str) -> None:
    """The host is a name or an address, with or without a port."""
    assert shown(table, host) == host


@pytest.mark.parametrize(
    "host", ["", "localhost:8000", "127.0.0.9:8000", "[::1]:8000", "a b", "a@b", "<a>", "my_box"]
)
def test_a_link_never_leads_to_the_phone_itself_or_nowhere(
    table: Table, at_home: str, host: str
) -> None:
    """For the server's own screen, and without a valid host, it names the server's address."""
    assert shown(table, host) == f"{at_home}:8000"


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [("a b", "null", 403), ("my_box:8000", "http://my_box:8000", 303), ("my_box", "http://x", 403)],
)
def test_forms_are_taken_from_the_same_host_alone(
    table: Table, host: str, origin: str, status: int
) -> None:
    """The origin is compared with the Host header as it was sent, which may be no valid name."""
    headers = {"Host": host, "Origin": origin}
    assert table.caller.client.post("/language", headers=headers).status_code == status
