"""The ledger of a table: ended games, payments made and taken back, and games edited later."""

from __future__ import annotations

import pytest

from app.rules.codes import BadFile, NotAllowed
from app.rules.events import Correction
from app.rules.gamefile import read_setup
from app.rules.settlement import Amount
from app.services import bounds, ledger, opening, payments, people, play
from app.services.access import NoPen, Write
from app.services.commit import Change
from app.services.edit import Edit
from app.services.ledger import Ledger, Payment
from tests.services.conftest import Seat
from tests.services.keeper import Keeper, paid


def ahead(keeper: Keeper, player: str, points: int) -> None:
    """End the game with one player ahead of all the others."""
    keeper.record(f"{player} {points}, settled")


def now(keeper: Keeper) -> Ledger:
    """Return the table's ledger."""
    return ledger.read_ledger(keeper.db, keeper.link)


def left(keeper: Keeper) -> dict[str, int]:
    """Return the balances that are left to settle, without zeros."""
    return {name: ore for name, ore in now(keeper).outstanding.items() if ore}


@pytest.fixture
def three(seat: Seat) -> Keeper:
    """Return the keeper of a table of three where Anna has won 5 kr of each."""
    keeper = seat(["Anna", "Bo", "Cilla"])
    ahead(keeper, "Anna", 5)
    return keeper


def test_no_score_is_larger_than_sums_bear(seat: Seat) -> None:
    """The largest score at the largest stake adds up exactly; a larger one is refused."""
    keeper = seat(["Anna", "Bo"])
    keeper.record("settled")
    keeper.next_game(stake_ore=1_000_000)
    most = bounds.MAX_POINTS
    with pytest.raises(NotAllowed, match="points_too_large"):
        keeper.record(f"Anna {most + 1}")
    keeper.record(f"Anna {most}")
    with pytest.raises(NotAllowed, match="points_too_large"):
        keeper.commit(Edit(2, entries=[0, Correction(player="Anna", points=1)]))
    keeper.record("settled")
    ore = most * 1_000_000
    assert left(keeper) == {"Anna": ore, "Bo": -ore}
    assert ledger.suggest_payments(keeper.db, keeper.link)["balance_ore"] == {
        "Anna": ore,
        "Bo": -ore,
    }
    assert ore * 8 * bounds.MAX_GAMES < 2**63


def test_a_payment_is_owed_no_longer(three: Keeper) -> None:
    """A payment settles its part of both balances; the other debts stay until all have paid."""
    three.commit(payments.Pay(("Bo", "Anna"), "swish"))
    assert left(three) == {"Anna": 500, "Cilla": -500}
    three.commit(payments.PayAll("other"))
    assert left(three) == {}
    made = [Payment("Bo", "Anna", 500, "swish"), Payment("Cilla", "Anna", 500, "other")]
    assert paid(now(three)) == made


def test_only_the_pen_sets_a_number(three: Keeper) -> None:
    """Nor does anybody for a person who never played."""
    with pytest.raises(NoPen):
        payments.save_swish_number(three.db, Write(three.link, None), "Anna", "0701234567")
    with pytest.raises(BadFile):
        payments.save_swish_number(three.db, three.write(), "Eva", "0701234567")


def test_who_is_known_by_two_names_is_paid_as_one_person(three: Keeper) -> None:
    """A payment is booked to the person, by either of the names."""
    three.next_game(players=["Anna", "Bosse"])
    three.record("settled")
    three.commit(people.Merge("Bosse", "Bo"))
    three.commit(payments.PayInAdvance(("Bosse", "Cilla"), "cash", 100))
    assert paid(now(three)) == [Payment("Bo", "Cilla", 100, "cash")]
    with pytest.raises(NotAllowed) as refusal:
        three.commit(payments.PayInAdvance(("Bosse", "Bo"), "cash", 100))
    assert refusal.value.code == "pays_oneself"


REFUSED: list[tuple[Change, str]] = [
    (payments.Pay(("Bo", "Anna"), "cash", 501), "pays_too_much"),
    (payments.Pay(("Anna", "Bo"), "cash"), "nothing_owed"),
    (payments.Pay(("Bo", "Anna"), "cash", 0), "wrong_value"),
    (payments.PayInAdvance(("Bo", "Bo"), "cash", 100), "pays_oneself"),
    (payments.PayInAdvance(("Bo", "Zorro"), "cash", 100), "unknown_player"),
    (payments.PayInAdvance(("Bo", "Anna"), "cash", 0), "wrong_value"),
    (payments.PayInAdvance(("Bo", "Anna"), "cash", -5), "wrong_value"),
    (payments.PayInAdvance(("Bo", "Anna"), "cash", 100_000_001), "advance_too_large"),
    (payments.Unpay(3), "no_such_payment"),
    (payments.Unpay(4), "no_such_payment"),
]


@pytest.mark.parametrize(("change", "code"), REFUSED)
def test_what_cannot_be_paid_is_refused(three: Keeper, change: Change, code: str) -> None:
    """A refused payment records nothing, and a payment is taken back only once."""
    three.commit(payments.PayInAdvance(("Bo", "Cilla"), "cash", 100))
    three.commit(payments.Unpay(4))
    before = three.seq
    with pytest.raises((NotAllowed, BadFile)) as refusal:
        three.commit(change)
    assert refusal.value.code == code
    assert refusal.value.values.get("ore") in (None, Amount(500, "SEK"), Amount(10**8, "SEK"))
    assert three.seq == before
    three.commit(payments.PayAll("cash"))
    with pytest.raises(NotAllowed, match="all_settled"):
        three.commit(payments.PayAll("cash"))


def test_a_game_undone_holds_no_currency(keeper: Keeper) -> None:
    """An undone game for money does not fix the table's currency."""
    setup = read_setup({"players": ["Anna", "Bo"], "stake_ore": 0})
    table = Keeper(keeper.db, opening.open_table(keeper.db, setup, "", keeper.pen), keeper.pen)
    table.record("void")
    table.next_game(stake_ore=100)
    table.undo()
    assert table.commit(play.Start({}, "EUR")).currency == "EUR"
    assert table.undo().currency == "SEK"


def test_who_joins_is_in_the_ledger_at_once(three: Keeper) -> None:
    """In the midst of a game the ledger stays as it was, but for who comes to sit in it."""
    three.next_game()
    three.record("Bo 1")
    before = now(three)
    three.record("Bo 1")
    assert now(three) is before
    three.record({"event": "joins", "player": "Eva", "after": "Bo", "points": 0})
    assert "Eva" in now(three).people.persons
    assert "Eva" in now(three).lines[-1].scores
    three.undo()
    assert "Eva" not in now(three).lines[-1].scores
