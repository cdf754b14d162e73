"""Latecomers in the database: a person's number stays after any undo."""

from __future__ import annotations

import pytest

from app.rules.codes import NotAllowed
from app.services import erasure, ledger, payments, people
from app.services.edit import Edit, EditEvent
from tests.rules.table import write_facts
from tests.services.keeper import Keeper

LATE = "Esmeralda"


def test_who_never_played_is_nobody_at_the_table(keeper: Keeper) -> None:
    """A mistyped, undone name is no person of the table, but can be forgotten."""
    keeper.record("Ewa joins Anna 7")
    assert keeper.people.persons[-1] == "Ewa"
    keeper.undo()
    assert "Ewa" not in keeper.people.numbers
    assert "Ewa" in erasure.list_names(keeper.db, keeper.link)


def test_who_was_paid_stays_a_person(keeper: Keeper) -> None:
    """A paid person stays known after the joining is undone, and the payment is owed back."""
    keeper.record(f"{LATE} joins Anna 52, settled")
    keeper.commit(payments.PayAll("cash"))
    keeper.commit(Edit(1, entries=()))
    now = ledger.read_ledger(keeper.db, keeper.link)
    assert LATE in now.people.numbers
    assert sum(now.outstanding.values()) == 0
    assert now.outstanding[LATE] != 0


def test_the_same_person_has_one_seat(keeper: Keeper) -> None:
    """Two names of one person do not sit in one game."""
    keeper.record("settled")
    keeper.next_game(players=["Bo", "Cilla"])
    keeper.record("Ida joins Bo 7, settled")
    keeper.commit(people.Merge("Ida", "Anna"))
    keeper.next_game(players=["Anna", "Bo"])
    with pytest.raises(NotAllowed, match="one_person_twice"):
        keeper.record("Ida joins Anna 7")
    keeper.record("Eva joins Anna 7")
    with pytest.raises(NotAllowed, match="one_person_twice"):
        keeper.commit(EditEvent(0, *write_facts("Ida joins Anna 7")))
    assert ledger.read_ledger(keeper.db, keeper.link).people.canonical["Ida"] == "Anna"
