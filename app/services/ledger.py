"""A table's ledger: payouts of its games, payments, and the debts left to settle."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own text alone

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from app.rules.settlement import (
    Currency,
    Debt,
    PaymentWay,
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
    EveningWinners,
    GameSummary,
    find_running,
    find_winners,
    read_lines,
)
from app.services.people import WHOSE, People
from app.services.table_view import LoggedSettlement, fold
from app.store import clock, log
from app.store.clock import beginning_of, evening_of
from app.store.database import Connection, Database


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
    """One person's games of an evening together: öre, points and wins, and the largest stake."""

    ore: int
    points: int
    won: int
    stake_ore: int


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
    lines: list[GameSummary]
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
        now, (_, persons) = load_ledger(connection, table), people.resolve(connection, table.id)
        lines = read_lines(connection, table.id, persons)
        lines += find_running(connection, table, persons)
        lines.sort(key=attrgetter("evening", "number"))
        paid = fold(log.read_settings(connection, table.id)).payments.values()
        return replace(now, lines=lines, settlements=_name(paid, persons, now.evenings))


def suggest_payments(db: Database, link: str) -> dict[str, Any]:
    """Settle a table's ended games by name, payments aside, as `chicago-settlement/1`.

    Raises NotFound.
    """
    with db.snapshot() as connection:
        sql = """SELECT name, SUM(ore) FROM seats JOIN people USING (table_id)
            WHERE table_id = ? AND people.number = (SELECT COALESCE(called, number) FROM people
                WHERE table_id = seats.table_id AND number = person)
            GROUP BY name ORDER BY MIN(game), MIN(seat)"""
        table = find_access(connection, link, None)
        return write_settlement(dict(connection.execute(sql, [table.id]).fetchall()))


def _name(
    paid: Iterable[LoggedSettlement], persons: Mapping[int, str], evenings: Sequence[date]
) -> tuple[Settlement, ...]:
    """Payments by name, each with the evening that it settles."""
    settlements = []
    for each in paid:
        at = clock.local(each.paid_at)
        day = evening_of(at)
        earlier = bisect(evenings, day)
        payments = tuple(
            Payment(persons[p], persons[q], ore, way) for p, q, ore, way in each.payments
        )
        evening = evenings[earlier - 1] if earlier else day
        settlements.append(Settlement(each.seq, at, evening, payments, each.undone))
    return tuple(settlements)


def _add_paid(paid: Iterable[LoggedSettlement], persons: Mapping[int, str]) -> Mapping[str, int]:
    """The balances of payments, those undone left out."""
    sums = Counter[str]()
    for payer, payee, ore, _ in (pay for each in paid if not each.undone for pay in each.payments):
        sums[persons[payer]] += ore
        sums[persons[payee]] -= ore
    return sums


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
    _, persons = people.resolve(connection, table.id)
    running = find_running(connection, table, persons)
    sql = "SELECT evening, MAX(stake_ore) FROM seats WHERE table_id = ? GROUP BY evening"
    stakes = dict(connection.execute(sql, [table.id]).fetchall())
    days = {date.fromisoformat(each) for each in stakes}
    days.update(line.evening for line in running if line.begun or not days)
    evenings = sorted(days)
    day = day or (evenings[-1] if evenings else clock.this_evening())
    lines = read_lines(connection, table.id, persons, day)
    lines += [line for line in running if line.evening == day]
    seated = [number for line in running for number in line.seated]
    after = next((each for each in evenings if each > day), None)
    begins, ends = (
        clock.write_time(beginning_of(each)) if each else LATEST for each in (day, after)
    )
    paid = fold(log.read_settings(connection, table.id)).payments.values()
    earlier = [each for each in paid if each.paid_at < begins]
    within = [each for each in paid if begins <= each.paid_at < ends]
    before, won = _add_won(connection, table.id, day)
    left = add_up([won, _add_paid(paid, persons)])
    return Ledger(
        table.name,
        table.ledger_seq,
        table.currency,
        people.find_people(connection, table.id, seated),
        evenings,
        day,
        find_winners(connection, table.id, {day, *evenings[-MOST_OTHERS - 1 :]}),
        lines,
        _add_evening(connection, table.id, day),
        _name(within[-MOST_SHOWN:], persons, evenings),
        _add_paid(within, persons),
        add_up([before, _add_paid(earlier, persons)]),
        left,
        find_debts(left),
        bool(paid) or any((*stakes.values(), *(line.stake_ore for line in running))),
    )


def _add_evening(connection: Connection, table_id: int, day: date) -> dict[str, EveningSums]:
    sql = f"""WITH {WHOSE} SELECT name, SUM(ore), SUM(score), SUM(won), MAX(stake_ore)
        FROM seats JOIN whose ON number = person WHERE table_id = ?1 AND evening = ?2
        GROUP BY name ORDER BY MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, day.isoformat()]).fetchall()
    return {name: EveningSums(*sums) for name, *sums in rows}


def _add_won(
    connection: Connection, table_id: int, day: date
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The öre that games of evenings before one, and all, have brought each person."""
    sql = f"""WITH {WHOSE} SELECT name, SUM(before), SUM(ore) FROM whose JOIN (
            SELECT person, SUM(IIF(evening < ?2, ore, 0)) AS before, SUM(ore) AS ore,
                MIN(game) AS game, MIN(seat) AS seat
            FROM seats WHERE table_id = ?1 GROUP BY person) ON number = person
        GROUP BY name ORDER BY MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, day.isoformat()]).fetchall()
    return {name: ore for name, ore, _ in rows}, {name: ore for name, _, ore in rows}
