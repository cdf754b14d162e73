"""A table's ledger: what its games brought and cost, what was paid, and what is left to settle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby

import msgspec

from app import store
from app.rules.balances import (
    Money,
    Payment,
    by_person,
    outstanding,
    payout_difference,
    settled_payouts,
)
from app.rules.currency import Currency
from app.rules.game import replay
from app.rules.settlement import Transfer, add_up, payout, transfers, write_settlement
from app.rules.state import GameState
from app.services.evening import evening_of
from app.services.game_states import deserialize_events, effective_events
from app.services.people import People, people_of
from app.services.serialization import deserialize_setup
from app.services.sheets import find_events_at
from app.services.statistics import MOST
from app.services.tables import find_table
from app.store import clock
from app.store.connection import Connection
from app.store.database import Database
from app.store.games import EventRow, GameRow
from app.store.payments import PaymentRow
from app.store.statistics import ResultRow
from app.store.tables import TableRow


class LedgerLine(msgspec.Struct, frozen=True):
    """One game: points, and öre won (+) or lost (−), by person; `payout` is None until over.

    `winners` are persons; a game that is not over has none, nor has one broken off as void.
    `begun` is whether anything is recorded in it.
    """

    number: int
    evening: date
    stake_ore: int
    scores: dict[str, int]
    payout: dict[str, int] | None
    winners: tuple[str, ...]
    begun: bool = True


class Settlement(msgspec.Struct, frozen=True):
    """Payments recorded together. `evening` is the one they settle, `undone` if taken back."""

    seq: int
    paid_at: datetime
    evening: date
    payments: tuple[Payment, ...]
    undone: bool


class Adjustment(msgspec.Struct, frozen=True):
    """A game mended after it was settled, and who is to pay whom for that."""

    number: int
    transfers: list[Transfer]


class Ledger(msgspec.Struct, frozen=True):
    """Everything a table's people have won, lost and paid, oldest first.

    `seq` is the table's version; amounts are öre, or cents, of its `currency`.
    """

    name: str
    seq: int
    currency: Currency
    people: People
    lines: tuple[LedgerLine, ...]
    settlements: tuple[Settlement, ...]
    adjustments: tuple[Adjustment, ...]

    @property
    def payments(self) -> list[Payment]:
        """The payments that count."""
        return [p for each in self.settlements if not each.undone for p in each.payments]

    @property
    def outstanding(self) -> dict[str, int]:
        """The öre left to settle for each person; the sum is zero."""
        return outstanding((line.payout or {} for line in self.lines), self.payments)

    @property
    def transfers(self) -> list[Transfer]:
        """The fewest payments that settle everything."""
        return transfers(self.outstanding)

    @property
    def evenings(self) -> list[date]:
        """When there were games, oldest first."""
        return _list_evenings(self.lines)

    @property
    def carries_over(self) -> bool:
        """Whether something was left to settle when the newest evening began."""
        return any(self.left_before(self.evenings[-1]).values())

    def left_before(self, day: date) -> dict[str, int]:
        """The öre left to settle for each person when an evening began."""
        payouts = (line.payout or {} for line in self.lines if line.evening < day)
        settled = [each for each in self.settlements if each.evening < day and not each.undone]
        return outstanding(payouts, [p for each in settled for p in each.payments])

    @property
    def has_money(self) -> bool:
        """Whether anything was ever played for money here."""
        return bool(self.settlements) or any(line.stake_ore for line in self.lines)


def read_ledger(db: Database, link: str) -> Ledger:
    """The ledger of the table behind a link. Raises NotFound."""
    with db.snapshot() as connection:
        return load_ledger(connection, find_table(connection, link))


def read_endings(db: Database, link: str) -> tuple[Ledger, frozenset[int]]:
    """A table's ledger, and the numbers of the games that were broken off. Raises NotFound."""
    with db.snapshot() as connection:
        table = find_table(connection, link)
        return load_ledger(connection, table), store.games.find_broken_off(connection, table.id)


def settle(db: Database, link: str) -> dict[str, object]:
    """Settle a table's ended games, by name and whatever was paid, as `chicago-settlement/1`.

    Raises NotFound.
    """
    with db.snapshot() as connection:
        table = find_table(connection, link)
        lines = _lines(connection, store.games.find_all(connection, table.id), persons={})
    return write_settlement(add_payouts(lines))


def load_ledger(connection: Connection, table: TableRow) -> Ledger:
    """The ledger of a table."""
    game_rows = store.games.find_all(connection, table.id)
    people = people_of(connection, table.id, game_rows)
    lines = _lines(connection, game_rows, people.canonical)
    evenings = _list_evenings(lines)
    settlements = _settlements(store.payments.find_all(connection, table.id), people, evenings)
    adjustments = _adjustments(connection, game_rows, lines, settlements, people)
    lines.sort(key=lambda line: (line.evening, line.number))
    return Ledger(
        table.name,
        table.seq,
        table.currency,
        people,
        tuple(lines),
        tuple(settlements),
        tuple(adjustments),
    )


def add_payouts(lines: Iterable[LedgerLine]) -> dict[str, int]:
    """The öre that games that are over brought each person."""
    return add_up(line.payout or {} for line in lines)


def _list_evenings(lines: Iterable[LedgerLine]) -> list[date]:
    """The evenings of games, oldest first; one at which nothing is recorded counts if alone."""
    lines = [*lines]
    begun = [line for line in lines if line.begun]
    return sorted({line.evening for line in begun or lines})


def _lines(
    connection: Connection, game_rows: Sequence[GameRow], persons: Mapping[str, str]
) -> list[LedgerLine]:
    """How each game stands: by its statistics where it has any, else replayed.

    `persons` leads from names to persons; without one a name stands for itself.
    """
    rows = store.statistics.find_results(connection, game_rows[0].table_id)
    results = {game_id: list(seats) for game_id, seats in groupby(rows, lambda row: row.game_id)}
    return [
        _read_line(game, results[game.id], persons)
        if game.id in results and _is_exact(results[game.id])
        else _replay_line(connection, game, persons)
        for game in game_rows
    ]


def _is_exact(seats: Sequence[ResultRow]) -> bool:
    """Whether nothing of a game's statistics was too large for the database."""
    return all(max(abs(seat.score), abs(seat.ore)) < MOST for seat in seats)


def _read_line(game: GameRow, seats: Sequence[ResultRow], persons: Mapping[str, str]) -> LedgerLine:
    scores = by_person({seat.name: seat.score for seat in seats}, persons)
    amounts = by_person({seat.name: seat.ore for seat in seats}, persons)
    winners = tuple(persons.get(seat.name, seat.name) for seat in seats if seat.won)
    evening = evening_of(game.begun_at)
    return LedgerLine(game.number, evening, seats[0].stake_ore, scores, amounts, winners)


def _replay_line(connection: Connection, game: GameRow, persons: Mapping[str, str]) -> LedgerLine:
    rows = effective_events(store.games.find_events(connection, game.id))
    end = _replay(game, rows)
    scores = by_person({seat.name: seat.score for seat in end.seats}, persons)
    evening = evening_of(game.begun_at)
    winners = tuple(persons.get(name, name) for name in end.winners)
    paid = _payout(end, persons)
    stake = end.setup.stake_ore
    return LedgerLine(game.number, evening, stake, scores, paid, winners, begun=bool(rows))


def _replay(game: GameRow, rows: Sequence[EventRow]) -> GameState:
    setup = deserialize_setup(game.setup)
    return replay(setup, deserialize_events(game.setup, rows))[-1]


def _payout(end: GameState, persons: Mapping[str, str]) -> dict[str, int] | None:
    by_name = payout(end)
    return None if by_name is None else by_person(by_name, persons)


def _settlements(
    rows: Sequence[PaymentRow], people: People, evenings: Sequence[date]
) -> list[Settlement]:
    """All payments, those recorded together as one settlement."""
    together = groupby(rows, lambda row: row.seq)
    return [_settlement(list(group), people, evenings) for _, group in together]


def _settlement(rows: Sequence[PaymentRow], people: People, evenings: Sequence[date]) -> Settlement:
    at = clock.local(rows[0].paid_at)
    day = evening_of(at)
    before = [evening for evening in evenings if evening <= day]
    whose = people.canonical
    payments = tuple(
        Payment(whose.get(r.payer, r.payer), whose.get(r.payee, r.payee), r.ore, r.way)
        for r in rows
    )
    evening = before[-1] if before else day
    return Settlement(rows[0].seq, at, evening, payments, rows[0].undone_seq is not None)


def _adjustments(
    connection: Connection,
    game_rows: Sequence[GameRow],
    lines: Sequence[LedgerLine],
    settlements: Sequence[Settlement],
    people: People,
) -> list[Adjustment]:
    """Games whose payout is no longer what it was when something was paid after them.

    Whatever had been settled in full, adjustments included, is settled.
    """
    counting = [settlement for settlement in settlements if not settlement.undone]
    if not counting:
        return []
    history = _History(connection, game_rows, people.canonical)
    marks = _marks(history, [line.payout for line in lines], counting)
    differences = [
        Adjustment(line.number, payout_difference(settled, line.payout or {}))
        for line, settled in zip(lines, settled_payouts(marks, len(lines)), strict=True)
        if settled is not None
    ]
    return [difference for difference in differences if difference.transfers]


def _marks(
    history: _History, now: Sequence[Money | None], settlements: Sequence[Settlement]
) -> list[list[Money | None]]:
    """Every game's payout at each settlement since the last one that left nothing to settle."""
    marks: list[list[Money | None]] = []
    total = add_up(payout or {} for payout in now)
    for count in range(len(settlements), 0, -1):
        then = history.payouts_at(settlements[count - 1].seq)
        marks.append([then.get(n, payout) for n, payout in enumerate(now)])
        changes = [money for n in then for money in (then[n] or {}, _negative(now[n] or {}))]
        payments = [payment for past in settlements[:count] for payment in past.payments]
        if not any(outstanding([total, *changes], payments).values()):
            break
    return marks[::-1]


def _negative(money: Money) -> Money:
    return {name: -ore for name, ore in money.items()}


class _History:
    """The payouts of a table's games at earlier versions of the table, by person.

    Only what has changed since is replayed, so a long past costs little.
    """

    def __init__(
        self, connection: Connection, game_rows: Sequence[GameRow], persons: Mapping[str, str]
    ) -> None:
        self._connection, self._games, self._persons = connection, game_rows, persons
        self._changes = store.games.find_changes(connection, game_rows[0].table_id)
        self._payouts: dict[tuple[int, frozenset[int]], Money | None] = {}

    def payouts_at(self, seq: int) -> Mapping[int, Money | None]:
        """The payout at a version of each game changed since, by its place; None: not over."""
        return {
            n: self._payout_at(game, seq)
            for n, game in enumerate(self._games)
            if game.id in self._changes and self._changes[game.id].last_seq > seq
        }

    def _payout_at(self, game: GameRow, seq: int) -> Money | None:
        if self._changes[game.id].first_seq > seq:
            return None
        version = game.id, store.games.find_counting_at(self._connection, game.id, seq)
        if version not in self._payouts:
            rows = find_events_at(self._connection, game.id, seq)
            self._payouts[version] = _payout(_replay(game, rows), self._persons)
        return self._payouts[version]
