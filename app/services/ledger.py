"""A table's ledger: what its games brought and cost, what was paid, and what is left to settle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from itertools import compress, groupby
from operator import attrgetter, itemgetter

import msgspec

from app.rules.balances import (
    Money,
    Payment,
    by_person,
    outstanding,
    payout_difference,
)
from app.rules.currency import Currency
from app.rules.settlement import Transfer, add_up, payout, transfers, write_settlement
from app.services import figures, people
from app.services.evening import evening_of
from app.services.fold import Fold, GameLog, Payments, fold
from app.services.people import People
from app.services.tables import Access, find_access
from app.store import clock, log
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import Row

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


def settle(db: Database, link: str) -> dict[str, object]:
    """Settle a table's ended games, by name and whatever was paid, as `chicago-settlement/1`.

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
        by_person({seat.name: seat.score for seat in end.seats}, whose),
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
    """By game, who is to pay whom for what was mended after it was settled.

    Whatever had been settled in full, adjustments included, is settled: so payments are gone
    through from the newest to that one. Only games that have changed since are replayed, each
    version once, so a long past costs little.
    """

    @cache
    def replay(number: int, rows: tuple[Row, ...]) -> Money:
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
        """Who won most; nobody where nobody won anything."""
        return _find_best(self.amounts)


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
    evenings, running = [], dict[str, int]()
    staked = (line for line in ledger.lines if line.stake_ore and line.payout is not None)
    for day, lines in groupby(staked, attrgetter("evening")):
        sums = add_payouts(lines)
        # Whoever came first to the table stands first.
        amounts = {name: sums[name] for name in ledger.people.persons if name in sums}
        running = add_up([running, amounts])
        evenings.append(EveningResult(day, amounts, {name: running[name] for name in amounts}))
    return evenings


def list_people(ledger: Ledger, evenings: Sequence[EveningResult]) -> list[PersonResult]:
    """Whoever has played for money at these evenings, who has won most first."""
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
    """Who has most; nobody where nobody has anything."""
    most = max(sums.values(), default=0)
    return [name for name, each in sums.items() if each == most > 0]
