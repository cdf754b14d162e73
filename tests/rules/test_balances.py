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


def total(amounts: Mapping[str, int]) -> int:
    """Return the sum of everybody's öre."""
    return sum(amounts.values())


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
    assert total(add_up(map(payment_balance, cash))) == 0
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
    assert total(left) == 0
    assert sum(max(0, ore) for ore in left.values()) == sum(t.ore for t in suggested) - sum(
        payment.ore for payment in made
    )
    further = outstanding([*games, {"Anna": part, "Bo": -part}], made)
    assert further.get("Anna", 0) - left.get("Anna", 0) == part
    assert total(further) == 0


@given(games=evenings, made=st.lists(payments, max_size=4), persons=same)
def test_names_of_one_person_add_up(
    games: Sequence[Mapping[str, int]], made: Sequence[Payment], persons: Mapping[str, str]
) -> None:
    """Merged names sum to zero; whoever has two names has what both of them had."""
    apart = outstanding(games, made)
    together = by_person(apart, persons)
    assert total(together) == 0
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
    ("ore", "whole"),
    [(0, 0), (1, 0), (49, 0), (50, 100), (99, 100), (100, 100), (149, 100), (150, 200)],
)
def test_half_a_krona_goes_up(ore: int, whole: int) -> None:
    """1 to 49 öre are rounded down, 50 to 99 up."""
    assert round_to_cash(ore, "SEK") == whole


@pytest.mark.parametrize(
    ("cents", "whole"),
    [(0, 0), (1, 0), (2, 0), (3, 5), (5, 5), (7, 5), (8, 10), (10, 10), (11, 10)],
)
def test_cents_are_rounded_to_the_nearest_five(cents: int, whole: int) -> None:
    """As shops in Finland do it, which have no smaller coins."""
    assert round_to_cash(cents, "EUR") == whole


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
