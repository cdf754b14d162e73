"""The Host header: a link to scan leads to a place that phones can reach, for any host."""

import pytest

from tests.api.calling import Table

LISTENING = {"SERVER_NAME": "0.0.0.0", "SERVER_PORT": "8000"}
# Of the server's own screen, or none.
NOWHERE = ("", "localhost:8000", "127.0.0.9:8000", "[::1]:8000", "a b", "a@b", "<a>", "my_box")
REACHED = ("x", "x:8000", "A.Example", "192.0.2.1", "[2001:db8::1]:8000")


@pytest.mark.parametrize("host", [*REACHED, *NOWHERE])
def test_a_link_leads_to_a_host_that_others_reach(table: Table, at_home: str, host: str) -> None:
    """It is the one that was asked for, or else the server's address."""
    page = table.caller.client.get(
        f"/t/{table.link}/join", headers={"Host": host}, environ_overrides=LISTENING
    )
    leads_to = host if host in REACHED else f"{at_home}:8000"
    assert f'value="http://{leads_to}/t/{table.link}"' in page.text


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
