"""Debts between the people of a table: games, less payments, roundings and write-offs."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from app.rules.settlement import CURRENCIES, Currency, Debt, add_up, find_debts
from app.services.ledger import Payment
from app.services.payments import round_payment, round_to_cash
from tests.told import told

NAMES = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun"]


@st.composite
def balances(draw: st.DrawFn, most: int = 100_000) -> dict[str, int]:
    """Draw balances of two to seven people, in öre; the sum is zero."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
    ore = [draw(st.integers(-most, most)) for _ in names[1:]]
    return dict(zip(names, [*ore, -sum(ore)], strict=True))


def fewest(ore: list[int]) -> int:
    """Return the least number of payments, by trying every division of the people into groups.

    A group that settles within itself needs one payment fewer than it has people.
    """
    if not ore:
        return 0
    first, *others = ore
    least = len(others)
    for size in range(len(others)):
        for group in combinations(range(len(others)), size):
            if first + sum(others[n] for n in group) == 0:
                left = [amount for n, amount in enumerate(others) if n not in group]
                least = min(least, size + fewest(left))
    return least


def pay(balance: Mapping[str, int], made: Sequence[Debt | Payment]) -> dict[str, int]:
    """Return the balances after payments."""
    return add_up([balance, *({each.payer: each.ore, each.payee: -each.ore} for each in made)])


@given(balance=balances() | balances(most=3))
def test_payments_are_as_few_as_can_be(balance: dict[str, int]) -> None:
    """For up to seven people no set of fewer payments settles, and the suggested ones do."""
    suggested = find_debts(balance)
    assert len(suggested) == fewest([amount for amount in balance.values() if amount])
    assert not any(pay(balance, suggested).values())


@given(balance=balances(), currency=st.sampled_from(CURRENCIES))
def test_cash_as_there_are_coins_leaves_nothing(
    balance: dict[str, int], currency: Currency
) -> None:
    """Rounded to whole kronor or five cents, the ledger stands at zero too: it has the rest."""
    coin = {"SEK": 100, "EUR": 5}[currency]
    made = [p for owed in find_debts(balance) for p in round_payment(owed, currency)]
    assert not any(pay(balance, made).values())
    assert all(payment.ore % coin == 0 for payment in made if payment.way == "cash")
    assert all(payment.ore <= coin / 2 for payment in made if payment.way == "rounding")


@told
def test_cash_is_rounded_to_coins(
    currency: Currency, amounts: tuple[int, ...], rounded: list[int]
) -> None:
    """SEK is rounded to whole kronor, half a krona up; EUR to five cents, as in Finnish shops."""
    assert [round_to_cash(amount, currency) for amount in amounts] == rounded


@told
def test_a_rounding_stands_beside_the_cash(ore: int, made: list[list[object]]) -> None:
    """A rounding is a record of its own; less than half a krona is written off."""
    rounded = round_payment(Debt("Bo", "Anna", ore), "SEK")
    assert [[*astuple(payment)] for payment in rounded] == made


def test_many_players_settle_with_one_payment_fewer_than_they_are() -> None:
    """Among more than twelve debtors and creditors the payments are one fewer, at most."""
    balance = {f"P{n}": 1 for n in range(20)} | {"Host": -20}
    paid = find_debts(balance)
    assert len(paid) == 20
    assert {(t.payer, t.ore) for t in paid} == {("Host", 1)}
