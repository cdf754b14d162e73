"""Results in money: each evening of a table by person, and each person over all evenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby

import msgspec

from app.services.ledger import Ledger, LedgerLine, add_payouts


class EveningResult(msgspec.Struct, frozen=True):
    """One evening's games for money that are over: öre won (+) or lost (−), by person.

    `running` is what each of them has won or lost over all evenings up to this one.
    """

    day: date
    amounts: Mapping[str, int]
    running: Mapping[str, int]

    @property
    def winners(self) -> list[str]:
        """Who won most; nobody where nobody won anything."""
        most = max(self.amounts.values(), default=0)
        return [name for name, ore in self.amounts.items() if ore == most > 0]


class PersonResult(msgspec.Struct, frozen=True):
    """The öre that one person has won (+) or lost (−) over all evenings.

    `best` and `worst` are the evenings, of `evenings` in all, that brought them most and least, the
    newest where there are several; `left` is what is still to be settled.
    """

    name: str
    ore: int
    evenings: int
    best: EveningResult
    worst: EveningResult
    left: int


def list_evenings(ledger: Ledger) -> list[EveningResult]:
    """Every evening at which a game for money came to its end, oldest first."""
    running: dict[str, int] = {}
    evenings = []
    for day, lines in groupby(filter(_is_for_money, ledger.lines), lambda line: line.evening):
        amounts = _in_order(ledger, add_payouts(lines))
        for name, ore in amounts.items():
            running[name] = running.get(name, 0) + ore
        evenings.append(EveningResult(day, amounts, {name: running[name] for name in amounts}))
    return evenings


def list_people(ledger: Ledger, evenings: Sequence[EveningResult]) -> list[PersonResult]:
    """Whoever has played for money at these evenings, who has won most first."""
    played: dict[str, list[EveningResult]] = {}
    for evening in reversed(evenings):
        for name in evening.amounts:
            played.setdefault(name, []).append(evening)
    left = ledger.outstanding
    people = [
        PersonResult(
            name=name,
            ore=played[name][0].running[name],
            evenings=len(played[name]),
            best=max(played[name], key=lambda evening: evening.amounts[name]),
            worst=min(played[name], key=lambda evening: evening.amounts[name]),
            left=left.get(name, 0),
        )
        for name in ledger.people.persons
        if name in played
    ]
    return sorted(people, key=lambda person: -person.ore)


def _is_for_money(line: LedgerLine) -> bool:
    return line.stake_ore > 0 and line.payout is not None


def _in_order(ledger: Ledger, amounts: Mapping[str, int]) -> dict[str, int]:
    """The same amounts, whoever came first to the table first."""
    return {name: amounts[name] for name in ledger.people.persons if name in amounts}
