"""A phone whose bundle is of before an update goes on: it pushes, and says what it cannot read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.services import phones
from app.services.access import hash_secret
from tests.offline.phones import PLAYERS, Phone, copy_of, pool_of
from tests.offline.stories import Story
from tests.offline.test_replicas import open_there

Content = dict[str, Any]
Change = Callable[[Content], object]


def change_body(replica: Content, change: Change) -> None:
    """Change the body of a replica's first row."""
    row = replica["rows"][0]
    body = json.loads(row["body"])
    change(body)
    row["body"] = json.dumps(body)


EDITED = {
    "game": 1,
    "currency": "SEK",
    "entries": [],
    "setup": {"players": [1, 2, 3], "rules": {"preset": "pagat", "sung": True}},
}
# What a later release may have, each in a replica.
NEWER: dict[str, Change] = {
    "a rule": lambda r: change_body(r, lambda body: body["setup"]["rules"].update(sung=True)),
    "a rule set": lambda r: change_body(r, lambda body: body["setup"]["rules"].update(preset="x")),
    "a figure": lambda r: r["seats"][0].update(songs=1),
    "another form of people": lambda r: r.update(people=[{"name": "Anna"}]),
}
# In its newest row.
NEWER_ROW: dict[str, Change] = {
    "a rule": lambda r: r["rows"][-1].update(kind="edit", body=json.dumps(EDITED)),
    "a kind of row": lambda r: r["rows"][-1].update(kind="sing", body="{}"),
    "an event": lambda r: r["rows"][-1].update(body='{"event":"sings","player":1}'),
}


def take_newer(phone: Phone, link: str, change: Change) -> None:
    """Pull, with one table as a newer release has it."""
    told = json.loads(phone.fetch())
    (replica,) = (each for each in told["tables"] if each["link"] == link)
    change(replica)
    phone.take(json.dumps(told))


@pytest.mark.parametrize("change", [*NEWER.values(), *NEWER_ROW.values()])
def test_what_cannot_be_read_is_skipped_and_said_and_stops_nothing_else(
    phone: Phone, change: Change
) -> None:
    """Other tables come, what waits is pushed, and the page names the table that did not come."""
    waits = phone.open_table()
    newer, other = (open_there(phone, facts).link for facts in ("nobody, settled", "nobody"))
    take_newer(phone, newer, change)
    assert copy_of(phone.app, other) == copy_of(phone.server, other)
    assert phone.status()["held"] == [waits, other]
    assert phone.status()["unread"] == 1
    page = phone.see("/offline")
    assert "Not readable on this phone yet" in page.text
    assert page.soup.select(f'a[href="/t/{newer}"]')
    (batch,) = phone.outbox()
    phone.acknowledge(waits, phone.deliver(batch))
    assert phone.status()["waiting"] == 0
    # Another release of the bundle reads it.
    phone.refresh()
    assert phone.status()["unread"] == 0
    assert copy_of(phone.app, newer) == copy_of(phone.server, newer)


@pytest.mark.parametrize("change", NEWER_ROW.values(), ids=NEWER_ROW)
@pytest.mark.parametrize("taps", [False, True])
def test_a_table_that_was_readable_stays_as_it_was(
    phone: Phone, change: Change, taps: bool
) -> None:
    """It can be looked at and played, and is named on the page; the server has both versions.

    A conflict has the version that came before beside it, or none.
    """
    story = Story(phone).tell(["open stake=1", *(["here Anna pair"] if taps else [])])
    before = copy_of(phone.app, story.link)
    story.tell(["there nobody"])
    if taps:
        (batch,) = phone.outbox()
        phone.acknowledge(story.link, phone.deliver(batch))
    take_newer(phone, story.link, change)
    assert phone.status()["unread"] == 1
    assert copy_of(phone.app, story.link) == before
    assert ", ".join(PLAYERS) in phone.see("/offline").text
    if not taps:
        story.tell(["here Anna pair", "push 409"])
    page = phone.see(f"/t/{story.link}/decide")
    assert ("What they wrote has not reached this phone yet." in page.text) is taps


def test_a_rule_set_that_cannot_be_read_stays_on_the_server(phone: Phone) -> None:
    """The phone neither says that it is gone nor puts back what it had under that name."""
    open_there(phone)
    pen = phone.there.get_cookie("chicago-pen")
    assert pen is not None
    texts = {"Ours": '{"preset":"pagat"}', "Theirs": '{"preset":"huvudregler"}'}
    connection = pool_of(phone.server).connection
    for name, text in texts.items():
        with pool_of(phone.server).transaction():
            phones._save_rule_set(connection, hash_secret(pen.value), name, text)  # noqa: SLF001 - no other release's
    phone.refresh()
    newer = {name: f'{text[:-1]},"sung":true}}' for name, text in texts.items()}
    newer["New"] = newer["Ours"]
    told = json.loads(phone.fetch())
    told["state"] |= {f"rules {name}": text for name, text in newer.items()}
    phone.take(json.dumps(told))
    assert json.loads(phone.asked())["state"] == {}
