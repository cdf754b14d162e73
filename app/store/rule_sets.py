"""Rows of rule sets: house rules that somebody has saved under a name."""

from __future__ import annotations

import msgspec

from app.store.clock import now
from app.store.connection import Connection


class RuleSetRow(msgspec.Struct, frozen=True):
    """House rules under a name; `rules` is JSON as a game file writes it."""

    id: int
    name: str
    rules: str


def save(connection: Connection, owner_hash: str, name: str, rules: str) -> None:
    """Save rules under a name, in place of what that name stood for."""
    sql = """INSERT INTO rule_sets (owner_hash, name, rules, saved_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (owner_hash, name) DO UPDATE SET rules = excluded.rules"""
    connection.execute(sql, [owner_hash, name, rules, now()])


def find_all(connection: Connection, owner_hash: str) -> list[RuleSetRow]:
    """The rules that somebody has saved, by name."""
    sql = "SELECT id, name, rules FROM rule_sets WHERE owner_hash = ? ORDER BY name, id"
    return [RuleSetRow(*row) for row in connection.execute(sql, [owner_hash]).fetchall()]


def delete(connection: Connection, owner_hash: str, set_id: int) -> None:
    """Delete rules that somebody has saved."""
    sql = "DELETE FROM rule_sets WHERE owner_hash = ? AND id = ?"
    connection.execute(sql, [owner_hash, set_id])
