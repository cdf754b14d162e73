"""A transfer brings all tables of a phone to another: once, whole, and without overwriting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.rules.gamefile import read_setup
from app.rules.presets import DEFAULT_PRESET, PRESETS
from app.services import pens, play, rule_sets, tables
from app.services.pens import TableTransfer, TransferKind
from app.services.tables import Write, hash_secret
from app.store.database import Database
from tests.services.keeper import PLAYERS


@dataclass
class Phone:
    """A phone, known by its pen."""

    db: Database
    pen: str

    def open(self, count: int = 1) -> list[str]:
        """Open tables; return their links."""
        setup = read_setup({"players": PLAYERS, "dealer": PLAYERS[0]})
        return [play.open_table(self.db, setup, "", self.pen) for _ in range(count)]

    def offer(self, *links: str, kind: TransferKind = "phone") -> str:
        """Make a transfer of tables, none of them put away."""
        return pens.make_transfer(self.db, kind, self.pen, dict.fromkeys(links, False))

    def take(self, secret: str, kind: TransferKind = "phone") -> TableTransfer:
        """Take a transfer."""
        return pens.take_transfer(self.db, kind, secret, self.pen)

    def writes(self, *links: str) -> list[bool]:
        """Return for each table whether the phone writes there."""
        return [tables.find_access(self.db.connection, link, self.pen).writes for link in links]

    def take_back(self, link: str) -> None:
        """Take back all other pens of a table."""
        pens.take_back(self.db, Write(link, self.pen))


@pytest.fixture
def first(db: Database) -> Phone:
    """Return the phone with the tables."""
    return Phone(db, "first phone")


@pytest.fixture
def other(db: Database) -> Phone:
    """Return the phone that takes them."""
    return Phone(db, "other phone")


@pytest.fixture
def third(db: Database) -> Phone:
    """Return a third phone."""
    return Phone(db, "third phone")


def state_of(db: Database, secret: str, kind: TransferKind = "phone") -> str:
    """Return the state of a transfer for a phone without a pen."""
    return pens.read_transfer(db, kind, secret, None).state


def age(db: Database, ago: timedelta) -> None:
    """Set the creation time of all transfers back."""
    when = (datetime.now(UTC) - ago).isoformat(timespec="milliseconds")
    db.connection.execute("UPDATE transfers SET created_at = ?", [when])


def test_tables_pens_and_what_is_put_away_come_along_in_their_order(
    db: Database, first: Phone, other: Phone, third: Phone
) -> None:
    """The other phone gets everything in order, and the first phone keeps all it has."""
    written, [read] = first.open(2), third.open()
    links = {read: False, written[0]: False, "b.elsewhere": False, written[1]: True}
    secret = pens.make_transfer(db, "phone", first.pen, links, "en")
    offer = pens.read_transfer(db, "phone", secret, None)
    assert offer == TableTransfer("open", links, 2, "en")
    assert list(offer.tables) == list(links)
    assert other.take(secret) == offer
    for phone in (first, other):
        assert phone.writes(read, *written) == [False, True, True]


def test_each_phone_has_a_pen_of_its_own(first: Phone, other: Phone) -> None:
    """One pen is taken back without the other, and the other phone keeps its own tables."""
    [link], [own] = first.open(), other.open()
    assert other.take(first.offer(link, own)).pens == 1
    first.take_back(link)
    assert (first.writes(link, own), other.writes(link, own)) == ([True, False], [False, True])


def test_a_transfer_works_once(db: Database, first: Phone, other: Phone, third: Phone) -> None:
    """The phone that took it may repeat a request whose answer was lost; no other gets anything.

    A request from the phone that made it does not use it up.
    """
    links = first.open(3)
    secret = first.offer(*links)
    assert first.take(secret).state == "own"
    for state in ("open", "taken"):
        taken = other.take(secret)
        assert (taken.state, [*taken.tables]) == (state, links)
    assert third.take(secret) == TableTransfer("used")
    assert state_of(db, secret) == "used"
    assert not any(third.writes(*links))


@pytest.mark.parametrize(
    ("kind", "ago", "works"),
    [
        ("phone", timedelta(minutes=14), True),
        ("phone", timedelta(minutes=16), False),
        ("phone", -timedelta(minutes=16), False),
        ("install", timedelta(hours=23), True),
        ("install", timedelta(hours=25), False),
    ],
)
def test_it_holds_for_so_long(
    first: Phone, other: Phone, third: Phone, kind: TransferKind, ago: timedelta, works: bool
) -> None:
    """It holds for fifteen minutes to a phone, and for a day to a home screen; then it is empty."""
    [link] = first.open()
    secret = first.offer(link, kind=kind)
    age(first.db, ago)
    expected = "open" if works else "expired"
    assert pens.is_open(first.db, kind, first.pen) == works
    assert state_of(first.db, secret, kind) == expected
    third.offer(kind=kind)
    held = pens.read_transfer(first.db, kind, secret, None).tables
    # A transfer dated in the future is emptied once that time has passed.
    assert bool(held) == (works or ago < timedelta())
    assert other.take(secret, kind).state == expected
    assert other.writes(link) == [works]


def test_what_is_long_over_is_deleted(db: Database, first: Phone) -> None:
    """No row is older than two days."""
    secret = first.offer(*first.open())
    age(db, timedelta(days=2, minutes=1))
    first.offer(kind="install")
    assert state_of(db, secret) == "gone"
    assert db.connection.execute("SELECT kind FROM transfers").fetchall() == [("install",)]


def test_a_new_one_ends_the_one_before_and_withdrawing_ends_both(
    db: Database, first: Phone, other: Phone
) -> None:
    """A phone has one transfer at a time; the one to its home screen is separate."""
    [link] = first.open()
    old, new, install = first.offer(link), first.offer(link), first.offer(link, kind="install")
    assert [other.take(each).state for each in (old, install)] == ["gone", "gone"]
    pens.withdraw(db, "phone", first.pen)
    assert other.take(new).state == "gone"
    assert other.take(install, "install").state == "open"


def test_a_pen_that_is_lost_meanwhile_does_not_come_along(
    db: Database, first: Phone, other: Phone, third: Phone
) -> None:
    """A pen that was taken back is not transferred, nor any once only one phone writes."""
    revoked, only = first.open(2)
    pens.take(db, revoked, pens.hand_over(db, Write(revoked, first.pen)), third.pen)
    secret = first.offer(revoked, only)
    third.take_back(revoked)
    first.take_back(only)
    assert other.take(secret) == TableTransfer("open", {revoked: False, only: False}, 0)
    assert not any(other.writes(revoked, only))


def test_where_as_many_write_as_may_the_table_comes_to_be_read(
    first: Phone, other: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the limit of pens the table is transferred for reading, and nobody loses the pen."""
    secret = first.offer(*first.open())
    monkeypatch.setattr(tables, "MAX_PENS", 1)
    assert other.take(secret).pens == 0


def test_rule_sets_come_along_and_write_over_nothing(
    db: Database, first: Phone, other: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An equal set is kept once, another of the same name gets a number, up to the limit."""
    usual, another = list(PRESETS.values())[:2]
    for name in ("Hemma", "Torpet", "x" * 40):
        rule_sets.save(db, first.pen, name, DEFAULT_PRESET, usual)
        rules = usual if name == "Torpet" else another
        rule_sets.save(db, other.pen, name, DEFAULT_PRESET, rules)
    for _ in range(2):
        other.take(first.offer())
    names = [each.name for each in rule_sets.list_rule_sets(db, other.pen)]
    assert names == ["Hemma", "Hemma 2", "Torpet", "x" * 37 + " 2", "x" * 40]
    monkeypatch.setattr(rule_sets, "MOST", len(names))
    rule_sets.save(db, first.pen, "Till", DEFAULT_PRESET, usual)
    other.take(first.offer())
    assert len(rule_sets.list_rule_sets(db, other.pen)) == len(names)


def test_the_database_holds_no_secret(first: Phone, path: Path) -> None:
    """The database stores hashes of the secret and of the pen."""
    secret = first.offer(*first.open(3), kind="install")
    stored = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert hash_secret(secret).encode() in stored
    assert not [told for told in (secret, first.pen) if told.encode() in stored]
