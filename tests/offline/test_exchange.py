"""What a phone says to its server: pushing first, then a pull, then what that made possible."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from app.offline.replicas import PULL, PUSH, Answered
from tests.offline.phones import Phone


def play(phone: Phone, tables: int) -> None:
    """Open tables without the network, with a tap each."""
    for _ in range(tables):
        phone.tap(phone.open_table(), "nobody")


def deliver(phone: Phone, calls: list[dict[str, Any]], lost: str = "-") -> list[Answered]:
    """Send calls to the server; those below a path get no answer."""
    answers = []
    for call in calls:
        told = phone.there.post(f"/{call['path']}", data=call["body"])
        is_lost = call["path"].startswith(lost)
        status, text = (0, "") if is_lost else (told.status_code, told.text)
        answers.append(Answered(**call, status=status, text=text))
    return answers


def talk(phone: Phone, lost: str = "-") -> tuple[list[str], bool]:
    """Exchange all, as the worker does; return the paths in order, and whether all was done."""
    told, paths = phone.talk(), list[str]()
    while calls := told["calls"]:
        paths += [call["path"] for call in calls]
        told = phone.talk(*deliver(phone, calls, lost))
    return [path.rpartition("/")[0] for path in paths], told["done"]


def test_each_tables_batch_goes_before_the_pull(phone: Phone) -> None:
    """It is asked for more as long as something was accepted."""
    play(phone, 2)
    assert talk(phone) == (["offline/tables", "offline/tables", "offline"], True)
    assert phone.status()["waiting"] == 0
    assert talk(phone) == (["offline"], True)


@pytest.mark.parametrize(("lost", "calls"), [(PUSH, 5), (PULL, 3), ("offline", 3)])
def test_a_lost_answer_ends_it(phone: Phone, lost: str, calls: int) -> None:
    """What waits is offered once more after a pull; without one there is an end."""
    play(phone, 2)
    paths, done = talk(phone, lost)
    assert (len(paths), done) == (calls, lost == PUSH)
    assert talk(phone)[1]
    assert phone.status()["waiting"] == 0


def test_one_tables_lost_answer_stops_no_other(phone: Phone) -> None:
    """The other is acknowledged, and the one is offered again."""
    play(phone, 2)
    first, second = phone.outbox()
    paths, done = talk(phone, PUSH + first["link"])
    assert (done, paths.count("offline")) == (True, 1)
    assert [each["link"] for each in phone.outbox()] == [first["link"]]
    assert second["link"] not in phone.status()["only_here"]


def test_nor_does_one_that_this_release_cannot_read(phone: Phone) -> None:
    """The other table is acknowledged, and nothing of the one has changed."""
    play(phone, 2)
    first, *others = deliver(phone, phone.talk()["calls"])
    told = json.loads(first.text)
    told["table"]["rows"][1]["body"] = '{"event":"sings"}'
    phone.talk(replace(first, text=json.dumps(told)), *others)
    assert [PUSH + link for link in phone.status()["only_here"]] == [first.path]
    assert [PUSH + each["link"] for each in phone.outbox()] == [first.path]
