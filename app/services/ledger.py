"""A table's ledger: payouts of its games, payments, and the debts left to settle."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from itertools import compress, groupby
from operator import attrgetter, itemgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed
from app.rules.settlement import (
    Amount,
    Currency,
    PaymentWay,
    SettlementResult,
    Transfer,
    add_up,
    payout,
    share_out,
    transfers,
    write_settlement,
)
from app.services import figures, people, swish, table_view, tables
from app.services.commit import Change, ChangeContext, Proposal
from app.services.fold import Fold, Payments, fold, to_json
from app.services.payments import (
    Money,
    Payment,
    by_person,
    make_payment,
    make_rounded_payment,
    outstanding,
    payout_difference,
    take_off,
)
from app.services.people import People
from app.services.tables import Access, find_access
from app.store import clock, log
from app.store.clock import beginning_of, evening_of
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeRow

# After every time that a payment has.
LATEST = "9999"
# By number at a table, the name of somebody's person.
Persons = Mapping[int, str]


class LedgerLine(msgspec.Struct, frozen=True):
    """One game: points, and öre won (+) or lost (−), by person; `payout` is None until over.

    `seated` are numbers in seat order, `winners` persons; a game that is not over has no winners,
    nor has one broken off as void. `begun` is whether anything is recorded in it.
    """

    number: int
    begun_at: str
    evening: date
    stake_ore: int
    seated: tuple[int, ...]
    scores: dict[str, int]
    payout: dict[str, int] | None
    winners: tuple[str, ...]
    broken_off: bool
    begun: bool = True


class Settlement(msgspec.Struct, frozen=True):
    """Payments recorded together. `evening` is the one they settle, `undone` if taken back."""

    seq: int
    paid_at: datetime
    evening: date
    payments: tuple[Payment, ...]
    undone: bool


# So many of an evening's games and settlements are shown, and so many evenings beside it.
MOST_SHOWN, MOST_OTHERS = 30, 8


class Tonight(msgspec.Struct, frozen=True):
    """One person's games of an evening together: öre, points and wins, and whether for money."""

    ore: int
    points: int
    won: int
    staked: bool


class Owed(msgspec.Struct, frozen=True):
    """A suggested payment of `ore` öre, of which `older` were left when the evening began.

    `sums` are what the payer owes and the payee is to have in all; None where the payment is just
    what one owes the other, or an adjustment.
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
    `tonight` are the sums of all its games that are over, by person, and `paid` the balances of all
    its payments.
    `before` is what was left to settle for each person when it began, `outstanding` what is left
    now; each sum is zero. `transfers` are the fewest payments that settle it. `adjustments` are who
    is to pay whom for games, by number, that were edited after they were settled.
    """

    name: str
    seq: int
    currency: Currency
    people: People
    evenings: list[date]
    day: date
    winners: Mapping[date, EveningWinners]
    lines: list[LedgerLine]
    tonight: Mapping[str, Tonight]
    settlements: tuple[Settlement, ...]
    paid: Mapping[str, int]
    before: Mapping[str, int]
    outstanding: dict[str, int]
    transfers: list[Transfer]
    adjustments: Mapping[int, list[Transfer]]
    has_money: bool

    @property
    def owed(self) -> list[Owed]:
        """The payments that are suggested, each with what it is made up of."""
        debts, owed = _find_debts(self), []
        older = {name: -ore - max(0, self.paid.get(name, 0)) for name, ore in self.before.items()}
        for each in self.transfers:
            payer, payee = each.payer, each.payee
            old = max(0, min(each.ore, older.get(payer, 0)))
            older[payer] = older.get(payer, 0) - old
            adjusts = any(each in adjusted for adjusted in self.adjustments.values())
            sums = -self.outstanding[payer], self.outstanding[payee]
            plain = {*sums} == {each.ore} or debts[payer, payee] - debts[payee, payer] == each.ore
            owed.append(Owed(payer, payee, each.ore, old, None if adjusts or plain else sums))
        return owed

    def find_debt(self, between: tuple[str, str]) -> Transfer | None:
        """The payment of these that is suggested from one person to another."""
        return next((t for t in self.transfers if (t.payer, t.payee) == between), None)

    @property
    def carries_over(self) -> bool:
        """Whether something was left to settle when the evening began."""
        return any(self.before.values())


def _find_debts(now: Ledger) -> Counter[tuple[str, str]]:
    """What each owes another: left from before and lost tonight, less what was paid, in öre."""
    sums = Counter({(each.payer, each.payee): each.ore for each in transfers(now.before)})
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
        return replace(now, lines=lines, settlements=tuple(book.settle(book.paid)))


def settle(db: Database, link: str) -> SettlementResult:
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
    def paid(self) -> Collection[Payments]:
        """All payments, oldest first."""
        return self.settings.payments.values()

    def settle(self, paid: Iterable[Payments]) -> Iterator[Settlement]:
        """Payments by name, each with the evening that it settles."""
        for each in paid:
            at = clock.local(each.paid_at)
            day = evening_of(at)
            earlier = bisect(self.evenings, day)
            evening = self.evenings[earlier - 1] if earlier else day
            yield Settlement(each.seq, at, evening, self.name(each), each.undone)

    def name(self, paid: Payments) -> tuple[Payment, ...]:
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
        tuple(book.settle(within[-MOST_SHOWN:])),
        book.add_paid(begins, ends),
        add_up([before, book.add_paid(until=begins)]),
        left,
        transfers(left),
        _find_adjustments(connection, book, left),
        book.has_money,
    )


def find_running(connection: Connection, table: Access, persons: Persons) -> list[LedgerLine]:
    """The game that is being played, if one is: its line is the same until it ends."""
    view = table_view.load_newest(connection, table)
    if view.state.over:
        return []
    seated = tuple(view.numbers[name] for name in view.state.players)
    return [
        LedgerLine(
            view.number,
            view.begun_at,
            evening_of(view.begun_at),
            view.state.setup.stake_ore,
            seated,
            dict.fromkeys((persons[number] for number in seated), 0),
            None,
            (),
            broken_off=False,
            begun=bool(view.game.events),
        )
    ]


def _add_evening(
    connection: Connection, table_id: int, persons: Persons, day: date
) -> dict[str, Tonight]:
    sql = """SELECT person, SUM(ore), SUM(score), SUM(won), MAX(stake_ore) > 0 FROM seats
        WHERE table_id = ? AND evening = ? GROUP BY person ORDER BY MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, day.isoformat()]).fetchall()
    ore, points, won, staked = (
        by_person({row[0]: row[column] for row in rows}, persons) for column in range(1, 5)
    )
    return {name: Tonight(ore[name], points[name], won[name], staked[name] > 0) for name in ore}


def _add_won(
    connection: Connection, table_id: int, persons: Persons, day: date = date.min
) -> tuple[Money, Money]:
    """The öre that games of evenings before one, and all, have brought each person."""
    sql = """SELECT person, SUM(IIF(evening < ?2, ore, 0)), SUM(ore) FROM seats
        WHERE table_id = ?1 GROUP BY person ORDER BY MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, day.isoformat()]).fetchall()
    before, won = (by_person({row[0]: row[column] for row in rows}, persons) for column in (1, 2))
    return before, won


def read_lines(
    connection: Connection,
    table_id: int,
    persons: Persons,
    day: date | None = None,
) -> list[LedgerLine]:
    """A table's games that are over by number: all, or the last of an evening."""
    sql = """SELECT game, begun_at, evening, stake_ore, broken_off, person, score, ore, won
        FROM seats WHERE table_id = ?1
            AND game IN (SELECT DISTINCT game FROM seats WHERE table_id = ?1
                AND (?2 IS NULL OR evening = ?2)
                ORDER BY game DESC LIMIT ?3)
        ORDER BY game, seat"""
    asked = (day.isoformat(), MOST_SHOWN) if day else (None, tables.MAX_GAMES)
    rows = connection.execute(sql, [table_id, *asked]).fetchall()
    lines = []
    for number, group in groupby(rows, itemgetter(0)):
        _, at, days, stake_ore, broken_off, seated, scores, ore, won = zip(*group, strict=True)
        lines.append(
            LedgerLine(
                number,
                at[0],
                date.fromisoformat(days[0]),
                stake_ore[0],
                seated,
                by_person(dict(zip(seated, scores, strict=True)), persons),
                by_person(dict(zip(seated, ore, strict=True)), persons),
                tuple(persons[winner] for winner in compress(seated, won)),
                bool(broken_off[0]),
            )
        )
    return lines


def find_games_of(db: Database, link: str, evening: str) -> list[int]:
    """The numbers of an evening's games, given as `2026-10-17`. Raises NotFound."""
    with db.snapshot() as connection:
        sql = f"SELECT game, at FROM changes WHERE table_id = ? AND {log.STARTS} AND undone IS NULL"
        begun = connection.execute(sql, [find_access(connection, link, None).id]).fetchall()
    return [number for number, at in begun if evening_of(at).isoformat() == evening]


# So many payments are gone back through, and so many rows and events read of games as they stood
# at one of them; each game counts for A_GAME more.
MOST_BACK, MOST_READ, A_GAME = 12, tables.MAX_GAME_ENTRIES, 100
_BEGUN = f"SELECT game, seq FROM changes WHERE table_id = ? AND {log.STARTS}"
_CHANGED = f"""SELECT game, MAX(last) FROM (
        SELECT game, (SELECT MAX(seq) FROM changes WHERE table_id = ?1 AND game = begun.game) last
            FROM changes AS begun WHERE table_id = ?1 AND {log.STARTS}
        UNION ALL SELECT body ->> '$.game', MAX(seq, COALESCE(undone, 0)) FROM changes
            WHERE table_id = ?1 AND game = 0 AND kind = 'edit')
    GROUP BY game"""
# Of no one game, those by which one was edited.
_ROWS = """SELECT seq, kind, game, body, at, undone FROM changes
    WHERE table_id = ? AND game = ? AND (game > 0 OR kind = 'edit')"""
_PAYOUT = "SELECT person, ore FROM seats WHERE table_id = ? AND game = ?"
_WON = """SELECT person, SUM(ore) FROM seats WHERE table_id = ? AND game > ? AND game <= ?
    GROUP BY person"""


def _find_adjustments(
    connection: Connection, book: _Book, left: Money
) -> dict[int, list[Transfer]]:
    """Adjustments by game: who is to pay whom where a game was edited after it was settled.

    A debt once settled in full, adjustments included, stays settled: so payments are gone
    through from the newest to that one. Beyond the bounds nothing is told of them, and all sums
    are right.
    """
    past, settled, newest = _Past(connection, book), dict[int, Money](), tables.MAX_GAMES
    for paid in [each for each in book.paid if not each.undone][: -MOST_BACK - 1 : -1]:
        # Numbers tell in which order games came: later ones did not count yet.
        begun = max((game for game, first in past.begun if first <= paid.seq), default=0)
        left = take_off(left, past.add_up(_WON, begun, newest))
        newest = min(begun, newest)
        then = past.read_payouts(paid.seq, newest)
        if past.left < 0:
            break
        settled |= {n: money for n, money in then.items() if money}
        now = add_up(past.add_up(_PAYOUT, n) for n in then)
        if not any(take_off(add_up([left, *then.values()]), now).values()):
            break
        left = take_off(left, outstanding([], book.name(paid)))
    owed = {n: payout_difference(settled[n], past.add_up(_PAYOUT, n)) for n in sorted(settled)}
    return {n: transfers for n, transfers in owed.items() if transfers}


class _Past:
    """The games of a table as they stood, of which `left` may still be read.

    `add_up` returns the öre by person that a query is answered with.
    """

    def __init__(self, connection: Connection, book: _Book) -> None:
        self.connection, self.book, self.left = connection, book, MOST_READ
        self.begun, self.changed = self.find(_BEGUN), dict(self.find(_CHANGED))
        self.read, self.replay = cache(self._read), cache(self._replay)
        self.add_up = cache(self._add_up)

    def find(self, sql: str, *values: int) -> list[Any]:
        """The rows that a query about the table is answered with."""
        return self.connection.execute(sql, [self.book.table.id, *values]).fetchall()

    def _add_up(self, sql: str, *values: int) -> Money:
        return by_person(dict(self.find(sql, *values)), self.book.persons)

    def read_payouts(self, until: int, newest: int) -> dict[int, Money]:
        """The payouts at a payment of those games that were changed later, by person."""
        changed = [n for n, last in self.changed.items() if last > until and 0 < n <= newest]
        return {n: self.replay(n, self._read_at(n, until)) for n in changed if self.left >= 0}

    def _read_at(self, number: int, until: int) -> tuple[ChangeRow, ...]:
        """The rows of a game that counted: after a payment nothing from before it is redone."""
        rows = sorted([*self.read(0), *self.read(number)], key=attrgetter("seq"))
        return tuple(row for row in rows if row.seq <= until < (row.undone or until + 1))

    def _read(self, number: int) -> list[ChangeRow]:
        rows = [ChangeRow(*row) for row in self.find(_ROWS, number)]
        self.left -= len(rows)
        return rows

    def _replay(self, number: int, rows: tuple[ChangeRow, ...]) -> Money:
        game = fold(rows).games.get(number)
        self.left -= A_GAME + len(rows) + len(game.entries if game else ())
        won = (game and payout(figures.play(game).states()[-1])) or {}
        return by_person({int(seat): won[seat] for seat in won}, self.book.persons)


class EveningResult(msgspec.Struct, frozen=True):
    """One evening's games for money that are over: öre won (+) or lost (−), by person.

    `running` is what each of them has won or lost over all evenings up to this one.
    """

    day: date
    amounts: Mapping[str, int]
    running: Mapping[str, int]

    @property
    def winners(self) -> list[str]:
        """The biggest winners; nobody where nobody won anything."""
        return _find_best(self.amounts)


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


def list_evenings(db: Database, link: str) -> list[EveningResult]:
    """Every evening at which a game for money came to its end, oldest first. Raises NotFound."""
    sql = """SELECT evening, person, SUM(ore) FROM seats WHERE table_id = ? AND stake_ore > 0
        GROUP BY evening, person ORDER BY evening, person"""
    evenings, running = [], dict[str, int]()
    with db.snapshot() as connection:
        table = find_access(connection, link, None)
        _, persons = people.resolve(connection, table.id)
        for day, rows in groupby(connection.execute(sql, [table.id]).fetchall(), itemgetter(0)):
            amounts = by_person({person: ore for _, person, ore in rows}, persons)
            running |= {name: running.get(name, 0) + ore for name, ore in amounts.items()}
            so_far = {name: running[name] for name in amounts}
            evenings.append(EveningResult(date.fromisoformat(day), amounts, so_far))
    return evenings


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


class EveningWinners(msgspec.Struct, frozen=True):
    """Whom an evening goes to: by öre where there was a stake (`money`), else by games won.

    Each of them has so `many`.
    """

    names: list[str]
    many: int
    money: bool


def find_winners(
    connection: Connection, table_id: int, persons: Persons, evenings: Iterable[date]
) -> dict[date, EveningWinners]:
    """Winners of some evenings; those without one are left out."""
    sql = """SELECT evening, person, SUM(ore), SUM(won), MAX(won * stake_ore) FROM seats
        WHERE table_id = ? AND evening IN (SELECT value FROM json_each(?))
        GROUP BY evening, person ORDER BY evening, MIN(game), MIN(seat)"""
    rows = connection.execute(sql, [table_id, to_json([*evenings])]).fetchall()
    found = {}
    for day, group in groupby(rows, itemgetter(0)):
        _, seated, ore, won, staked = zip(*group, strict=True)
        money = any(staked)
        sums = by_person(dict(zip(seated, ore if money else won, strict=True)), persons)
        if names := _find_best(sums):
            found[date.fromisoformat(day)] = EveningWinners(names, sums[names[0]], money)
    return found


def _find_best(sums: Mapping[str, int]) -> list[str]:
    """The people with most; nobody where nobody has anything."""
    most = max(sums.values(), default=0)
    return [name for name, each in sums.items() if each == most > 0]


# How money goes from one to another; and how a debt is paid: so, or in cash rounded to the coins
# there are, or let go.
MoneyWay = Literal["swish", "cash", "other"]
Method = Literal[MoneyWay, "written_off", "rounded"]
# The most that anybody may pay in advance at once, unless more is owed: a million kronor, or euros.
MOST_IN_ADVANCE = 100_000_000


class Settling(Change, frozen=True):
    """Payments that are recorded together."""

    of_ledger = True

    def choose(self, now: Ledger) -> Sequence[Payment]:
        """The payments, none where all is settled. Raises NotAllowed, BadFile."""
        raise NotImplementedError

    def make(self, now: ChangeContext) -> Proposal:
        """Record them. Raises NotAllowed, also for Swish where no kronor are; BadFile."""
        ledger = load_ledger(now.connection, now.table)
        payments = self.choose(ledger)
        if not payments:
            raise NotAllowed("all_settled")
        sql = """SELECT COALESCE(SUM(json_array_length(body)), 0) FROM changes
            WHERE table_id = ? AND game = 0 AND kind = 'pay'"""
        before = now.connection.find_number(sql, now.table.id)
        tables.check("too_many_payments", before + len(payments), tables.MAX_PAYMENTS)
        numbers = ledger.people.numbers
        body = [(numbers[p.payer], numbers[p.payee], p.ore, p.way) for p in payments]
        return Proposal("pay", 0, to_json(body), headroom=tables.HEADROOM)


class Pay(Settling, frozen=True):
    """A suggested payment, from payer to payee, is paid: whole, or `ore` öre of it."""

    between: tuple[str, str]
    method: Method
    ore: int | None = None

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment. Raises NotAllowed when that much is not owed, BadFile for nothing."""
        payer, payee = self.between
        debt = now.find_debt(self.between)
        if debt is None:
            raise NotAllowed("nothing_owed", player=payer, by=payee)
        ore = debt.ore if self.ore is None else self.ore
        if ore > debt.ore:
            most = Amount(debt.ore, now.currency)
            raise NotAllowed("pays_too_much", player=payer, by=payee, ore=most)
        return _pay(Transfer(payer, payee, ore), self.method, now.currency)


class PayAll(Settling, frozen=True):
    """Every suggested payment is paid, as one settlement."""

    method: Method

    def choose(self, now: Ledger) -> list[Payment]:
        """All payments."""
        return [each for debt in now.transfers for each in _pay(debt, self.method, now.currency)]


class PayInAdvance(Settling, frozen=True):
    """A payment of `ore` öre from one person to another, whether owed or not.

    An overpayment is owed back, until games have used it up.
    """

    between: tuple[str, str]
    way: PaymentWay
    ore: int

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment.

        Raises NotAllowed for one person alone and for more than MOST_IN_ADVANCE; BadFile for
        nothing at all, or somebody who never played here.
        """
        for name in self.between:
            if name not in now.people.canonical:
                raise BadFile("unknown_player", player=name)
        payer, payee = (now.people.canonical[name] for name in self.between)
        if payer == payee:
            raise NotAllowed("pays_oneself", player=payer)
        most = max(MOST_IN_ADVANCE, sum(map(abs, now.outstanding.values())))
        if self.ore > most:
            raise NotAllowed("advance_too_large", ore=Amount(most, now.currency))
        return _pay(Transfer(payer, payee, self.ore), self.way, now.currency)


def _pay(part: Transfer, method: Method | PaymentWay, currency: Currency) -> list[Payment]:
    if part.ore <= 0:
        raise BadFile("wrong_value", key="ore", value=part.ore)
    if method == "swish" and currency != swish.CURRENCY:
        raise NotAllowed("swish_in_kronor")
    if method == "rounded":
        return make_rounded_payment(part, currency)
    return make_payment(part, method)


class Unpay(Change, frozen=True):
    """The settlement of version `settlement` is owed again; it stays in the ledger, marked."""

    of_ledger = True

    settlement: int

    def make(self, now: ChangeContext) -> Proposal:
        """Take it back. Raises NotAllowed when it has been already, or never was."""
        paid = fold(log.read_settings(now.connection, now.table.id)).payments.get(self.settlement)
        if paid is None or paid.undone:
            raise NotAllowed("no_such_payment")
        return Proposal("unpay", 0, str(self.settlement), headroom=tables.HEADROOM)
