"""Replicas hold all rows of the server's tables, and pull only new ones."""

import gzip
import json
from datetime import UTC, datetime

import pytest

from app.offline import server as servers
from app.services import access, phones
from app.store import log
from app.store.log import ChangeRow
from tests.offline.phones import Phone, copy_of, pool_of
from tests.offline.stories import Story
from tests.stopped import stopped_at

# Tables and columns that belong to one phone or one server alone.
OF_ONE = {"tables", "pens", "notes", "rule_sets", "transfers", "phone", "_sqlite_migrations"}
ONE_TAP = ["opened", "there nobody"]
LEFT_OUT = {"table_id", "pen_id", "key", "request"}


def test_a_replica_has_every_column_of_a_table_or_it_is_said_why_not(phone: Phone) -> None:
    """A new column of a migration must be in replicas, or among the exceptions."""
    told = ["there Anna 52, deal Bo, settled", "there /evening/all?way=cash", "there /undo"]
    link = Story(phone).tell(["opened", *told, "pull"]).link
    here, there = (pool_of(app).connection for app in (phone.app, phone.server))
    ids = [access.find_access(each, link, None).id for each in (here, there)]
    for name in {*here.table_names()} - OF_ONE:
        rows = [
            [{key: row[key] for key in row if key not in LEFT_OUT} for row in found]
            for found in (
                each.table(name).rows_where("table_id = ?", [table_id])
                for each, table_id in zip((here, there), ids, strict=True)
            )
        ]
        assert rows[0] == rows[1] != [], name


def test_others_are_served_while_a_long_table_is_sent(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read in slices; what is written or erased between them comes with the next pull."""
    monkeypatch.setattr(servers, "SLICE", 2)
    story = Story(phone).tell(["opened", "there Bo pair, nobody, Anna 4, settled"])
    asked = phone.asked()
    answer = phone.there.post("/offline/replicas", data=asked, buffered=False)
    parts = answer.iter_encoded()
    told = b"".join(next(parts) for _ in range(3))
    story.tell(["there /games", "there /forget?what=name&name=Bo&sure=1"])
    phone.take((told + b"".join(parts)).decode())
    assert story.seen_here.seq == 5
    story.tell(["pull", "same"])


def age_rows(phone: Phone, link: str, at: str) -> None:
    """Append a row to a table on the server that has its time written so."""
    with pool_of(phone.server).transaction() as connection:
        table = access.find_access(connection, link, None)
        row = ChangeRow(table.seq + 1, "record", 1, '{"event":"no_best_hand"}', at, None, 9)
        log.append(connection, table.id, row, None)


def test_a_table_that_cannot_be_sent_keeps_back_no_other(phone: Phone) -> None:
    """Times of former releases are sent; the phone hears of a row that cannot be read."""
    unread, unusual, usual = (Story(phone).tell(ONE_TAP).link for _ in range(3))
    age_rows(phone, unread, "no time")
    age_rows(phone, unusual, "20260105T190000+01:00:30")
    phone.refresh()
    assert phone.status()["unread"] == 1
    assert [phone.view(link).seq for link in (unusual, usual)] == [3, 2]


def test_it_is_compressed_as_it_is_sent(phone: Phone) -> None:
    """Where the browser takes it so, and only there."""
    Story(phone).tell(ONE_TAP)
    asked = phone.asked()
    with stopped_at(datetime.now(UTC)):
        plain, packed = (
            phone.there.post("/offline/replicas", data=asked, headers={"Accept-Encoding": how})
            for how in ("identity", "gzip")
        )
    assert [each.headers.get("Content-Encoding") for each in (plain, packed)] == [None, "gzip"]
    assert gzip.decompress(packed.data) == plain.data


def test_nobodys_pen_and_no_recovery_link_comes_to_a_phone(phone: Phone) -> None:
    """The phone writes with a pen of its own."""
    link = Story(phone).tell(["opened"]).link
    for path in ("pen", "recovery"):
        phone.there.post(f"/t/{link}/{path}", data={"seq": "1"})
    with pool_of(phone.server).snapshot() as connection:
        rows = connection.execute("SELECT secret_hash FROM pens").fetchall()
    text = phone.fetch()
    phone.refresh()
    with pool_of(phone.app).snapshot() as connection:
        assert not any(secret in text for (secret,) in rows)
        pens = connection.execute("SELECT secret_hash FROM pens").fetchall()
    assert not {secret for (secret,) in rows} & {secret for (secret,) in pens}


def test_what_is_no_link_is_not_remembered(phone: Phone) -> None:
    """Another phone may bring it along: the tables are followed all the same."""
    link, other = Story(phone).tell(["opened"]).link, access.new_link()
    brought = ["y" * 150, "y" * 21, "a/" + "y" * 22, "y" * 22 + "\n", "", other]
    tables = dict.fromkeys(brought, True)
    secret = phones.make_transfer(pool_of(phone.server), "phone", "pen", tables)
    assert phone.there.post(f"/transfer/{secret}").status_code == 303
    phone.refresh()
    assert phone.status()["held"] == [link]
    assert [*json.loads(phone.fetch())["state"]] == ["language", f"away {other}"]


def test_a_replica_that_comes_late_changes_nothing_that_waits(phone: Phone) -> None:
    """The replica was fetched before the phone recorded more."""
    story = Story(phone).tell(["open stake=1", "there nobody"])
    told = phone.fetch()
    story.tell(["pull", "here Bo pair"])
    before = copy_of(phone.app, story.link)
    phone.take(told)
    assert copy_of(phone.app, story.link) == before
