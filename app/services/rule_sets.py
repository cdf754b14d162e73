"""House rules that a phone saves under names of its own, for the next table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import msgspec

from app import store
from app.rules.errors import BadFile
from app.rules.house import HouseRules
from app.rules.json_input import decode
from app.rules.names import MAX_NAME, read_name
from app.rules.presets import read_rules, write_rules
from app.services.serialization import to_json
from app.services.tables import hash_secret
from app.store.connection import Connection
from app.store.database import Pool
from app.store.rule_sets import RuleSetRow

MOST = 40


class RuleSet(msgspec.Struct, frozen=True):
    """Rules under a name; `preset` is the published rule set they started from."""

    id: int
    name: str
    preset: str
    rules: HouseRules


def list_rule_sets(pool: Pool, pen: str | None) -> list[RuleSet]:
    """The rule sets of the phone that holds a pen; one from another version is passed over."""
    rows = store.rule_sets.find_all(pool.connection, hash_secret(pen)) if pen else []
    return [rules for row in rows if (rules := _read(row)) is not None]


def _read(row: RuleSetRow) -> RuleSet | None:
    try:
        return RuleSet(row.id, row.name, *read_rules(decode(row.rules.encode())))
    except BadFile:
        return None


def find(pool: Pool, pen: str | None, set_id: int) -> RuleSet | None:
    """One of the phone's rule sets."""
    return next((each for each in list_rule_sets(pool, pen) if each.id == set_id), None)


def save(pool: Pool, pen: str, name: str, preset: str, rules: HouseRules) -> RuleSet:
    """Save rules under a name, in place of what it stood for.

    Raises BadFile for a name that is none, or when the phone has too many.
    """
    name = read_name(name)
    text = to_json(write_rules(preset, rules))
    with pool.transaction() as connection:
        names = {row.name for row in store.rule_sets.find_all(connection, hash_secret(pen))}
        if name not in names and len(names) >= MOST:
            raise BadFile("too_many_rule_sets", limit=MOST)
        store.rule_sets.save(connection, hash_secret(pen), name, text)
    return next(each for each in list_rule_sets(pool, pen) if each.name == name)


def bring(connection: Connection, from_hash: str, to_hash: str) -> None:
    """Copy the rule sets of one phone to another, each phone by the hash of its pen.

    Nothing is written over: what has another's name there gets a number. A phone with as many as
    it may have gets no more.
    """
    known = {row.name: row.rules for row in store.rule_sets.find_all(connection, to_hash)}
    for row in store.rule_sets.find_all(connection, from_hash):
        # Its own name, or the first with a number that is free or stands for the same already.
        name = next(each for each in _names(row.name) if known.get(each, row.rules) == row.rules)
        if name not in known and len(known) < MOST:
            store.rule_sets.save(connection, to_hash, name, row.rules)
            known[name] = row.rules


def _names(name: str) -> Iterator[str]:
    """A name, and others like it."""
    yield name
    for number in count(2):
        yield f"{name[: MAX_NAME - 3].rstrip()} {number}"


def delete(pool: Pool, pen: str | None, set_id: int) -> None:
    """Delete one of the phone's rule sets."""
    if pen:
        with pool.transaction() as connection:
            store.rule_sets.delete(connection, hash_secret(pen), set_id)
