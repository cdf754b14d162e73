"""A phone whose bundle is of before an update goes on: it pushes, and says what it cannot read."""

import json

import pytest

from app.services import phones
from app.services.access import hash_secret
from tests.offline.phones import PLAYERS, Phone, copy_of, pool_of
from tests.offline.stories import Story
from tests.offline.test_bad_batches import SPOILT
from tests.spoiling import put

# What a later release may have, each in a replica, or in its newest row.
NEWER_ROW = SPOILT["newer in the newest row"]
NEWER = SPOILT["newer"] | NEWER_ROW


def take_newer(phone: Phone, link: str, what: str) -> None:
    """Pull, with one table as a newer release has it."""
    told = json.loads(phone.fetch())
    (replica,) = (each for each in told["tables"] if each["link"] == link)
    for row in replica["rows"]:
        row["body"] = json.loads(row["body"])
    for path, value in NEWER[what]:
        put(replica, path, value)
    for row in replica["rows"]:
        row["body"] = json.dumps(row["body"])
    phone.take(json.dumps(told))


@pytest.mark.parametrize("what", NEWER)
def test_what_cannot_be_read_is_skipped_and_said_and_stops_nothing_else(
    phone: Phone, what: str
) -> None:
    """Other tables come, what waits is pushed, and the page names the table that did not come."""
    waits = phone.open_table()
    newer, other = (
        Story(phone).tell(["opened", f"there {told}"]).link
        for told in ("nobody, settled", "nobody")
    )
    take_newer(phone, newer, what)
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


@pytest.mark.parametrize("what", NEWER_ROW)
@pytest.mark.parametrize("taps", [False, True])
def test_a_table_that_was_readable_stays_as_it_was(phone: Phone, what: str, taps: bool) -> None:
    """It can be looked at and played, and is named on the page; the server has both versions.

    A conflict has the version that came before beside it, or none.
    """
    story = Story(phone).tell(["open stake=1", *(["here Anna pair"] if taps else [])])
    before = copy_of(phone.app, story.link)
    story.tell(["there nobody"])
    if taps:
        (batch,) = phone.outbox()
        phone.acknowledge(story.link, phone.deliver(batch))
    take_newer(phone, story.link, what)
    assert phone.status()["unread"] == 1
    assert copy_of(phone.app, story.link) == before
    assert ", ".join(PLAYERS) in phone.see("/offline").text
    if not taps:
        story.tell(["here Anna pair", "push 409"])
    page = phone.see(f"/t/{story.link}/decide")
    assert ("What they wrote has not reached this phone yet." in page.text) is taps


def test_a_rule_set_that_cannot_be_read_stays_on_the_server(phone: Phone) -> None:
    """The phone neither says that it is gone nor puts back what it had under that name."""
    Story(phone).tell(["opened"])
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
