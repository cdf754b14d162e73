"""Notes of readers: they follow what they are about, change nothing, and are bounded."""

from __future__ import annotations

import pytest

from app.rules.codes import BadFile, NotAllowed, Stale
from app.rules.events import Correction
from app.rules.settlement import Transfer
from app.services import erasure, import_export, ledger, notes, payments
from app.services.access import NoPen, NotFound, Write
from app.services.commit import commit
from app.services.edit import Edit, EditEvent
from app.services.payments import Pay, PayInAdvance
from app.services.play import Record, Start
from tests.rules.table import write_facts
from tests.services.keeper import NOBODY, Keeper, game_from

(PAIR,) = write_facts("Bo pair")


def doubt(keeper: Keeper, person: str, index: int, number: int = 1) -> None:
    """Let somebody doubt an entry."""
    notes.doubt(keeper.db, keeper.link, person, number, index)


def doubted(keeper: Keeper) -> list[tuple[str, int, int]]:
    """Return who doubts which entry of which game."""
    found = notes.read_doubts(keeper.db, keeper.access)
    return [(each.person, each.number, each.index) for each in found]


def rows(keeper: Keeper) -> list[dict[str, object]]:
    """Return the notes as they are stored."""
    return list(keeper.db.connection.table("notes").rows)


def test_a_doubt_follows_its_entry(keeper: Keeper) -> None:
    """Others may come before and after it, or go, and seats and rules may be changed."""
    keeper.record("nobody, Anna pair, Bo trick, nobody")
    doubt(keeper, "Bo", 1)
    keeper.record("Cilla pair")
    keeper.commit(Edit(1, entries=[Correction(player="Dan", points=2), *range(5)]))
    assert doubted(keeper) == [("Bo", 1, 2)]
    keeper.commit(Edit(1, entries=range(1, 6)))
    assert doubted(keeper) == [("Bo", 1, 1)]
    keeper.commit(Edit(names={"Anna": "Annika"}))
    assert doubted(keeper) == [("Bo", 1, 1)]
    assert notes.read_doubts(keeper.db, keeper.access)[0].event.players() == ("Annika",)


@pytest.mark.parametrize("how", ["edited", "undone", "removed", "waved off", "taken back"])
def test_a_doubt_ends_with_its_entry(keeper: Keeper, how: str) -> None:
    """Nobody asks about what does not stand there any more."""
    keeper.record("Anna pair")
    doubt(keeper, "Bo", 0)
    match how:
        case "edited":
            keeper.commit(EditEvent(0, PAIR))
        case "undone":
            keeper.undo()
        case "removed":
            keeper.commit(Edit(1, entries=[]))
        case "waved off":
            notes.wave_off(keeper.db, keeper.write(), 1, 0)
        case _:
            notes.take_doubt_back(keeper.db, keeper.link, "Bo")
    assert doubted(keeper) == []


def test_an_edit_that_is_undone_is_doubted_again(keeper: Keeper) -> None:
    """It is the same entry as before."""
    keeper.record("Anna pair")
    doubt(keeper, "Bo", 0)
    keeper.commit(EditEvent(0, PAIR))
    keeper.undo()
    assert doubted(keeper) == [("Bo", 1, 0)]


def test_entries_of_an_imported_game_are_told_apart(keeper: Keeper) -> None:
    """They came in together, and may read the same: the nearest is meant."""
    keeper.record("settled")
    game = game_from("2026-01-01T20:00:00Z", "Anna Bo", "Anna 1, Anna 1, Bo 2, Anna 1, settled")
    import_export.import_games(keeper.db, keeper.write(), [game])
    doubt(keeper, "Anna", 3, 2)
    assert doubted(keeper) == [("Anna", 2, 3)]
    keeper.commit(Edit(2, entries=[1, 2, 3, 4]))
    assert doubted(keeper) == [("Anna", 2, 2)]


def test_a_person_has_one_open_doubt_and_a_table_a_few(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer one takes its place; of too many the oldest goes. The same again is no version."""
    keeper.record("Anna pair, Bo pair")
    doubt(keeper, "Bo", 0)
    doubt(keeper, "Bo", 1)
    seq = keeper.seq
    doubt(keeper, "Bo", 1)
    assert (keeper.seq, doubted(keeper)) == (seq, [("Bo", 1, 1)])
    monkeypatch.setattr(notes, "MOST_DOUBTS", 2)
    for name in ("Cilla", "Dan"):
        doubt(keeper, name, 0)
    assert doubted(keeper) == [("Cilla", 1, 0), ("Dan", 1, 0)]


def test_doubts_fill_no_log(keeper: Keeper) -> None:
    """However many come one after the other, they are one version, of one entry."""
    keeper.record("Anna pair, Bo pair")
    entries, count = keeper.access.entries, keeper.db.connection.table("changes").count
    for index in (0, 1) * 20:
        doubt(keeper, "Bo", index)
    assert keeper.access.entries == entries + 1
    assert keeper.db.connection.table("changes").count == count + 1


def test_no_entry_is_doubted_that_is_not_there(keeper: Keeper) -> None:
    """Nothing is kept then."""
    keeper.record("Anna pair")
    for number, index in ((1, 1), (2, 0), (0, 0), (10**12, 0)):
        with pytest.raises(NotFound):
            doubt(keeper, "Bo", index, number)
    assert rows(keeper) == []


def test_only_the_pen_waves_off(keeper: Keeper) -> None:
    """A doubt gives nobody the pen."""
    keeper.record("Anna pair")
    doubt(keeper, "Bo", 0)
    for pen in (None, "other"):
        with pytest.raises(NoPen):
            notes.wave_off(keeper.db, Write(keeper.link, pen), 1, 0)
    assert doubted(keeper) == [("Bo", 1, 0)]


def test_a_doubt_changes_nothing(keeper: Keeper) -> None:
    """Games, money, and what undo takes back are as they were."""
    keeper.record("Anna pair, Bo pair")
    before, money = keeper.view, ledger.read_ledger(keeper.db, keeper.link)
    doubt(keeper, "Bo", 0)
    after = keeper.view
    assert (after.game, after.states, after.undoable) == (
        before.game,
        before.states,
        before.undoable,
    )
    assert ledger.read_ledger(keeper.db, keeper.link) == money
    assert keeper.undo().game.events == before.game.events[:1]
    assert keeper.redo().game.events == before.game.events


def test_no_tap_is_too_late_because_of_a_note(keeper: Keeper) -> None:
    """What was seen before it is as good; a version before a change is not."""
    keeper.record("Anna pair")
    seen = keeper.seq
    doubt(keeper, "Bo", 0)
    assert keeper.seq > seen
    commit(keeper.db, keeper.write(seen), Record(NOBODY))
    for late in (seen, seen + 1, seen - 1):
        with pytest.raises(Stale):
            commit(keeper.db, keeper.write(late), Record(NOBODY))
    assert len(keeper.recorded) == 2


def test_a_name_that_was_erased_makes_a_tap_too_late(keeper: Keeper) -> None:
    """The page that it was made from shows that name still, whatever came after."""
    keeper.record("Anna pair")
    seen = keeper.seq
    erasure.erase_name(keeper.db, keeper.write(), "Dan", "Player")
    doubt(keeper, "Bo", 0)
    with pytest.raises(Stale):
        commit(keeper.db, keeper.write(seen), Record(NOBODY))


@pytest.mark.parametrize("what", ["name", "game", "table"])
def test_what_is_erased_takes_the_notes_along(keeper: Keeper, what: str) -> None:
    """A note holds no name and no remark to begin with."""
    keeper.record({**PAIR, "note": "Boris knows"}, "settled")
    keeper.commit(Start())
    doubt(keeper, "Bo", 0)
    assert "Bo" not in str(rows(keeper))
    match what:
        case "name":
            erasure.erase_name(keeper.db, keeper.write(), "Anna", "Player")
        case "game":
            erasure.delete_game(keeper.db, keeper.write(), 1)
        case _:
            erasure.delete_table(keeper.db, keeper.write())
    assert rows(keeper) == []


def owe(keeper: Keeper) -> None:
    """Let all owe Anna something, by a game that is over."""
    keeper.commit(Edit(agreed={"stake_ore": 100}))
    keeper.record("Anna 5, settled")


def said(keeper: Keeper) -> list[tuple[str, str, int]]:
    """Return which debts are said to be paid, in öre."""
    connection, table = keeper.db.connection, keeper.access
    now = ledger.load_ledger(connection, table)
    return [(*each.between, each.ore) for each in notes.list_said_paid(connection, table, now)]


@pytest.fixture
def debt(keeper: Keeper) -> Transfer:
    """Return a debt at the keeper's table."""
    owe(keeper)
    return ledger.read_ledger(keeper.db, keeper.link).transfers[0]


def test_a_payer_says_that_a_debt_is_paid(keeper: Keeper, debt: Transfer) -> None:
    """The debt stands until the keeper records it; then nothing is asked any more."""
    between = (debt.payer, debt.payee)
    notes.say_paid(keeper.db, keeper.link, between)
    seq = keeper.seq
    notes.say_paid(keeper.db, keeper.link, between)
    assert (keeper.seq, said(keeper)) == (seq, [(*between, debt.ore)])
    assert ledger.read_ledger(keeper.db, keeper.link).find_debt(between) == debt
    keeper.commit(Pay(between, "swish", debt.ore))
    assert said(keeper) == []
    # A debt of later is another one.
    keeper.commit(PayInAdvance((debt.payee, debt.payer), "cash", 2 * debt.ore))
    assert ledger.read_ledger(keeper.db, keeper.link).find_debt(between)
    assert said(keeper) == []


def test_a_debt_that_became_smaller_is_not_asked_about(keeper: Keeper, debt: Transfer) -> None:
    """What was said is not what is owed any more; a larger debt was paid in part."""
    between = (debt.payer, debt.payee)
    notes.say_paid(keeper.db, keeper.link, between)
    keeper.commit(Edit(1, entries=[Correction(player="Anna", points=3), 0, 1]))
    assert ledger.read_ledger(keeper.db, keeper.link).find_debt(between) != debt
    assert said(keeper) == [(*between, debt.ore)]
    keeper.commit(Edit(1, entries=[Correction(player="Anna", points=2), 2]))
    assert said(keeper) == []


def test_the_keeper_says_no_once(keeper: Keeper, debt: Transfer) -> None:
    """It needs the pen."""
    now = ledger.read_ledger(keeper.db, keeper.link)
    who = (now.people.numbers[debt.payer], now.people.numbers[debt.payee])
    notes.say_paid(keeper.db, keeper.link, (debt.payer, debt.payee))
    with pytest.raises(NoPen):
        notes.drop_said_paid(keeper.db, Write(keeper.link, None), who)
    notes.drop_said_paid(keeper.db, keeper.write(), who)
    assert (said(keeper), rows(keeper)) == ([], [])


def test_pages_of_money_are_made_anew(keeper: Keeper, debt: Transfer) -> None:
    """A payment from before the note is still recorded."""
    seen = ledger.read_ledger(keeper.db, keeper.link).seq
    notes.say_paid(keeper.db, keeper.link, (debt.payer, debt.payee))
    assert keeper.access.ledger_seq == keeper.seq > seen
    commit(keeper.db, keeper.write(seen), Pay((debt.payer, debt.payee), "cash"))


def test_nothing_is_said_of_what_nobody_owes(keeper: Keeper) -> None:
    """No note is kept."""
    with pytest.raises(NotAllowed):
        notes.say_paid(keeper.db, keeper.link, ("Anna", "Bo"))
    assert rows(keeper) == []


def test_a_payee_s_phone_gives_the_first_number(keeper: Keeper) -> None:
    """Only the pen puts another in its place."""
    payments.save_own_swish_number(keeper.db, keeper.link, "Anna", "070-123 45 67")
    with pytest.raises(Stale):
        payments.save_own_swish_number(keeper.db, keeper.link, "Anna", "070-123 45 68")
    with pytest.raises(BadFile):
        payments.save_own_swish_number(keeper.db, keeper.link, "Bo", "7")
    assert payments.find_swish_number(keeper.db, keeper.table_id, "Anna") == "0701234567"
    payments.save_swish_number(keeper.db, keeper.write(), "Anna", "070-123 45 68")
    assert payments.find_swish_number(keeper.db, keeper.table_id, "Anna") == "0701234568"
