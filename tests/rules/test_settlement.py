"""What a table's people owe each other: games, less payments, roundings and what is let go."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.settlement import (
    CURRENCIES,
    Currency,
    Payment,
    PaymentWay,
    Transfer,
    add_up,
    by_person,
    make_payment,
    make_rounded_payment,
    outstanding,
    payment_balance,
    payout_difference,
    round_to_cash,
    transfers,
)

NAMES = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun"]
WAYS: tuple[PaymentWay, ...] = ("swish", "cash", "other", "rounding", "written_off")


@st.composite
def balances(draw: st.DrawFn, most: int = 100_000) -> dict[str, int]:
    """Draw what two to seven people won and lost, in öre; the sum is zero."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
    amount = st.integers(-most, most)
    ore = draw(st.lists(amount, min_size=len(names) - 1, max_size=len(names) - 1))
    return dict(zip(names, [*ore, -sum(ore)], strict=True))


payments = st.builds(
    lambda pair, ore, way: Payment(pair[0], pair[1], ore, way),
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True),
    st.integers(1, 100_000),
    st.sampled_from(WAYS),
)
evenings = st.lists(balances(), max_size=6)
# Half the names turn out to be somebody else's.
same = st.dictionaries(st.sampled_from(NAMES[:3]), st.sampled_from(NAMES[3:]))


def fewest(balance: Mapping[str, int]) -> int:
    """Return how many payments are needed at least, by trying every way to divide the people.

    People who settle among themselves need one payment fewer than they are.
    """
    ore = [amount for amount in balance.values() if amount]

    def most_groups(left: frozenset[int]) -> int:
        if not left:
            return 0
        first, *others = sorted(left)
        best = 0
        for size in range(len(others) + 1):
            for rest in combinations(others, size):
                group = {first, *rest}
                if sum(ore[n] for n in group) == 0:
                    best = max(best, 1 + most_groups(left - group))
        return best

    return len(ore) - most_groups(frozenset(range(len(ore))))


@given(balance=st.one_of(balances(), balances(most=3)))
def test_payments_are_as_few_as_can_be(balance: dict[str, int]) -> None:
    """For up to seven people no way of paying takes fewer payments, and all of them settle."""
    suggested = transfers(balance)
    assert len(suggested) == fewest(balance)
    assert not any(outstanding([balance], ticked(suggested)).values())


@given(games=evenings, way=st.sampled_from(WAYS))
def test_everybody_paying_leaves_nothing(
    games: Sequence[Mapping[str, int]], way: PaymentWay
) -> None:
    """When every suggested payment is made, or let go, the ledger stands at zero."""
    left = outstanding(games, ticked(transfers(outstanding(games, [])), way))
    assert not any(left.values())


@given(games=evenings, currency=st.sampled_from(CURRENCIES))
def test_cash_as_there_are_coins_leaves_nothing(
    games: Sequence[Mapping[str, int]], currency: Currency
) -> None:
    """Rounded to whole kronor, or five cents, the ledger stands at zero too: it has the rest."""
    coin = {"SEK": 100, "EUR": 5}[currency]
    suggested = transfers(outstanding(games, []))
    made = [payment for owed in suggested for payment in make_rounded_payment(owed, currency)]
    assert not any(outstanding(games, made).values())
    cash = [payment for payment in made if payment.way == "cash"]
    assert all(payment.ore % coin == 0 for payment in cash)
    assert sum(add_up(map(payment_balance, cash)).values()) == 0
    assert all(payment.ore <= coin / 2 for payment in made if payment.way == "rounding")


@given(games=evenings, part=st.integers(1, 99), data=st.data())
def test_a_part_paid_leaves_the_rest(
    games: Sequence[Mapping[str, int]], part: int, data: st.DataObject
) -> None:
    """After a part is paid the rest is owed, by the same two, and is carried into other games."""
    suggested = transfers(outstanding(games, []))
    made = [
        payment
        for owed in suggested
        for payment in make_payment(owed, "cash", data.draw(st.integers(1, owed.ore)))
    ]
    left = outstanding(games, made)
    assert sum(left.values()) == 0
    assert sum(max(0, ore) for ore in left.values()) == sum(t.ore for t in suggested) - sum(
        payment.ore for payment in made
    )
    further = outstanding([*games, {"Anna": part, "Bo": -part}], made)
    assert further.get("Anna", 0) - left.get("Anna", 0) == part
    assert sum(further.values()) == 0


@given(games=evenings, made=st.lists(payments, max_size=4), persons=same)
def test_names_of_one_person_add_up(
    games: Sequence[Mapping[str, int]], made: Sequence[Payment], persons: Mapping[str, str]
) -> None:
    """Merged names sum to zero; whoever has two names has what both of them had."""
    apart = outstanding(games, made)
    together = by_person(apart, persons)
    assert sum(together.values()) == 0
    renamed = [
        Payment(persons.get(p.payer, p.payer), persons.get(p.payee, p.payee), p.ore, p.way)
        for p in made
    ]
    by_persons = outstanding((by_person(game, persons) for game in games), renamed)
    assert {n: o for n, o in by_persons.items() if o} == {n: o for n, o in together.items() if o}


def ticked(suggested: Sequence[Transfer], way: PaymentWay = "other") -> list[Payment]:
    """Return these payments made in full."""
    return [payment for owed in suggested for payment in make_payment(owed, way)]


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
    """To whole kronor, half a krona up; or to five cents, as shops in Finland do it."""
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
    """What rounding gives or takes is its own record; less than half a krona is let go."""
    assert make_rounded_payment(Transfer("Bo", "Anna", ore), "SEK") == made


def test_a_difference_is_who_pays_whom() -> None:
    """A mended game tells what is to be paid between what it was and what it is."""
    was, now = {"Anna": 500, "Bo": -500}, {"Anna": 200, "Bo": -200}
    assert payout_difference(was, now) == [Transfer("Anna", "Bo", 300)]
    assert payout_difference(was, was) == []
    assert payout_difference(was, {}) == [Transfer("Anna", "Bo", 500)]


def test_an_evening_is_the_sum_of_its_games() -> None:
    """Payouts are added by name, also where not everybody played every game."""
    games = [{"Anna": 900, "Bo": -900}, {"Cilla": -300, "Anna": -100, "Bo": 400}]
    assert list(add_up(games).items()) == [("Anna", 800), ("Bo", -500), ("Cilla", -300)]
    assert add_up([]) == {}
    assert transfers({}) == transfers({"Anna": 0}) == []


def test_paying_the_largest_first_may_take_a_payment_too_many() -> None:
    """9 and -4 -5, 8 and -6 -2: four payments are enough where largest to largest takes five."""
    balance = {"Anna": 9, "Bo": 8, "Cilla": -6, "Dan": -5, "Eva": -4, "Fia": -2}
    assert len(transfers(balance)) == 4


def test_many_players_settle_with_one_payment_fewer_than_they_are() -> None:
    """Beyond twelve who owe or are owed at most one payment fewer than their number is made."""
    balance = {f"P{n}": 1 for n in range(20)} | {"Host": -20}
    paid = transfers(balance)
    assert len(paid) == 20
    assert {(t.payer, t.ore) for t in paid} == {("Host", 1)}
