"""A table's ledger: what its games brought and cost, what was paid, and what is left to settle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from itertools import groupby
from weakref import WeakKeyDictionary

import msgspec

from app.rules.balances import (
    Money,
    Payment,
    by_person,
    outstanding,
    payout_difference,
    settled_payouts,
)
from app.rules.game import replay
from app.rules.settlement import Transfer, add_up, payout, transfers
from app.services.evening import evening_of
from app.services.people import People, list_people
from app.services.serialization import deserialize_event, deserialize_setup
from app.services.tables import NotFound, hash_secret
from app.store import payments
from app.store.database import Pool, TableRow
from app.store.payments import DatedRow, VersionRow

MOST_KEPT = 50_000


class Outcome(msgspec.Struct, frozen=True):
    """A game as the ledger sees it; `payout` is None until it is over, both by player."""

    stake_ore: int
    scores: dict[str, int]
    payout: dict[str, int] | None


class Line(msgspec.Struct, frozen=True):
    """One game: points, and öre won (+) or lost (−), by person; `payout` is None until over."""

    number: int
    evening: date
    stake_ore: int
    scores: dict[str, int]
    payout: dict[str, int] | None


class Settlement(msgspec.Struct, frozen=True):
    """Payments recorded together. `evening` is the one they settle, `undone` if taken back."""

    seq: int
    paid_at: datetime
    evening: date
    payments: tuple[Payment, ...]
    undone: bool


class Correction(msgspec.Struct, frozen=True):
    """A game mended after it was settled, and who is to pay whom for that."""

    number: int
    transfers: list[Transfer]


class Ledger(msgspec.Struct, frozen=True):
    """Everything a table's people have won, lost and paid, oldest first.

    `seq` is the table's version.
    """

    name: str
    seq: int
    people: People
    lines: tuple[Line, ...]
    settlements: tuple[Settlement, ...]
    corrections: tuple[Correction, ...]

    @property
    def payments(self) -> list[Payment]:
        """The payments that count."""
        return [p for settled in self.settlements if not settled.undone for p in settled.payments]

    @property
    def outstanding(self) -> dict[str, int]:
        """What is left to settle for each person, in öre; the sum is zero."""
        return outstanding((line.payout or {} for line in self.lines), self.payments)

    @property
    def transfers(self) -> list[Transfer]:
        """The fewest payments that settle everything."""
        return transfers(self.outstanding)

    @property
    def evenings(self) -> list[date]:
        """When there were games, oldest first."""
        return sorted({line.evening for line in self.lines})

    @property
    def has_money(self) -> bool:
        """Whether anything was ever played for money here."""
        return bool(self.settlements) or any(line.stake_ore for line in self.lines)


def read_ledger(pool: Pool, link: str) -> Ledger:
    """The ledger of the table behind a link. Raises NotFound."""
    with pool.reading():
        return load_ledger(pool, _table(pool, link))


def _table(pool: Pool, link: str) -> TableRow:
    table = pool.table(hash_secret(link))
    if table is None:
        raise NotFound("no_such_table")
    return table


def load_ledger(pool: Pool, table: TableRow) -> Ledger:
    """The ledger of a table."""
    known, games = list_people(pool, table.id), payments.versions(pool, table.id)
    lines = [_line(game, _outcome(pool, game), known) for game in games]
    lines.sort(key=lambda line: (line.evening, line.number))
    settlements = _settlements(pool, table.id, known, sorted({line.evening for line in lines}))
    return Ledger(
        table.name,
        table.seq,
        known,
        tuple(lines),
        tuple(settlements),
        tuple(_corrections(pool, games, settlements, known)),
    )


_outcomes: WeakKeyDictionary[Pool, dict[tuple[VersionRow, int], Outcome]] = WeakKeyDictionary()


def _outcome(pool: Pool, game: VersionRow) -> Outcome:
    """How a game stands, played through only once for each of its versions."""
    return _kept(pool, game, game.changed, lambda row: row.counts)


def _outcome_at(pool: Pool, game: VersionRow, seq: int) -> Outcome:
    """How a game stood at an earlier version of the table."""
    return _kept(pool, game, seq, lambda row: row.counted_at(seq))


def _kept(pool: Pool, game: VersionRow, seq: int, counts: Callable[[DatedRow], bool]) -> Outcome:
    kept, key = _outcomes.setdefault(pool, {}), (game, seq)
    if key not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = _played(pool, game, counts)
    return kept[key]


def _played(pool: Pool, game: VersionRow, counts: Callable[[DatedRow], bool]) -> Outcome:
    setup = deserialize_setup(game.setup)
    rows = payments.dated_events(pool, game.id)
    end = replay(setup, [deserialize_event(row.body, setup) for row in rows if counts(row)])[-1]
    return Outcome(setup.stake_ore, {s.name: s.score for s in end.seats}, payout(end))


def _line(game: VersionRow, outcome: Outcome, known: People) -> Line:
    return Line(
        game.number,
        evening_of(game.begun_at),
        outcome.stake_ore,
        by_person(outcome.scores, known.canonical),
        None if outcome.payout is None else by_person(outcome.payout, known.canonical),
    )


def _settlements(
    pool: Pool, table_id: int, known: People, evenings: Sequence[date]
) -> list[Settlement]:
    """All payments, those recorded together as one settlement."""
    rows = payments.payments(pool, table_id)
    return [
        _settlement(list(group), known, evenings) for _, group in groupby(rows, lambda row: row.seq)
    ]


def _settlement(
    rows: list[payments.PaymentRow], known: People, evenings: Sequence[date]
) -> Settlement:
    at = datetime.fromisoformat(rows[0].paid_at).astimezone()
    day = evening_of(at)
    before = [evening for evening in evenings if evening <= day]
    whose = known.canonical
    made = tuple(
        Payment(whose.get(r.payer, r.payer), whose.get(r.payee, r.payee), r.ore, r.way)
        for r in rows
    )
    evening = before[-1] if before else day
    return Settlement(rows[0].seq, at, evening, made, rows[0].undone_seq is not None)


def _corrections(
    pool: Pool, games: Sequence[VersionRow], settlements: Sequence[Settlement], known: People
) -> list[Correction]:
    """Games whose payout is no longer what it was when something was paid after them.

    Whatever had been settled in full, corrections included, is settled.
    """
    now = [_payout(_outcome(pool, game), known) for game in games]
    counting = [made for made in settlements if not made.undone]
    marks = _marks(pool, games, now, counting, known)
    found = []
    for n, was in enumerate(settled_payouts(marks, len(games))):
        if was is not None and (owed := payout_difference(was, now[n] or {})):
            found.append(Correction(games[n].number, owed))
    return found


def _marks(
    pool: Pool,
    games: Sequence[VersionRow],
    now: Sequence[Money | None],
    settlements: Sequence[Settlement],
    known: People,
) -> list[list[Money | None]]:
    """What every game paid at each settlement since the last one that left nothing to settle."""
    marks: list[list[Money | None]] = []
    total = add_up(payout or {} for payout in now)
    for count in range(len(settlements), 0, -1):
        seq = settlements[count - 1].seq
        # Only what has changed since is played again, so a long past costs little.
        changed = [n for n, game in enumerate(games) if game.changed > seq]
        mark = list(now)
        for n in changed:
            mark[n] = _payout(_outcome_at(pool, games[n], seq), known)
        marks.append(mark)
        since = [money for n in changed for money in (mark[n] or {}, _negative(now[n] or {}))]
        before = [payment for past in settlements[:count] for payment in past.payments]
        if not any(outstanding([total, *since], before).values()):
            break
    return marks[::-1]


def _negative(money: Money) -> Money:
    return {name: -ore for name, ore in money.items()}


def _payout(outcome: Outcome, known: People) -> Money | None:
    return None if outcome.payout is None else by_person(outcome.payout, known.canonical)
