"""Tables divided among several servers by their link: a phone notices nothing of it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from app.http.instance_calls import authorization
from tests.web.conftest import PLAYERS
from tests.web.evenings import SETTLED
from tests.web.instances import NAMES, Instances, serve_instances
from tests.web.phone import Phone

FORM = {"player": PLAYERS, "stake": "1", "dealer": "0"}
RULE_SETS = "/instances/rule_sets.list_rule_sets"


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instances]:
    """Return three servers that know each other, with a proxy in front."""
    with serve_instances(tmp_path_factory.mktemp("instances")) as several:
        yield several


def open_everywhere(instances: Instances, phone: Phone) -> list[str]:
    """Let a phone open a table at each instance; return their addresses."""
    opened = []
    for instances.home in NAMES:
        phone.send("/", {**FORM, "name": f"At {instances.home}"})
        opened.append(phone.table)
    return opened


def listed(phone: Phone) -> set[str]:
    """Return the tables that a phone lists."""
    return {link.href for link in phone.open("/tables").links if link.href.startswith("/t/")}


def test_a_phone_has_all_its_tables_in_one_list(instances: Instances) -> None:
    """Each is named in the list, can be put away, and adds to the figures."""
    phone = instances.turn_on()
    opened = open_everywhere(instances, phone)
    for table in opened:
        phone.send(f"{table}/events", {"seq": "1", "event": json.dumps(SETTLED)})
    instances.home = "b"
    assert listed(phone) == set(opened)
    assert all(f"At {name}" in phone.open("/tables").text for name in NAMES)
    assert all(f"At {name}" in phone.open("/mine").text for name in NAMES)
    phone.send("/tables", {"table": opened[2].removeprefix("/t/"), "do": "away"})
    instances.home = "a"
    assert "Tables put away" in phone.open("/tables").text


def ask_b(instances: Instances, told: str) -> int:
    """Call an instance with an Authorization header; return the status of its answer."""
    headers = {"Authorization": told}
    client = instances.apps["b"].test_client()
    return client.post(RULE_SETS, json={"pen": "x"}, headers=headers).status_code


def test_nobody_but_an_instance_calls_another(instances: Instances) -> None:
    """Who does not know the key that they share finds nothing, nor who overheard another's call."""
    key = "k" * 32
    assert ask_b(instances, authorization(key, "b")) == 200
    for told in ("", "Bearer " + "0" * 64, "Bearer ö", key, authorization(key, "c")):
        assert ask_b(instances, told) == 404
