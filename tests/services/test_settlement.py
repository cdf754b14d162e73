"""Debts between the people of a table: games, less payments, roundings and write-offs."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules.settlement import CURRENCIES, Currency, PaymentWay, Transfer, add_up, transfers
from app.services.ledger import Payment, outstanding, payout_difference
from app.services.payments import make_payment, make_rounded_payment, round_to_cash
from app.services.people import by_person

NAMES = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun"]
WAYS: tuple[PaymentWay, ...] = ("swish", "cash", "other", "rounding", "written_off")


@st.composite
def balances(draw: st.DrawFn, most: int = 100_000) -> dict[str, int]:
    """Draw balances of two to seven people, in öre; the sum is zero."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
    ore = [draw(st.integers(-most, most)) for _ in names[1:]]
    return dict(zip(names, [*ore, -sum(ore)], strict=True))


payments = st.builds(
    lambda pair, ore, way: Payment(pair[0], pair[1], ore, way),
    st.permutations(NAMES),
    st.integers(1, 100_000),
    st.sampled_from(WAYS),
)


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


@given(balance=balances() | balances(most=3), way=st.sampled_from(WAYS))
def test_payments_are_as_few_as_can_be(balance: dict[str, int], way: PaymentWay) -> None:
    """For up to seven people no set of fewer payments settles, and the suggested ones do."""
    suggested = transfers(balance)
    assert len(suggested) == fewest([amount for amount in balance.values() if amount])
    made = [payment for owed in suggested for payment in make_payment(owed, way)]
    assert not any(outstanding([balance], made).values())


@given(balance=balances(), currency=st.sampled_from(CURRENCIES))
def test_cash_as_there_are_coins_leaves_nothing(
    balance: dict[str, int], currency: Currency
) -> None:
    """Rounded to whole kronor or five cents, the ledger stands at zero too: it has the rest."""
    coin = {"SEK": 100, "EUR": 5}[currency]
    made = [p for owed in transfers(balance) for p in make_rounded_payment(owed, currency)]
    assert not any(outstanding([balance], made).values())
    assert all(payment.ore % coin == 0 for payment in made if payment.way == "cash")
    assert all(payment.ore <= coin / 2 for payment in made if payment.way == "rounding")


@given(balance=balances(), data=st.data())
def test_a_part_paid_leaves_the_rest(balance: dict[str, int], data: st.DataObject) -> None:
    """After a part is paid the rest is owed by the same people, and no more."""
    suggested = transfers(balance)
    parts = [replace(owed, ore=data.draw(st.integers(1, owed.ore))) for owed in suggested]
    made = [payment for part in parts for payment in make_payment(part, "cash")]
    left = outstanding([balance], made)
    assert sum(left.values()) == 0
    rest = sum(owed.ore for owed in suggested) - sum(payment.ore for payment in made)
    assert sum(max(0, ore) for ore in left.values()) == rest


@given(
    balance=balances(),
    made=st.lists(payments, max_size=4),
    # Half the names belong to another person.
    persons=st.dictionaries(st.sampled_from(NAMES[:3]), st.sampled_from(NAMES[3:])),
)
def test_names_of_one_person_add_up(
    balance: dict[str, int], made: list[Payment], persons: dict[str, str]
) -> None:
    """A person with two names has the sum of both."""
    together = by_person(outstanding([balance], made), persons)
    renamed = [
        Payment(persons.get(p.payer, p.payer), persons.get(p.payee, p.payee), p.ore, p.way)
        for p in made
    ]
    by_persons = outstanding([by_person(balance, persons)], renamed)
    assert {n: o for n, o in by_persons.items() if o} == {n: o for n, o in together.items() if o}


@pytest.mark.parametrize(
    ("currency", "amounts", "rounded"),
    [
        ("SEK", (0, 1, 49, 50, 99, 100, 149, 150), [0, 0, 0, 100, 100, 100, 100, 200]),
        ("EUR", (0, 2, 3, 5, 7, 8, 11), [0, 0, 5, 5, 5, 10, 10]),
    ],
)
def test_cash_is_rounded_to_coins(
    currency: Currency, amounts: tuple[int, ...], rounded: list[int]
) -> None:
    """SEK is rounded to whole kronor, half a krona up; EUR to five cents, as in Finnish shops."""
    assert [round_to_cash(amount, currency) for amount in amounts] == rounded


@pytest.mark.parametrize(
    ("ore", "made"),
    [
        (300, [Payment("Bo", "Anna", 300, "cash")]),
        (330, [Payment("Bo", "Anna", 300, "cash"), Payment("Bo", "Anna", 30, "rounding")]),
        (350, [Payment("Bo", "Anna", 400, "cash"), Payment("Anna", "Bo", 50, "rounding")]),
        (30, [Payment("Bo", "Anna", 30, "rounding")]),
    ],
)
def test_a_rounding_stands_beside_the_cash(ore: int, made: list[Payment]) -> None:
    """A rounding is a record of its own; less than half a krona is written off."""
    assert make_rounded_payment(Transfer("Bo", "Anna", ore), "SEK") == made


def test_a_difference_is_who_pays_whom() -> None:
    """An edited game has the payments between its old and its new result."""
    was, now = {"Anna": 500, "Bo": -500}, {"Anna": 200, "Bo": -200}
    assert payout_difference(was, now) == [Transfer("Anna", "Bo", 300)]
    assert payout_difference(was, was) == []
    assert payout_difference(was, {}) == [Transfer("Anna", "Bo", 500)]


def test_an_evening_is_the_sum_of_its_games() -> None:
    """Payouts are added by name, also of people who did not play every game."""
    games = [{"Anna": 900, "Bo": -900}, {"Cilla": -300, "Anna": -100, "Bo": 400}]
    assert list(add_up(games).items()) == [("Anna", 800), ("Bo", -500), ("Cilla", -300)]
    assert add_up([]) == {}
    assert transfers({}) == transfers({"Anna": 0}) == []


def test_many_players_settle_with_one_payment_fewer_than_they_are() -> None:
    """Among more than twelve debtors and creditors the payments are one fewer, at most."""
    balance = {f"P{n}": 1 for n in range(20)} | {"Host": -20}
    paid = transfers(balance)
    assert len(paid) == 20
    assert {(t.payer, t.ore) for t in paid} == {("Host", 1)}
