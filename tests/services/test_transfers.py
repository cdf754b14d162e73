"""A transfer brings all tables of a phone to another: once, whole, and without overwriting."""

import pytest

from app.rules.gamefile import read_setup
from app.rules.presets import DEFAULT_PRESET, PRESETS
from app.services import access, opening, phones
from app.services.access import Write, hash_secret
from app.services.phones import TableTransfer
from app.store.database import Database

# The pens of the phone with the tables, and of the one that takes them.
FIRST, OTHER = "first phone", "other phone"


def test_the_other_phone_gets_every_table_with_a_pen_of_its_own(db: Database) -> None:
    """They come in order, put away or not; taking back the pen of one phone leaves the other's.

    A lost answer comes again. The database stores hashes of the secret and of the pens.
    """
    setup = read_setup({"players": ["Anna", "Bo"]})
    back, kept, read = (opening.open_table(db, setup, "", pen) for pen in (FIRST, FIRST, "third"))
    links = {read: False, back: False, "b.elsewhere": False, kept: True}
    secret = phones.make_transfer(db, "phone", FIRST, links, "en")
    for state in ("open", "taken"):
        taken = phones.take_transfer(db, "phone", secret, OTHER)
        assert (taken, [*taken.tables]) == (TableTransfer(state, links, "en"), [*links])
    access.revoke_others(db, Write(back, FIRST))
    for pen, written in ((FIRST, {back, kept}), (OTHER, {kept})):
        for link in (read, back, kept):
            assert access.find_access(db.connection, link, pen).writes == (link in written)
    stored = b"".join(file.read_bytes() for file in db.path.parent.iterdir())
    assert hash_secret(secret).encode() in stored
    assert not [told for told in (secret, FIRST, OTHER) if told.encode() in stored]


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
        secret = phones.make_transfer(db, "phone", FIRST, {})
        phones.take_transfer(db, "phone", secret, OTHER)
        assert [each.name for each in phones.list_rule_sets(db, OTHER)] == kept
        phones.save_rule_set(db, FIRST, "Till", DEFAULT_PRESET, usual)
