"""A table's ledger: payouts of its games, payments, and the debts left to settle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from itertools import compress, groupby
from operator import attrgetter, itemgetter
from typing import Literal
from urllib.parse import quote

import msgspec

from app.rules.errors import BadFile, NotAllowed
from app.rules.settlement import (
    Amount,
    Currency,
    Money,
    Payment,
    SettlementResult,
    Transfer,
    add_up,
    by_person,
    make_payment,
    make_rounded_payment,
    outstanding,
    payout,
    payout_difference,
    transfers,
    write_settlement,
)
from app.services import figures, people, tables
from app.services.commit import Change, Now, Proposal
from app.services.fold import Fold, GameLog, Payments, fold, to_json
from app.services.people import People
from app.services.tables import Access, Write, find_access, require_pen
from app.store import clock, log
from app.store.clock import evening_of
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeRow

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


class Ledger(msgspec.Struct, frozen=True):
    """Everything a table's people have won, lost and paid, oldest first.

    `seq` is the table's version; amounts are öre, or cents, of its `currency`. The `evenings` are
    those of games; one at which nothing is recorded counts if alone. `adjustments` are who is to
    pay whom for games, by number, that were mended after they were settled.
    """

    name: str
    seq: int
    currency: Currency
    people: People
    evenings: list[date]
    lines: list[LedgerLine]
    settlements: tuple[Settlement, ...]
    adjustments: Mapping[int, list[Transfer]]

    @property
    def outstanding(self) -> dict[str, int]:
        """The öre left to settle for each person; the sum is zero."""
        return self.left_before(date.max)

    @property
    def transfers(self) -> list[Transfer]:
        """The fewest payments that settle everything."""
        return transfers(self.outstanding)

    @property
    def carries_over(self) -> bool:
        """Whether something was left to settle when the newest evening began."""
        return any(self.left_before(self.evenings[-1]).values())

    def left_before(self, day: date) -> dict[str, int]:
        """The öre left to settle for each person when an evening began."""
        payouts = (line.payout or {} for line in self.lines if line.evening < day)
        settled = (each for each in self.settlements if each.evening < day and not each.undone)
        return outstanding(payouts, [payment for each in settled for payment in each.payments])

    @property
    def has_money(self) -> bool:
        """Whether anything was ever played for money here."""
        return bool(self.settlements) or any(line.stake_ore for line in self.lines)


def read_ledger(db: Database, link: str) -> Ledger:
    """The ledger of the table behind a link. Raises NotFound."""
    with db.snapshot() as connection:
        return load_ledger(connection, find_access(connection, link, None))


def settle(db: Database, link: str) -> SettlementResult:
    """Settle a table's ended games by name, payments aside, as `chicago-settlement/1`.

    Raises NotFound.
    """
    with db.snapshot() as connection:
        table_id = find_access(connection, link, None).id
        unended = fold(log.read_unended(connection, table_id))
        names, _ = people.resolve(connection, table_id)
        return write_settlement(add_payouts(read_lines(connection, table_id, unended, names)))


def load_ledger(connection: Connection, table: Access) -> Ledger:
    """The ledger of a table."""
    unended = fold(log.read_unended(connection, table.id))
    _, persons = people.resolve(connection, table.id)
    lines = read_lines(connection, table.id, unended, persons)
    begun = [line for line in lines if line.begun]
    evenings = sorted({line.evening for line in begun or lines})
    settlements = tuple(_settlement(each, persons, evenings) for each in unended.payments.values())
    return Ledger(
        table.name,
        table.seq,
        table.currency,
        people.find_people(connection, table.id, unended),
        evenings,
        sorted(lines, key=attrgetter("evening", "number")),
        settlements,
        _find_adjustments(connection, table.id, persons, lines, settlements),
    )


def read_lines(
    connection: Connection, table_id: int, unended: Fold, persons: Persons
) -> list[LedgerLine]:
    """A table's games by their figures, and `unended` ones replayed, in the order of numbers."""
    sql = """SELECT game, begun_at, stake_ore, broken_off, person, score, ore, won FROM seats
        WHERE table_id = ? ORDER BY game, seat"""
    rows = connection.execute(sql, [table_id]).fetchall()
    lines = [_replay(game, persons) for game in unended.games.values()]
    for number, group in groupby(rows, itemgetter(0)):
        _, at, stake_ore, broken_off, seated, scores, ore, won = zip(*group, strict=True)
        if max(map(abs, (*scores, *ore))) >= figures.MOST:
            game = fold(log.read_game(connection, table_id, number)).games[number]
            lines.append(_replay(game, persons))
            continue
        lines.append(
            LedgerLine(
                number,
                at[0],
                evening_of(at[0]),
                stake_ore[0],
                seated,
                by_person(dict(zip(seated, scores, strict=True)), persons),
                by_person(dict(zip(seated, ore, strict=True)), persons),
                tuple(persons[winner] for winner in compress(seated, won)),
                bool(broken_off[0]),
            )
        )
    return sorted(lines, key=attrgetter("number"))


def _replay(game: GameLog, persons: Persons) -> LedgerLine:
    whose = {str(number): persons[number] for number in game.seated}
    end = figures.play(game).states()[-1]
    paid = payout(end)
    return LedgerLine(
        game.number,
        game.begun_at,
        evening_of(game.begun_at),
        end.setup.stake_ore,
        game.seated,
        by_person(end.scores, whose),
        None if paid is None else by_person(paid, whose),
        tuple(whose[winner] for winner in end.winners),
        figures.is_broken_off(end),
        begun=bool(game.entries),
    )


def add_payouts(lines: Iterable[LedgerLine]) -> dict[str, int]:
    """The öre that games that are over brought each person."""
    return add_up(line.payout or {} for line in lines)


def _settlement(paid: Payments, persons: Persons, evenings: Sequence[date]) -> Settlement:
    at = clock.local(paid.paid_at)
    day = evening_of(at)
    evening = max((each for each in evenings if each <= day), default=day)
    payments = tuple(
        Payment(persons[payer], persons[payee], ore, way)
        for payer, payee, ore, way in paid.payments
    )
    return Settlement(paid.seq, at, evening, payments, paid.undone)


# Games that were changed since a version, and when each was begun; one revised ever, in any case.
_CHANGED = """SELECT number, (SELECT MIN(seq) FROM changes WHERE table_id = ?1 AND game = number)
    FROM (SELECT game AS number FROM changes WHERE table_id = ?1 AND seq > ?2 AND game > 0
        UNION SELECT body ->> '$.game' FROM changes
        WHERE table_id = ?1 AND game = 0 AND kind = 'revise')"""


def _find_adjustments(
    connection: Connection,
    table_id: int,
    persons: Persons,
    lines: Iterable[LedgerLine],
    settlements: Iterable[Settlement],
) -> dict[int, list[Transfer]]:
    """Adjustments by game: who is to pay whom where a game was mended after it was settled.

    A debt once settled in full, adjustments included, stays settled: so payments are gone
    through from the newest to that one. Only games that have changed since are replayed, each
    version once, so a long past costs little.
    """

    @cache
    def replay(number: int, rows: tuple[ChangeRow, ...]) -> Money:
        game = fold(rows).games.get(number)
        return (game and _replay(game, persons).payout) or {}

    now = {line.number: line.payout or {} for line in lines}
    settled: dict[int, Money] = {}
    paid = [each for each in settlements if not each.undone]
    while paid:
        seq, then = paid[-1].seq, dict[int, Money](now)
        for number, first in connection.execute(_CHANGED, [table_id, seq]).fetchall():
            if number in now:
                rows = log.read_game(connection, table_id, number, seq) if first <= seq else []
                then[number] = replay(number, tuple(rows))
                if then[number]:
                    settled[number] = then[number]
        payments = [payment for each in paid for payment in each.payments]
        if not any(outstanding(then.values(), payments).values()):
            break
        paid.pop()
    owed = {number: payout_difference(settled[number], now[number]) for number in sorted(settled)}
    return {number: transfers for number, transfers in owed.items() if transfers}


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


def list_evenings(ledger: Ledger) -> list[EveningResult]:
    """Every evening at which a game for money came to its end, oldest first."""
    evenings, running = [], dict[str, int]()
    staked = (line for line in ledger.lines if line.stake_ore and line.payout is not None)
    for day, lines in groupby(staked, attrgetter("evening")):
        sums = add_payouts(lines)
        # In the order in which people came to the table.
        amounts = {name: sums[name] for name in ledger.people.persons if name in sums}
        running = add_up([running, amounts])
        evenings.append(EveningResult(day, amounts, {name: running[name] for name in amounts}))
    return evenings


def list_people(ledger: Ledger, evenings: Sequence[EveningResult]) -> list[PersonResult]:
    """The people who have played for money at these evenings, the biggest winner first."""
    left, people = ledger.outstanding, []
    for name in ledger.people.persons:
        if played := [each for each in reversed(evenings) if name in each.amounts]:
            ore = [each.amounts[name] for each in played]
            best, worst = (played[ore.index(most)] for most in (max(ore), min(ore)))
            owed = left.get(name, 0)
            people.append(PersonResult(name, sum(ore), len(played), best, worst, owed))
    return sorted(people, key=lambda person: -person.ore)


class EveningWinners(msgspec.Struct, frozen=True):
    """Whom an evening goes to: by öre where there was a stake (`money`), else by games won.

    Each of them has so `many`.
    """

    names: list[str]
    many: int
    money: bool


def find_winners(lines: Iterable[LedgerLine]) -> dict[date, EveningWinners]:
    """Whom each evening goes to that goes to anybody."""
    found, evening = {}, attrgetter("evening")
    won = sorted((line for line in lines if line.winners), key=evening)
    for day, group in groupby(won, evening):
        theirs = [*group]
        money = any(line.stake_ore for line in theirs)
        wins = ({name: name in line.winners for name in line.scores} for line in theirs)
        sums = add_payouts(theirs) if money else add_up(wins)
        if names := _find_best(sums):
            found[day] = EveningWinners(names, sums[names[0]], money)
    return found


def _find_best(sums: Mapping[str, int]) -> list[str]:
    """The people with most; nobody where nobody has anything."""
    most = max(sums.values(), default=0)
    return [name for name, each in sums.items() if each == most > 0]


# How money goes from one to another; and how a debt is paid: so, or in cash rounded to the coins
# there are, or let go.
MoneyWay = Literal["swish", "cash", "other"]
Method = Literal[MoneyWay, "written_off", "rounded"]
# The most that anybody may pay in advance at once: a million kronor, or euros.
MOST_IN_ADVANCE = 100_000_000


class Settling(Change, frozen=True):
    """Payments that are recorded together."""

    def choose(self, now: Ledger) -> Sequence[Payment]:
        """The payments, none where all is settled. Raises NotAllowed, BadFile."""
        raise NotImplementedError

    def make(self, now: Now) -> Proposal:
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
        return Proposal("pay", 0, to_json(body), spare=tables.SPARE)


class Pay(Settling, frozen=True):
    """A suggested payment, from payer to payee, is paid: whole, or `ore` öre of it."""

    between: tuple[str, str]
    method: Method
    ore: int | None = None

    def choose(self, now: Ledger) -> list[Payment]:
        """The payment. Raises NotAllowed when that much is not owed, BadFile for nothing."""
        payer, payee = self.between
        debt = next((t for t in now.transfers if (t.payer, t.payee) == self.between), None)
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
    way: MoneyWay
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
        if self.ore > MOST_IN_ADVANCE:
            raise NotAllowed("advance_too_large", ore=Amount(MOST_IN_ADVANCE, now.currency))
        return _pay(Transfer(payer, payee, self.ore), self.way, now.currency)


def _pay(part: Transfer, method: Method, currency: Currency) -> list[Payment]:
    if part.ore <= 0:
        raise BadFile("wrong_value", key="ore", value=part.ore)
    if method == "swish" and currency != CURRENCY:
        raise NotAllowed("swish_in_kronor")
    if method == "rounded":
        return make_rounded_payment(part, currency)
    return make_payment(part, method)


class Unpay(Change, frozen=True):
    """The settlement of version `settlement` is owed again; it stays in the ledger, marked."""

    settlement: int

    def make(self, now: Now) -> Proposal:
        """Take it back. Raises NotAllowed when it has been already, or never was."""
        paid = fold(log.read_settings(now.connection, now.table.id)).payments.get(self.settlement)
        if paid is None or paid.undone:
            raise NotAllowed("no_such_payment")
        return Proposal("unpay", 0, str(self.settlement), spare=tables.SPARE)


def find_swish_number(db: Database, table_id: int, name: str) -> str | None:
    """The Swish number of somebody who is to be paid, None while it is not known."""
    sql = """SELECT own.swish FROM people AS own JOIN people AS named
            ON named.table_id = own.table_id AND named.number = COALESCE(own.called, own.number)
        WHERE own.table_id = ? AND named.name = ? ORDER BY own.number LIMIT 1"""
    row = db.connection.execute(sql, [table_id, name]).fetchone()
    return row[0] if row else None


def save_swish_number(db: Database, write: Write, name: str, text: str) -> None:
    """Save somebody's Swish number for payments at this table; no text deletes it.

    It is in no log, so that it can be deleted. Raises BadFile when Swish would not take it, NoPen,
    NotFound.
    """
    number = read_number(text) if text.strip() else None
    with db.transaction() as connection:
        table = require_pen(connection, write)
        known = load_ledger(connection, table).people
        if name not in known.persons:
            raise BadFile("unknown_player", player=name)
        connection.table("people").update((table.id, known.numbers[name]), {"swish": number})


CURRENCY: Currency = "SEK"
LEAST_ORE, MOST_ORE = 100, 99_999_999
LONGEST_MESSAGE = 50


def read_number(text: str) -> str:
    """A number as Swish takes it, however it was typed: `0701234567`. Raises BadFile."""
    plain = re.sub(r"[\s()/.–-]", "", text)
    plain = re.sub(r"^(\+|00)460?", "0", plain)
    # A mobile number, or one of the numbers that Swish gives companies and clubs.
    if not re.fullmatch(r"07[0-9]{8}|123[0-9]{7}", plain):
        raise BadFile("swish_number_unreadable")
    return plain


def format_number(number: str) -> str:
    """A number as people read it: `070-123 45 67`."""
    return f"{number[:3]}-{number[3:6]} {number[6:8]} {number[8:]}"


def accepts(ore: int, currency: Currency) -> bool:
    """Whether Swish takes an amount: 1 krona to 999 999,99."""
    return currency == CURRENCY and LEAST_ORE <= ore <= MOST_ORE


def message(text: str) -> str:
    """A text as Swish takes it: letters, digits and a few marks, 50 characters at most."""
    return re.sub(r"[^\w!?(),.:; -]|_", "", text)[:LONGEST_MESSAGE].strip()


def amount(ore: int) -> str:
    """An amount as Swish takes it: `49.5`."""
    kronor, rest = divmod(ore, 100)
    return f"{kronor}.{rest:02}".rstrip("0").rstrip(".")


def payment_url(number: str, ore: int, text: str) -> str:
    """The content of a QR code that opens Swish with everything filled in.

    The amount and the message can be changed there.
    """
    return (
        f"https://app.swish.nu/1/p/sw/?sw={number}&amt={amount(ore)}&cur=SEK"
        f"&msg={quote(message(text), safe='')}&edit=amt,msg&src=qr"
    )
