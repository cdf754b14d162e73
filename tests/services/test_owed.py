"""The payments that are suggested, what of them is older, and why they are not who won of whom."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.rules.settlement import Transfer, transfers
from app.services import ledger
from app.services.ledger import Owed, Pay, explain
from tests.services.keeper import game_from, open_archive

CISSI_BOSSE, BOSSE_ANNA = Transfer("Cissi", "Bosse", 20), Transfer("Bosse", "Anna", 56)
NAMES = ("Anna", "Bosse", "Cissi", "David", "Eva")
DEBTS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(1, 9)).filter(
        lambda debt: debt[0] != debt[1]
    ),
    unique_by=lambda debt: frozenset(debt[:2]),
)


def test_a_debt_goes_by_the_shortest_way() -> None:
    """Who owes one who owes another pays that one; the one between pays the rest."""
    debts = [CISSI_BOSSE, BOSSE_ANNA]
    assert explain(Transfer("Cissi", "Anna", 20), debts) == debts
    assert explain(Transfer("Bosse", "Anna", 36), debts) == [BOSSE_ANNA, CISSI_BOSSE]
    assert explain(CISSI_BOSSE, debts) == []


@given(DEBTS)
def test_a_payment_is_explained_unless_it_is_just_what_one_owes_the_other(
    pairs: list[tuple[str, str, int]],
) -> None:
    """The debts told are debts there are, and the payer is in one of them."""
    debts = [Transfer(*pair) for pair in pairs]
    balance = dict.fromkeys(NAMES, 0)
    for each in debts:
        balance[each.payer] -= each.ore
        balance[each.payee] += each.ore
    for payment in transfers(balance):
        why = explain(payment, debts)
        assert bool(why) == (payment not in debts)
        assert [each for each in why if each not in debts] == []
        assert not why or any(payment.payer in (each.payer, each.payee) for each in why)


def test_rows_say_what_is_older_and_why(path: Path) -> None:
    """Bosse owes Anna since last time, and Cissi has lost to him tonight."""
    keeper = open_archive(
        path,
        [
            game_from("2026-10-01T20:00:00Z", "Anna Bosse", "Anna 56, settled", stake_ore=1),
            game_from("2026-10-08T20:00:00Z", "Bosse Cissi", "Bosse 20, settled", stake_ore=1),
        ],
    )
    debts = [BOSSE_ANNA, CISSI_BOSSE]
    assert ledger.read_ledger(keeper.db, keeper.link).owed == [
        Owed("Bosse", "Anna", 36, 36, debts),
        Owed("Cissi", "Anna", 20, 0, debts[::-1]),
    ]
    keeper.commit(Pay(("Cissi", "Anna"), "cash"))
    keeper.commit(Pay(("Bosse", "Anna"), "cash", 30))
    # What has been paid by the shortest way is owed by none of the others.
    assert ledger.read_ledger(keeper.db, keeper.link).owed == [Owed("Bosse", "Anna", 6, 6, [])]
    keeper.db.close()
