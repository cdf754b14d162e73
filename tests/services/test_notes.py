"""Notes of readers: who may answer them, and what they do to versions. The rest is in `stories`."""

from __future__ import annotations

import pytest

from app.rules.codes import BadFile, Stale
from app.services import erasure, ledger, notes, payments
from app.services.access import NoPen, Write
from app.services.commit import commit
from app.services.payments import Pay
from app.services.play import Record
from tests.services.keeper import NOBODY, Keeper


def test_only_the_pen_answers_notes(keeper: Keeper) -> None:
    """A note holds no name, and goes with its table."""
    keeper.record({"event": "no_best_hand", "note": "Boris knows"}, "Anna 5, settled")
    notes.doubt(keeper.db, keeper.link, "Bo", 1, 0)
    notes.say_paid(keeper.db, keeper.link, ("Bo", "Anna"))
    for pen in (None, "other"):
        with pytest.raises(NoPen):
            notes.wave_off(keeper.db, Write(keeper.link, pen), 1, 0)
        with pytest.raises(NoPen):
            notes.drop_said_paid(keeper.db, Write(keeper.link, pen), (2, 1))
    rows = keeper.db.connection.table("notes")
    assert (rows.count, "Bo" in str([*rows.rows])) == (2, False)
    erasure.delete_table(keeper.db, keeper.write())
    assert rows.count == 0


def test_no_tap_is_too_late_because_of_a_note(keeper: Keeper) -> None:
    """What was seen before it is as good; a version before a change or an erasure is not."""
    keeper.record("Anna pair")
    seen, before, money = keeper.seq, keeper.view, ledger.read_ledger(keeper.db, keeper.link)
    notes.doubt(keeper.db, keeper.link, "Bo", 1, 0)
    assert (keeper.view.states, keeper.view.undoable) == (before.states, before.undoable)
    assert ledger.read_ledger(keeper.db, keeper.link) == money
    commit(keeper.db, keeper.write(seen), Record(NOBODY))
    last = keeper.seq
    erasure.erase_name(keeper.db, keeper.write(), "Dan", "Player")
    notes.doubt(keeper.db, keeper.link, "Bo", 1, 0)
    for late in (seen, seen + 1, seen - 1, last):
        with pytest.raises(Stale):
            commit(keeper.db, keeper.write(late), Record(NOBODY))


def test_pages_of_money_are_made_anew(keeper: Keeper) -> None:
    """A payment from before the note is still recorded."""
    keeper.record("Anna 5, settled")
    seen = ledger.read_ledger(keeper.db, keeper.link).seq
    notes.say_paid(keeper.db, keeper.link, ("Bo", "Anna"))
    assert keeper.access.ledger_seq == keeper.seq > seen
    commit(keeper.db, keeper.write(seen), Pay(("Bo", "Anna"), "cash"))


def test_a_payee_s_phone_gives_the_first_number(keeper: Keeper) -> None:
    """Only the pen puts another in its place, of somebody who plays here."""
    number, other = "070-123 45 67", "070-123 45 68"
    payments.save_own_swish_number(keeper.db, keeper.link, "Anna", number)
    with pytest.raises(Stale):
        payments.save_own_swish_number(keeper.db, keeper.link, "Anna", other)
    for name, text in (("Bo", "7"), ("Eva", number)):
        with pytest.raises(BadFile):
            payments.save_own_swish_number(keeper.db, keeper.link, name, text)
    with pytest.raises(NoPen):
        payments.save_swish_number(keeper.db, Write(keeper.link, None), "Anna", other)
    assert payments.find_swish_number(keeper.db, keeper.table_id, "Anna") == "0701234567"
    payments.save_swish_number(keeper.db, keeper.write(), "Anna", other)
    assert payments.find_swish_number(keeper.db, keeper.table_id, "Anna") == "0701234568"
