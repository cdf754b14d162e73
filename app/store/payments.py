"""The people of a table and what they have paid each other, in the same database as its games.

Payments name people by their keys, so that a name stands in as few places as can be.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from app.store.database import Pool, now

Way = Literal["swish", "cash", "other", "rounding", "written_off"]


class PersonRow(msgspec.Struct, frozen=True):
    """A name at a table; `same_as` is the key of the name it is merged into.

    `swish` is the number that payments to this person go to, None while nobody has told it.
    """

    id: int
    name: str
    same_as: int | None
    swish: str | None


class PaymentRow(msgspec.Struct, frozen=True):
    """One payment in öre; those of one settlement share their `seq`.

    `undone_seq` is None while the payment counts.
    """

    seq: int
    payer: str
    payee: str
    ore: int
    way: Way
    paid_at: str
    undone_seq: int | None


class VersionRow(msgspec.Struct, frozen=True):
    """A game with what tells its versions apart: its newest event, and how many count.

    `changed` is the newest change of the table that touched what was recorded, 0 if none did.
    """

    id: int
    number: int
    uid: str
    setup: str
    begun_at: str
    newest: int
    counting: int
    changed: int


class DatedRow(msgspec.Struct, frozen=True):
    """An event, the change that recorded it, and the one that took it back, if any did."""

    body: str
    seq: int
    taken_back: str | None
    taken_back_seq: int | None

    @property
    def counts(self) -> bool:
        """Whether it counts now."""
        return self.taken_back is None

    def counted_at(self, seq: int) -> bool:
        """Whether it counted at an earlier version of the table."""
        return self.seq <= seq and (self.taken_back_seq is None or self.taken_back_seq > seq)


def people(pool: Pool, table_id: int) -> list[PersonRow]:
    """Everybody of whom something is known beyond the games they sat in."""
    sql = "SELECT id, name, same_as, swish FROM people WHERE table_id = ? ORDER BY id"
    return [PersonRow(*row) for row in pool.db.execute(sql, [table_id]).fetchall()]


def person(pool: Pool, table_id: int, name: str) -> int:
    """The key of a name at a table, made now if it has none."""
    sql = """INSERT INTO people (table_id, name) VALUES (?, ?)
        ON CONFLICT (table_id, name) DO UPDATE SET name = excluded.name RETURNING id"""
    return int(pool.db.execute(sql, [table_id, name]).fetchone()[0])


def merge(pool: Pool, person_id: int, into: int | None) -> None:
    """Let a name stand for another person, or for itself again."""
    pool.db.execute("UPDATE people SET same_as = ? WHERE id = ?", [into, person_id])


def keep_swish(pool: Pool, person_id: int, number: str | None) -> None:
    """Keep a person's number, or forget it."""
    pool.db.execute("UPDATE people SET swish = ? WHERE id = ?", [number, person_id])


def add_payment(pool: Pool, table_id: int, row: dict[str, object]) -> None:
    """Record a payment: `seq`, the keys of `payer` and `payee`, `ore` and `way`."""
    pool.db.table("payments").insert({**row, "table_id": table_id, "paid_at": now()})


def payments(pool: Pool, table_id: int) -> list[PaymentRow]:
    """Every payment ever recorded at a table, oldest first, those undone included."""
    sql = """SELECT p.seq, payer.name, payee.name, p.ore, p.way, p.paid_at, p.undone_seq
        FROM payments p JOIN people payer ON payer.id = p.payer
        JOIN people payee ON payee.id = p.payee WHERE p.table_id = ? ORDER BY p.id"""
    return [PaymentRow(*row) for row in pool.db.execute(sql, [table_id]).fetchall()]


def undo_payments(pool: Pool, table_id: int, settlement: int, seq: int) -> bool:
    """Mark the payments of a settlement as undone; False when there were none that count."""
    sql = """UPDATE payments SET undone_seq = ?
        WHERE table_id = ? AND seq = ? AND undone_seq IS NULL"""
    return bool(pool.db.execute(sql, [seq, table_id, settlement]).rowcount)


def versions(pool: Pool, table_id: int) -> list[VersionRow]:
    """All games of a table, each with what tells its versions apart, oldest first."""
    sql = """SELECT g.id, g.number, g.uid, g.setup, g.begun_at, COALESCE(MAX(e.seq), 0),
            COUNT(e.id) FILTER (WHERE e.taken_back IS NULL),
            COALESCE(MAX(MAX(e.seq), COALESCE(MAX(e.taken_back_seq), 0)), 0)
        FROM games g LEFT JOIN events e ON e.game_id = g.id
        WHERE g.table_id = ? GROUP BY g.id ORDER BY g.number"""
    return [VersionRow(*row) for row in pool.db.execute(sql, [table_id]).fetchall()]


def dated_events(pool: Pool, game_id: int) -> list[DatedRow]:
    """Every event ever recorded in a game, with when it began and ceased to count."""
    sql = "SELECT body, seq, taken_back, taken_back_seq FROM events WHERE game_id = ? ORDER BY id"
    return [DatedRow(*row) for row in pool.db.execute(sql, [game_id]).fetchall()]
