"""One evening of a ledger: who won and lost, what was paid, and what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from app.rules.balances import outstanding
from app.rules.settlement import add_up
from app.services.ledger import Ledger, LedgerLine, Settlement, add_payouts


class Balance(msgspec.Struct, frozen=True):
    """How what is left for one person comes about, in öre, for them (+) or against them (−)."""

    name: str
    before: int
    tonight: int
    paid: int

    @property
    def left(self) -> int:
        """What is left to settle when the evening is over."""
        return self.before + self.tonight + self.paid


class Evening(msgspec.Struct, frozen=True):
    """One evening of a table, its settlements newest first.

    `totals` are öre by person where `money` says so, else points; whoever came first to the table
    stands first. `carried_over` is whether something was left from earlier evenings.
    """

    day: date
    lines: tuple[LedgerLine, ...]
    money: bool
    totals: Mapping[str, int]
    carried_over: bool
    balances: tuple[Balance, ...]
    settlements: tuple[Settlement, ...]


def summarize(ledger: Ledger, day: date) -> Evening:
    """Sum up what a table's people won, lost and paid on one evening."""
    lines = tuple(line for line in ledger.lines if line.evening == day and line.begun)
    settlements = tuple(each for each in ledger.settlements if each.evening == day)
    money = any(line.stake_ore for line in lines)
    before = ledger.left_before(day)
    return Evening(
        day=day,
        lines=lines,
        money=money,
        totals=_add_totals(ledger, lines, money),
        carried_over=any(before.values()),
        balances=tuple(_balance(ledger, before, lines, settlements)),
        settlements=settlements[::-1],
    )


def _add_totals(ledger: Ledger, lines: Sequence[LedgerLine], money: bool) -> dict[str, int]:
    """The sum of everybody who played; a game that is not over brings points and no öre."""
    players = {name for line in lines for name in line.scores}
    sums = add_payouts(lines) if money else add_up(line.scores for line in lines)
    return {name: sums.get(name, 0) for name in ledger.people.persons if name in players}


def _add_payments(settlements: Sequence[Settlement]) -> dict[str, int]:
    """What settlements that were not taken back changed for each person."""
    return outstanding([], [p for each in settlements if not each.undone for p in each.payments])


def _balance(
    ledger: Ledger,
    before: Mapping[str, int],
    lines: Sequence[LedgerLine],
    settlements: Sequence[Settlement],
) -> list[Balance]:
    """The sums behind what is left, where they are more than the evening's own games."""
    tonight, paid = add_payouts(lines), _add_payments(settlements)
    if not any(before.values()) and not paid:
        return []
    balances = [
        Balance(name, before.get(name, 0), tonight.get(name, 0), paid.get(name, 0))
        for name in ledger.people.persons
    ]
    return [each for each in balances if each.before or each.tonight or each.paid]
