"""The ledger of a table: ended games, payments ticked and taken back, and games mended later."""

from __future__ import annotations

import pytest

from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import Correction
from app.rules.settlement import Amount, Payment, Transfer
from app.services import figures, ledger, play, settings, statistics, table_view, tables
from app.services.commit import commit
from app.services.ledger import Ledger
from app.services.tables import NoPen, NotFound, Write
from tests.services.conftest import Seat
from tests.services.keeper import NOBODY, SETTLE, Keeper, correction, paid


def ahead(keeper: Keeper, player: str, points: int) -> None:
    """End the game with one player ahead of all the others."""
    keeper.record(correction(player, points), SETTLE)


def now(keeper: Keeper) -> Ledger:
    """Return the table's ledger."""
    return ledger.read_ledger(keeper.db, keeper.link)


def left(keeper: Keeper) -> dict[str, int]:
    """Return what is left to settle, of those who owe or are owed."""
    return {name: ore for name, ore in now(keeper).outstanding.items() if ore}


def mend_first(keeper: Keeper, points: int) -> None:
    """Let Anna have had another score in the first game."""
    events = table_view.read_view(keeper.db, keeper.link, 1).game.events
    mended = [Correction(player="Anna", points=points), *events[1:]]
    keeper.commit(play.Mend(1, mended))


@pytest.fixture
def three(seat: Seat) -> Keeper:
    """Return the keeper of a table of three where Anna has won 5 kr of each."""
    keeper = seat(["Anna", "Bo", "Cilla"])
    ahead(keeper, "Anna", 5)
    return keeper


def test_games_add_up(three: Keeper) -> None:
    """What is left is the sum of all ended games; one still played counts nothing."""
    three.next_game()
    ahead(three, "Bo", 2)
    three.next_game()
    three.record(NOBODY)
    assert left(three) == {"Anna": 800, "Bo": -100, "Cilla": -700}
    assert [line.payout for line in now(three).lines][-1] is None


def test_points_without_bounds_add_up(seat: Seat) -> None:
    """Where a game's statistics are cut off, the ledger still knows what it cost to the öre."""
    keeper = seat(["Anna", "Bo"])
    keeper.record(correction("Anna", 10**14), correction("Anna", 7), SETTLE)
    ore = (10**14 + 7) * 100
    assert left(keeper) == {"Anna": ore, "Bo": -ore}
    assert now(keeper).lines[0].scores == {"Anna": 10**14 + 7, "Bo": 0}
    counted = statistics.read_statistics(keeper.db, keeper.table_id)
    assert {each.ore for each in counted.people} == {figures.MOST, -figures.MOST}
    assert ledger.settle(keeper.db, keeper.link)["balance_ore"] == {"Anna": ore, "Bo": -ore}


def test_a_payment_is_owed_no_longer(three: Keeper) -> None:
    """What is ticked as paid goes from the ledger of both; the others' stays."""
    three.commit(ledger.Pay(("Bo", "Anna"), "swish"))
    assert left(three) == {"Anna": 500, "Cilla": -500}
    assert paid(now(three)) == [Payment("Bo", "Anna", 500, "swish")]


def test_what_is_not_owed_is_not_paid(three: Keeper) -> None:
    """More than is owed, or what nobody owes, is refused and nothing is recorded."""
    before = three.seq
    with pytest.raises(NotAllowed) as refusal:
        three.commit(ledger.Pay(("Bo", "Anna"), "cash", 501))
    assert refusal.value.code == "pays_too_much"
    assert refusal.value.values["ore"] == Amount(500, "SEK")
    with pytest.raises(NotAllowed):
        three.commit(ledger.Pay(("Anna", "Bo"), "cash"))
    assert (three.seq, now(three).settlements) == (before, ())


def test_all_have_paid_is_one_settlement(three: Keeper) -> None:
    """Everybody's payment is recorded in one step, and then nothing is left to pay."""
    three.commit(ledger.PayAll("other"))
    assert left(three) == {}
    assert [len(each.payments) for each in now(three).settlements] == [2]
    with pytest.raises(NotAllowed) as refusal:
        three.commit(ledger.PayAll("other"))
    assert refusal.value.code == "all_settled"


def test_cash_is_rounded_where_asked(seat: Seat) -> None:
    """At 25 öre a point 3 points are 75 öre: one krona is paid, and the ledger is at zero."""
    keeper = seat(["Anna", "Bo"])
    keeper.record(SETTLE)
    keeper.next_game(stake_ore=25)
    ahead(keeper, "Anna", 3)
    keeper.commit(ledger.Pay(("Bo", "Anna"), "rounded"))
    assert left(keeper) == {}
    whole = [Payment("Bo", "Anna", 100, "cash"), Payment("Anna", "Bo", 25, "rounding")]
    assert paid(now(keeper)) == whole


def test_a_settlement_is_taken_back_and_kept(three: Keeper) -> None:
    """Undone, its payments are owed again; the record stays, marked."""
    three.commit(ledger.PayAll("cash"))
    seq = now(three).settlements[0].seq
    three.commit(ledger.Unpay(seq))
    assert left(three) == {"Anna": 1000, "Bo": -500, "Cilla": -500}
    assert [(each.undone, len(each.payments)) for each in now(three).settlements] == [(True, 2)]
    with pytest.raises(NotAllowed) as refusal:
        three.commit(ledger.Unpay(seq))
    assert refusal.value.code == "no_such_payment"


def test_paying_is_a_change_of_the_table(three: Keeper) -> None:
    """It needs the pen and the newest version."""
    seq = three.seq
    with pytest.raises(NoPen):
        commit(three.db, Write(three.link, "another", seq), ledger.PayAll("cash"))
    commit(three.db, three.write(seq), ledger.PayAll("cash"))
    with pytest.raises(Stale):
        commit(three.db, three.write(seq), ledger.Unpay(seq + 1))
    assert (three.seq, len(now(three).settlements)) == (seq + 1, 1)


def test_paying_is_undone_and_redone_in_order(three: Keeper) -> None:
    """Undo takes a settlement out of the ledger, whole, and what was played before it after it."""
    three.commit(ledger.PayAll("cash"))
    settled = now(three).settlements[0]
    three.commit(ledger.Unpay(settled.seq))
    assert [each.undone for each in now(three).settlements] == [True]
    three.undo()
    assert now(three).settlements == (settled,)
    three.undo()
    assert (now(three).settlements, left(three)["Anna"]) == ((), 1000)
    three.undo()
    assert left(three) == {}
    three.redo(2)
    assert (now(three).settlements, left(three)) == ((settled,), {})


def test_so_many_payments_a_table_may_ever_hold(
    three: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that were undone count, too."""
    monkeypatch.setattr(tables, "MAX_PAYMENTS", 3)
    three.commit(ledger.PayAll("cash"))
    three.undo()
    with pytest.raises(NotAllowed, match="too_many_payments"):
        three.commit(ledger.PayAll("cash"))
    three.commit(ledger.Pay(("Bo", "Anna"), "cash"))


def test_a_game_mended_after_it_was_settled_is_a_difference(three: Keeper) -> None:
    """What was paid stays paid; the difference is owed, and told of the game it comes from."""
    three.next_game()
    ahead(three, "Bo", 3)
    three.commit(ledger.PayAll("cash"))
    before = paid(now(three))
    mend_first(three, 2)
    after = now(three)
    assert paid(after) == before
    assert left(three) == {"Anna": -600, "Bo": 300, "Cilla": 300}
    owed = [Transfer("Anna", "Bo", 300), Transfer("Anna", "Cilla", 300)]
    assert after.adjustments == {1: owed}


def test_a_difference_that_is_settled_is_told_no_more(three: Keeper) -> None:
    """Paid, or mended back, the game is as it was settled."""
    three.commit(ledger.PayAll("cash"))
    mend_first(three, 2)
    mend_first(three, 5)
    assert (left(three), now(three).adjustments) == ({}, {})
    mend_first(three, 7)
    three.commit(ledger.PayAll("cash"))
    assert (left(three), now(three).adjustments) == ({}, {})


def test_merged_names_share_a_ledger(three: Keeper) -> None:
    """What Bosse won pays what Bo lost; between the two of them nothing is owed any more."""
    three.next_game(players=["Bosse", "Cilla"])
    ahead(three, "Bosse", 2)
    assert left(three) == {"Anna": 1000, "Bo": -500, "Cilla": -700, "Bosse": 200}
    three.commit(ledger.PayAll("cash"))
    three.commit(settings.Merge("Bosse", "Bo"))
    assert left(three) == {}
    three.next_game(players=["Bosse", "Anna"])
    ahead(three, "Bosse", 1)
    assert left(three) == {"Bo": 100, "Anna": -100}


def test_a_number_is_kept_for_a_person_until_it_is_deleted(three: Keeper) -> None:
    """However it is typed it is kept as Swish takes it; no text forgets it."""
    assert ledger.find_swish_number(three.db, three.table_id, "Anna") is None
    ledger.save_swish_number(three.db, three.write(), "Anna", "+46 70-123 45 67")
    assert ledger.find_swish_number(three.db, three.table_id, "Anna") == "0701234567"
    assert ledger.find_swish_number(three.db, three.table_id, "Bo") is None
    ledger.save_swish_number(three.db, three.write(), "Anna", " ")
    assert ledger.find_swish_number(three.db, three.table_id, "Anna") is None


def test_only_the_pen_sets_a_number(three: Keeper) -> None:
    """A reader cannot say where payments go, nor can anybody for a person who never played."""
    with pytest.raises(NoPen):
        ledger.save_swish_number(three.db, Write(three.link, None), "Anna", "0701234567")
    with pytest.raises(BadFile):
        ledger.save_swish_number(three.db, three.write(), "Eva", "0701234567")
    with pytest.raises(BadFile):
        ledger.save_swish_number(three.db, three.write(), "Anna", "12345")
    with pytest.raises(NotFound):
        ledger.read_ledger(three.db, "nowhere")


def test_who_is_known_by_two_names_is_paid_as_one_person(three: Keeper) -> None:
    """A payment goes to the person, by whatever name."""
    three.next_game(players=["Anna", "Bosse"])
    three.record(SETTLE)
    three.commit(settings.Merge("Bosse", "Bo"))
    three.commit(ledger.PayInAdvance(("Bosse", "Cilla"), "cash", 100))
    assert paid(now(three)) == [Payment("Bo", "Cilla", 100, "cash")]
    with pytest.raises(NotAllowed) as refusal:
        three.commit(ledger.PayInAdvance(("Bosse", "Bo"), "cash", 100))
    assert refusal.value.code == "pays_oneself"


@pytest.mark.parametrize(
    ("between", "ore", "code"),
    [
        (("Bo", "Bo"), 100, "pays_oneself"),
        (("Bo", "Zorro"), 100, "unknown_player"),
        (("Bo", "Anna"), 0, "wrong_value"),
        (("Bo", "Anna"), -5, "wrong_value"),
        (("Bo", "Anna"), 100_000_001, "advance_too_large"),
    ],
)
def test_what_cannot_be_given_in_advance_is_refused(
    three: Keeper, between: tuple[str, str], ore: int, code: str
) -> None:
    """Nothing of it is recorded."""
    before = three.seq
    with pytest.raises((NotAllowed, BadFile)) as refusal:
        three.commit(ledger.PayInAdvance(between, "cash", ore))
    assert refusal.value.code == code
    assert (three.seq, now(three).settlements) == (before, ())
