"""A table's ledger: payouts of its games, payments, and the debts left to settle."""

# every piece of SQL here is put together from our own names alone

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from app.rules.settlement import (
    Currency,
    Debt,
    PaymentWay,
    SettlementResult,
    add_up,
    find_debts,
    share_out,
    write_settlement,
)
from app.services import people
from app.services.access import Access, find_access
from app.services.evenings import (
    MOST_OTHERS,
    MOST_SHOWN,
    EveningResult,
    EveningWinners,
    LedgerLine,
    Persons,
    find_running,
    find_winners,
    read_lines,
)
from app.services.people import People, by_person
from app.services.table_view import Fold, LoggedSettlement, fold
from app.store import clock, log
from app.store.clock import beginning_of, evening_of
from app.store.database import Connection, Database

Money = Mapping[str, int]


class Payment(msgspec.Struct, frozen=True):
    """A debt of `ore` öre that is no longer owed, and in which way it went.

    `rounding` and `written_off` move no money: the debt is let go.
    """

    payer: str
    payee: str
    ore: int
    way: PaymentWay


# After every time that a payment has.
LATEST = "9999"


class Settlement(msgspec.Struct, frozen=True):
    """Payments recorded together. `evening` is the one they settle, `undone` if taken back."""

    seq: int
    paid_at: datetime
    evening: date
    payments: tuple[Payment, ...]
    undone: bool


class EveningSums(msgspec.Struct, frozen=True):
    """One person's games of an evening together: öre, points and wins, and whether for money."""

    ore: int
    points: int
    won: int
    staked: bool


class Owed(msgspec.Struct, frozen=True):
    """A suggested payment of `ore` öre, of which `older` were left when the evening began.

    `sums` are what the payer owes and the payee is to have in all; None where the payment is just
    what one owes the other.
    """

    payer: str
    payee: str
    ore: int
    older: int
    sums: tuple[int, int] | None


class Ledger(msgspec.Struct, frozen=True):
    """One evening of a table, and what its people have won, lost and paid in all.

    Amounts are öre, or cents, of its `currency`; `seq` is the version at which any of it changed.
    `evenings` are those of all games, oldest first; one at which nothing is recorded counts if
    alone. `winners` are those of `day` and of the last evenings. `lines` are the games of `day`,
    `settlements` those that settled it, oldest first, of more than MOST_SHOWN the last ones;
    `sums` are the sums of all its games that are over, by person, and `paid` the balances of all
    its payments.
    `before` is what was left to settle for each person when it began, `outstanding` what is left
    now; each sum is zero. `debts` are the fewest payments that settle it.
    """

    name: str
    seq: int
    currency: Currency
    people: People
    evenings: list[date]
    day: date
    winners: Mapping[date, EveningWinners]
    lines: list[LedgerLine]
    sums: Mapping[str, EveningSums]
    settlements: tuple[Settlement, ...]
    paid: Mapping[str, int]
    before: Mapping[str, int]
    outstanding: dict[str, int]
    debts: list[Debt]
    has_money: bool

    @property
    def owed(self) -> list[Owed]:
        """The payments that are suggested, each with what it is made up of."""
        debts, owed = _owed_by_pair(self), []
        older = {name: -ore - max(0, self.paid.get(name, 0)) for name, ore in self.before.items()}
        for each in self.debts:
            payer, payee = each.payer, each.payee
            old = max(0, min(each.ore, older.get(payer, 0)))
            older[payer] = older.get(payer, 0) - old
            sums = -self.outstanding[payer], self.outstanding[payee]
            plain = {*sums} == {each.ore} or debts[payer, payee] - debts[payee, payer] == each.ore
            owed.append(Owed(payer, payee, each.ore, old, None if plain else sums))
        return owed

    def find_debt(self, between: tuple[str, str]) -> Debt | None:
        """The payment of these that is suggested from one person to another."""
        return next((t for t in self.debts if (t.payer, t.payee) == between), None)

    @property
    def carries_over(self) -> bool:
        """Whether something was left to settle when the evening began."""
        return any(self.before.values())


def _owed_by_pair(now: Ledger) -> Counter[tuple[str, str]]:
    """What each owes another: left from before and lost tonight, less what was paid, in öre."""
    sums = Counter({(each.payer, each.payee): each.ore for each in find_debts(now.before)})
    for line in now.lines:
        lost = {name: -ore for name, ore in (line.payout or {}).items() if ore < 0}
        sums.update(share_out(lost, line.winners))
    for payment in (each for done in now.settlements if not done.undone for each in done.payments):
        sums[payment.payer, payment.payee] -= payment.ore
    return sums


def read_ledger(db: Database, link: str, day: date | None = None) -> Ledger:
    """The ledger of the table behind a link, of its newest evening or another. Raises NotFound."""
    with db.snapshot() as connection:
        return load_ledger(connection, find_access(connection, link, None), day)


def read_everything(db: Database, link: str) -> Ledger:
    """The ledger with the games and settlements of all evenings. Raises NotFound."""
    read_ledger(db, link)  # It is kept, and others are served before the rest is read.
    clock.give_way()
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        now, book = load_ledger(connection, table), _open_book(connection, table)
        lines = [*read_lines(connection, table.id, book.persons), *book.running]
        lines.sort(key=attrgetter("evening", "number"))
        return replace(now, lines=lines, settlements=tuple(book.list_settlements(book.paid)))


def suggest_payments(db: Database, link: str) -> SettlementResult:
    """Settle a table's ended games by name, payments aside, as `chicago-settlement/1`.

    Raises NotFound.
    """
    with db.snapshot() as connection:
        table_id = find_access(connection, link, None).id
        names, _ = people.resolve(connection, table_id)
        return write_settlement(_add_won(connection, table_id, names)[1])


class _Book(msgspec.Struct, frozen=True):
    """All payments of a table, its evenings, its games being played, and names by number."""

    table: Access
    persons: Persons
    settings: Fold
    evenings: list[date]
    running: list[LedgerLine]
    has_money: bool

    @property
    def paid(self) -> Collection[LoggedSettlement]:
        """All payments, oldest first."""
        return self.settings.payments.values()

    def list_settlements(self, paid: Iterable[LoggedSettlement]) -> Iterator[Settlement]:
        """Payments by name, each with the evening that it settles."""
        for each in paid:
            at = clock.local(each.paid_at)
            day = evening_of(at)
            earlier = bisect(self.evenings, day)
            evening = self.evenings[earlier - 1] if earlier else day
            yield Settlement(each.seq, at, evening, self.name(each), each.undone)

    def name(self, paid: LoggedSettlement) -> tuple[Payment, ...]:
        """The payments by name."""
        whose = self.persons
        return tuple(
            Payment(whose[payer], whose[payee], ore, way)
            for payer, payee, ore, way in paid.payments
        )

    def add_paid(self, since: str = "", until: str = LATEST) -> dict[str, int]:
        """The balances of all payments made from one moment until another."""
        sums = Counter[int]()
        for each in self.paid:
            if since <= each.paid_at < until and not each.undone:
                for payer, payee, ore, _ in each.payments:
                    sums[payer] += ore
                    sums[payee] -= ore
        return by_person(sums, self.persons)


def _open_book(connection: Connection, table: Access) -> _Book:
    settings = fold(log.read_settings(connection, table.id))
    _, persons = people.resolve(connection, table.id)
    running = find_running(connection, table, persons)
    sql = "SELECT evening, MAX(stake_ore) FROM seats WHERE table_id = ? GROUP BY evening"
    stakes = dict(connection.execute(sql, [table.id]).fetchall())
    days = {date.fromisoformat(day) for day in stakes}
    days.update(line.evening for line in running if line.begun or not days)
    staked = any((*stakes.values(), *(line.stake_ore for line in running)))
    has_money = staked or bool(settings.payments)
    return _Book(table, persons, settings, sorted(days), running, has_money)


def load_ledger(connection: Connection, table: Access, day: date | None = None) -> Ledger:
    """The ledger of a table, of its newest evening or another.

    That of the newest evening is added up once until it changes.
    """
    found = connection.ledgers.get(table.id)
    if isinstance(found, Ledger) and (found.seq, day) == (table.ledger_seq, None):
        return found
    ledger = _add_up(connection, table, day)
    if day is None:
        connection.ledgers[table.id] = ledger
    return ledger


def _add_up(connection: Connection, table: Access, day: date | None) -> Ledger:
    book = _open_book(connection, table)
    day = day or (book.evenings[-1] if book.evenings else clock.this_evening())
    lines = read_lines(connection, table.id, book.persons, day)
    lines += [line for line in book.running if line.evening == day]
    seated = [number for line in book.running for number in line.seated]
    after = next((each for each in book.evenings if each > day), None)
    begins, ends = (
        clock.write_time(beginning_of(each)) if each else LATEST for each in (day, after)
    )
    within = [each for each in book.paid if begins <= each.paid_at < ends]
    before, won = _add_won(connection, table.id, book.persons, day)
    left = add_up([won, book.add_paid()])
    last = {day, *book.evenings[-MOST_OTHERS - 1 :]}
    return Ledger(
        table.name,
        table.ledger_seq,
        table.currency,
        people.find_people(connection, table.id, book.settings, seated),
        book.evenings,
        day,
        find_winners(connection, table.id, book.persons, last),
        lines,
        _add_evening(connection, table.id, book.persons, day),
        tuple(book.list_settlements(within[-MOST_SHOWN:])),
        book.add_paid(begins, ends),
        add_up([before, book.add_paid(until=begins)]),
        left,
        find_debts(left),
        book.has_money,
    )


def _add_evening(
    connection: Connection, table_id: int, persons: Persons, day: date
) -> dict[str, EveningSums]:
    sql = """SELECT person, SUM(ore), SUM(score), SUM(won), MAX(stake_ore) > 0 FROM seats
        WHERE table_id = ? AND evening = ? GROUP BY person ORDER BY MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, day.isoformat()]).fetchall()
    ore, points, won, staked = (
        by_person({row[0]: row[column] for row in rows}, persons) for column in range(1, 5)
    )
    return {name: EveningSums(ore[name], points[name], won[name], staked[name] > 0) for name in ore}


def _add_won(
    connection: Connection, table_id: int, persons: Persons, day: date = date.min
) -> tuple[Money, Money]:
    """The öre that games of evenings before one, and all, have brought each person."""
    sql = """SELECT person, SUM(IIF(evening < ?2, ore, 0)), SUM(ore) FROM seats
        WHERE table_id = ?1 GROUP BY person ORDER BY MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, day.isoformat()]).fetchall()
    before, won = (by_person({row[0]: row[column] for row in rows}, persons) for column in (1, 2))
    return before, won


class PersonResult(msgspec.Struct, frozen=True):
    """The öre that one person has won (+) or lost (−) over all evenings.

    `best` and `worst` are the evenings, of `evenings` in all, that brought them most and least, the
    newest where there are several; `left` is still to be settled.
    """

    name: str
    ore: int
    evenings: int
    best: EveningResult
    worst: EveningResult
    left: int


def list_people(ledger: Ledger, evenings: Sequence[EveningResult]) -> list[PersonResult]:
    """The people who have played for money at these evenings, the biggest winner first."""
    played: dict[str, list[EveningResult]] = {}
    for evening in reversed(evenings):
        for name in evening.amounts:
            played.setdefault(name, []).append(evening)
    people = []
    for name in filter(played.__contains__, ledger.people.persons):
        ore = [each.amounts[name] for each in played[name]]
        best, worst = (played[name][ore.index(most)] for most in (max(ore), min(ore)))
        owed = ledger.outstanding.get(name, 0)
        people.append(PersonResult(name, sum(ore), len(ore), best, worst, owed))
    return sorted(people, key=lambda person: -person.ore)
