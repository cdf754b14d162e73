"""What a phone says to its server: pushing first, then a pull, then what that made possible."""

import json

import pytest
from msgspec.structs import replace

from app.offline.replicas import PUSH
from tests.offline.phones import Phone
from tests.told import told


@pytest.fixture
def phone(phone: Phone) -> Phone:
    """Return a phone with two tables that were opened without the network, with a tap each."""
    for _ in range(2):
        phone.tap(phone.open_table(), "nobody")
    return phone


@told
def test_a_lost_answer_ends_it(phone: Phone, lost: str, calls: int, done: bool) -> None:
    """What waits is offered once more after a pull; without one there is an end."""
    heard, is_done = phone.exchange(lost)
    assert (len(heard), is_done) == (calls, done)
    assert phone.exchange()[1]
    assert phone.status()["waiting"] == 0
    heard, is_done = phone.exchange()
    assert (len(heard), is_done) == (1, True)


@pytest.mark.parametrize("is_lost", [True, False])
def test_one_tables_answer_stops_no_other(phone: Phone, is_lost: bool) -> None:
    """Lost, or not to be read by this release: the other table is acknowledged, the one waits."""
    first, *others = phone.answer(phone.talk()["calls"])
    told = json.loads(first.text)
    told["table"]["rows"][1]["body"] = '{"event":"sings"}'
    given = replace(first, status=0) if is_lost else replace(first, text=json.dumps(told))
    phone.talk(given, *others)
    assert [PUSH + link for link in phone.status()["only_here"]] == [first.path]
    assert [PUSH + each["link"] for each in phone.outbox()] == [first.path]
