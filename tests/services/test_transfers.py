"""What a phone knows goes to another one: once, whole, and over nothing that is there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.rules.gamefile import read_setup
from app.rules.house import HouseRules
from app.rules.presets import DEFAULT_PRESET, PRESETS
from app.services import pens, play, rule_sets, tables
from app.services.pens import Kind
from app.services.tables import Write, hash_secret
from app.store.database import Database
from tests.services.keeper import PLAYERS

FIRST, OTHER, THIRD = "first phone", "other phone", "third phone"


def open_tables(db: Database, pen: str, count: int) -> list[str]:
    """Open tables for the phone with a pen; return their links."""
    setup = read_setup({"players": PLAYERS, "dealer": PLAYERS[0]})
    return [play.open_table(db, setup, "", pen) for _ in range(count)]


def shown(*links: str) -> dict[str, bool]:
    """Return links as a phone keeps them, none of them put away."""
    return dict.fromkeys(links, False)


def writes(db: Database, link: str, pen: str) -> bool:
    """Whether the phone with a pen writes at a table."""
    return tables.find_access(db.connection, link, pen).writes


def age(db: Database, ago: timedelta) -> None:
    """Let all transfers have been made so long ago."""
    when = (datetime.now(UTC) - ago).isoformat(timespec="milliseconds")
    db.connection.execute("UPDATE transfers SET created_at = ?", [when])


def test_tables_pens_and_what_is_put_away_come_along_in_their_order(db: Database) -> None:
    """The first phone keeps all it has."""
    written = open_tables(db, FIRST, 2)
    [read] = open_tables(db, THIRD, 1)
    links = {read: False, written[0]: False, "b.elsewhere": False, written[1]: True}
    secret = pens.make_transfer(db, "phone", FIRST, links, "en")
    offer = pens.read_transfer(db, "phone", secret, None)
    assert offer == pens.TableTransfer("open", links, 2, "en")
    assert list(offer.tables) == list(links)
    assert pens.take_transfer(db, "phone", secret, OTHER) == offer
    for pen in (FIRST, OTHER):
        assert [writes(db, link, pen) for link in (read, *written)] == [False, True, True]


def test_each_phone_has_a_pen_of_its_own(db: Database) -> None:
    """So that one can be taken back without the other; what the other has, it keeps."""
    [link], [own] = open_tables(db, FIRST, 1), open_tables(db, OTHER, 1)
    secret = pens.make_transfer(db, "phone", FIRST, shown(link, own))
    assert pens.take_transfer(db, "phone", secret, OTHER).pens == 1
    pens.take_back(db, Write(link, FIRST))
    assert [writes(db, each, OTHER) for each in (link, own)] == [False, True]
    assert [writes(db, each, FIRST) for each in (link, own)] == [True, False]


def test_a_link_works_once(db: Database) -> None:
    """The phone that took it may ask again, its answer having been lost; no other gets anything."""
    links = shown(*open_tables(db, FIRST, 3))
    secret = pens.make_transfer(db, "phone", FIRST, links)
    for state in ("open", "taken"):
        taken = pens.take_transfer(db, "phone", secret, OTHER)
        assert (taken.state, taken.tables) == (state, links)
    assert pens.take_transfer(db, "phone", secret, THIRD) == pens.TableTransfer("used")
    assert pens.read_transfer(db, "phone", secret, None).state == "used"
    assert not any(writes(db, link, THIRD) for link in links)


def test_the_phone_that_made_it_uses_nothing_up(db: Database) -> None:
    """Whoever opens it on the same phone still has it for the other one."""
    secret = pens.make_transfer(db, "phone", FIRST, shown(*open_tables(db, FIRST, 1)))
    assert pens.take_transfer(db, "phone", secret, FIRST).state == "own"
    assert pens.take_transfer(db, "phone", secret, OTHER).state == "open"


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
def test_it_holds_for_so_long(db: Database, kind: Kind, ago: timedelta, works: bool) -> None:
    """A quarter of an hour to another phone, a day until the first start; then it is empty."""
    [link] = open_tables(db, FIRST, 1)
    secret = pens.make_transfer(db, kind, FIRST, shown(link))
    age(db, ago)
    expected = "open" if works else "expired"
    assert pens.is_open(db, kind, FIRST) == works
    assert pens.read_transfer(db, kind, secret, None).state == expected
    pens.make_transfer(db, kind, THIRD, {})
    held = pens.read_transfer(db, kind, secret, None).tables
    # What was made in a time to come goes when that has come.
    assert bool(held) == (works or ago < timedelta())
    assert pens.take_transfer(db, kind, secret, OTHER).state == expected
    assert writes(db, link, OTHER) == works


def test_what_is_long_over_is_deleted(db: Database) -> None:
    """No row outlives two days."""
    secret = pens.make_transfer(db, "phone", FIRST, shown(*open_tables(db, FIRST, 1)))
    age(db, timedelta(days=2, minutes=1))
    pens.make_transfer(db, "install", FIRST, {})
    assert pens.read_transfer(db, "phone", secret, None).state == "gone"
    assert db.connection.execute("SELECT kind FROM transfers").fetchall() == [("install",)]


def test_a_new_one_ends_the_one_before_and_withdrawing_ends_both(db: Database) -> None:
    """A phone has one at a time, whatever it made; what it made for its home screen is another."""
    links = shown(*open_tables(db, FIRST, 1))
    old = pens.make_transfer(db, "phone", FIRST, links)
    new = pens.make_transfer(db, "phone", FIRST, links)
    install = pens.make_transfer(db, "install", FIRST, links)
    assert pens.take_transfer(db, "phone", old, OTHER).state == "gone"
    assert pens.take_transfer(db, "phone", install, OTHER).state == "gone"
    pens.withdraw(db, "phone", FIRST)
    assert pens.take_transfer(db, "phone", new, OTHER).state == "gone"
    assert pens.take_transfer(db, "install", install, OTHER).state == "open"


def test_a_pen_that_is_lost_meanwhile_does_not_come_along(db: Database) -> None:
    """Neither one that was taken back, nor any once only one phone is to write."""
    revoked, only = open_tables(db, FIRST, 2)
    link_secret = pens.hand_over(db, Write(revoked, FIRST))
    pens.take(db, revoked, link_secret, THIRD)
    secret = pens.make_transfer(db, "phone", FIRST, shown(revoked, only))
    pens.take_back(db, Write(revoked, THIRD))
    pens.take_back(db, Write(only, FIRST))
    taken = pens.take_transfer(db, "phone", secret, OTHER)
    assert taken == pens.TableTransfer("open", shown(revoked, only), 0)
    assert not any(writes(db, link, OTHER) for link in (revoked, only))


def test_where_as_many_write_as_may_the_table_comes_to_be_read(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who writes loses the pen for it."""
    secret = pens.make_transfer(db, "phone", FIRST, shown(*open_tables(db, FIRST, 1)))
    monkeypatch.setattr(tables, "MAX_PENS", 1)
    assert pens.take_transfer(db, "phone", secret, OTHER).pens == 0


def test_rule_sets_come_along_and_write_over_nothing(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same is there once; another one of the same name gets a number; there is an end to it."""

    def save(pen: str, name: str, rules: HouseRules) -> None:
        rule_sets.save(db, pen, name, DEFAULT_PRESET, rules)

    usual, other = list(PRESETS.values())[:2]
    save(FIRST, "Hemma", usual)
    save(FIRST, "Torpet", usual)
    save(FIRST, "x" * 40, usual)
    save(OTHER, "Hemma", other)
    save(OTHER, "Torpet", usual)
    save(OTHER, "x" * 40, other)
    for _ in range(2):
        secret = pens.make_transfer(db, "phone", FIRST, {})
        pens.take_transfer(db, "phone", secret, OTHER)
    names = [each.name for each in rule_sets.list_rule_sets(db, OTHER)]
    assert names == ["Hemma", "Hemma 2", "Torpet", "x" * 37 + " 2", "x" * 40]
    monkeypatch.setattr(rule_sets, "MOST", len(names))
    save(FIRST, "Till", usual)
    pens.take_transfer(db, "phone", pens.make_transfer(db, "phone", FIRST, {}), OTHER)
    assert len(rule_sets.list_rule_sets(db, OTHER)) == len(names)


def test_the_database_holds_no_secret(db: Database, path: Path) -> None:
    """Hashes of it and of the pen."""
    links = shown(*open_tables(db, FIRST, 3))
    secret = pens.make_transfer(db, "install", FIRST, links)
    stored = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert hash_secret(secret).encode() in stored
    assert not [told for told in (secret, FIRST) if told.encode() in stored]
