"""House rules that a phone saves under names of its own, for the next table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import msgspec

from app.rules.errors import BadFile
from app.rules.house import HouseRules
from app.rules.json_input import decode
from app.rules.names import MAX_NAME, read_name
from app.rules.presets import read_rules, write_rules
from app.services.serialization import to_json
from app.services.tables import hash_secret
from app.store.clock import now
from app.store.connection import Connection
from app.store.database import Database

MOST = 40


class RuleSet(msgspec.Struct, frozen=True):
    """Rules under a name; `preset` is the published rule set they started from."""

    id: int
    name: str
    preset: str
    rules: HouseRules


def list_rule_sets(db: Database, pen: str | None) -> list[RuleSet]:
    """The rule sets of the phone that holds a pen; one from another version is passed over."""
    sql = "SELECT id, name, rules FROM rule_sets WHERE owner_hash = ? ORDER BY name, id"
    rows = db.connection.execute(sql, [hash_secret(pen or "")]).fetchall()
    return [found for row in rows if (found := _read(*row)) is not None]


def _read(set_id: int, name: str, text: str) -> RuleSet | None:
    try:
        return RuleSet(set_id, name, *read_rules(decode(text.encode())))
    except BadFile:
        return None


def read_texts(connection: Connection, owner_hash: str) -> dict[str, str]:
    """The rule sets of a phone by their names, as JSON; the phone by the hash of its pen."""
    sql = "SELECT name, rules FROM rule_sets WHERE owner_hash = ?"
    return dict(connection.execute(sql, [owner_hash]).fetchall())


def find(db: Database, pen: str | None, set_id: int) -> RuleSet | None:
    """One of the phone's rule sets."""
    return next((each for each in list_rule_sets(db, pen) if each.id == set_id), None)


def save(db: Database, pen: str, name: str, preset: str, rules: HouseRules) -> RuleSet:
    """Save rules under a name, in place of what it stood for.

    Raises BadFile for a name that is none, or when the phone has too many.
    """
    name = read_name(name)
    text = to_json(write_rules(preset, rules))
    with db.transaction() as connection:
        known = read_texts(connection, hash_secret(pen))
        if name not in known and len(known) >= MOST:
            raise BadFile("too_many_rule_sets", limit=MOST)
        _save(connection, hash_secret(pen), name, text)
    return next(each for each in list_rule_sets(db, pen) if each.name == name)


def _save(connection: Connection, owner_hash: str, name: str, text: str) -> None:
    sql = """INSERT INTO rule_sets (owner_hash, name, rules, saved_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (owner_hash, name) DO UPDATE SET rules = excluded.rules"""
    connection.execute(sql, [owner_hash, name, text, now()])


def bring(connection: Connection, from_hash: str, to_hash: str) -> None:
    """Copy the rule sets of one phone to another, each phone by the hash of its pen.

    Nothing is written over: what has another's name there gets a number. A phone with as many as
    it may have gets no more.
    """
    known = read_texts(connection, to_hash)
    for own_name, text in sorted(read_texts(connection, from_hash).items()):
        # Its own name, or the first with a number that is free or stands for the same already.
        name = next(each for each in _names(own_name) if known.get(each, text) == text)
        if name not in known and len(known) < MOST:
            _save(connection, to_hash, name, text)
            known[name] = text


def _names(name: str) -> Iterator[str]:
    """A name, and others like it."""
    yield name
    for number in count(2):
        yield f"{name[: MAX_NAME - 3].rstrip()} {number}"


def delete(db: Database, pen: str | None, set_id: int) -> None:
    """Delete one of the phone's rule sets."""
    if pen:
        with db.transaction() as connection:
            sql = "DELETE FROM rule_sets WHERE owner_hash = ? AND id = ?"
            connection.execute(sql, [hash_secret(pen), set_id])
