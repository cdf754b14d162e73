"""A transfer brings all tables of a phone to another: once, whole, and without overwriting."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from app.rules.gamefile import read_setup
from app.rules.presets import DEFAULT_PRESET, PRESETS
from app.services import access, bounds, opening, phones
from app.services.access import Write, hash_secret
from app.services.phones import TableTransfer, TransferKind
from app.store.database import Database
from tests.told import told

# The pens of three phones: the one with the tables, the one that takes them, and another.
FIRST, OTHER, THIRD = "first phone", "other phone", "third phone"
SETUP = read_setup({"players": ["Anna", "Bo"], "dealer": "Bo"})
GONE = TableTransfer("gone")


def open_table(db: Database, pen: str = FIRST) -> str:
    """Let a phone open a table; return its link."""
    return opening.open_table(db, SETUP, "", pen)


def offer(db: Database, *links: str, kind: TransferKind = "phone") -> str:
    """Make a transfer of the first phone's tables, none of them put away; return its secret."""
    return phones.make_transfer(db, kind, FIRST, dict.fromkeys(links, False))


def writes(db: Database, pen: str, *links: str) -> list[bool]:
    """Return for each table whether a phone writes there."""
    return [access.find_access(db.connection, link, pen).writes for link in links]


def test_the_other_phone_gets_every_table_with_a_pen_of_its_own(db: Database) -> None:
    """They come in order, put away or not; taking back the pen of one phone leaves the other's.

    The database stores hashes of the secret and of the pens.
    """
    back, kept, read = open_table(db), open_table(db), open_table(db, THIRD)
    links = {read: False, back: False, "b.elsewhere": False, kept: True}
    secret = phones.make_transfer(db, "phone", FIRST, links, "en")
    taken = phones.take_transfer(db, "phone", secret, OTHER)
    assert (taken, [*taken.tables]) == (TableTransfer("open", links, "en"), [*links])
    access.revoke_others(db, Write(back, FIRST))
    assert writes(db, FIRST, read, back, kept) == [False, True, True]
    assert writes(db, OTHER, read, back, kept) == [False, False, True]
    stored = b"".join(file.read_bytes() for file in db.path.parent.iterdir())
    assert hash_secret(secret).encode() in stored
    assert not [told for told in (secret, FIRST, OTHER) if told.encode() in stored]


def test_it_works_once_for_one_phone_as_what_it_was_made_for(db: Database) -> None:
    """A lost answer comes again; the phone it is from uses nothing up, and a newer one ends it."""
    link = open_table(db)
    old, secret, install = offer(db), offer(db, link), offer(db, kind="install")
    told = TableTransfer("open", {link: False}), TableTransfer("taken", {link: False})
    for tried, pen, answer in (
        *((secret, FIRST, TableTransfer("own")), (old, OTHER, GONE), (install, OTHER, GONE)),
        *((secret, OTHER, told[0]), (secret, OTHER, told[1]), (secret, THIRD, GONE)),
    ):
        assert phones.take_transfer(db, "phone", tried, pen) == answer
    assert writes(db, THIRD, link) == [False]


@told
def test_it_holds_for_so_long(db: Database, kind: TransferKind, minutes: int, state: str) -> None:
    """It holds for fifteen minutes to a phone, for a day to a home screen; the next deletes it."""
    secret = offer(db, open_table(db), kind=kind)
    made = (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
    db.connection.execute("UPDATE transfers SET created_at = ?", [made])
    phones.make_transfer(db, kind, THIRD, {})
    # One dated in the future goes once that time has passed.
    assert db.connection.table("transfers").count == 1 + (state == "open" or minutes < 0)
    assert phones.take_transfer(db, kind, secret, OTHER).state == state


def test_a_pen_that_is_lost_meanwhile_does_not_come_along(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does one once only one phone is to write, or where as many write as may."""
    links = revoked, full, only = open_table(db), open_table(db), open_table(db)
    for link in (revoked, full):
        access.redeem_pen_link(db, link, access.make_pen_link(db, Write(link, FIRST)), THIRD)
    secret = offer(db, *links)
    access.revoke_others(db, Write(revoked, THIRD))
    for _ in range(3):
        access.revoke_others(db, Write(only, FIRST))
    (withheld,) = db.connection.execute("SELECT withheld FROM transfers").fetchone()
    assert json.loads(withheld) == [only]
    monkeypatch.setattr(bounds, "MAX_PENS", 2)
    assert tuple(phones.take_transfer(db, "phone", secret, OTHER).tables) == links
    assert not any(writes(db, OTHER, *links))


def test_rule_sets_come_along_and_write_over_nothing(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An equal set is kept once, another of the same name gets a number, up to the limit."""
    usual, another = list(PRESETS.values())[:2]
    for name, rules in {"Hemma": another, "Torpet": usual, "x" * 40: another}.items():
        phones.save_rule_set(db, FIRST, name, DEFAULT_PRESET, usual)
        phones.save_rule_set(db, OTHER, name, DEFAULT_PRESET, rules)
    kept = ["Hemma", "Hemma 2", "Torpet", "x" * 37 + " 2", "x" * 40]
    monkeypatch.setattr(phones, "MOST_RULE_SETS", len(kept))
    for _ in range(2):
        phones.take_transfer(db, "phone", offer(db), OTHER)
        assert [each.name for each in phones.list_rule_sets(db, OTHER)] == kept
        phones.save_rule_set(db, FIRST, "Till", DEFAULT_PRESET, usual)
