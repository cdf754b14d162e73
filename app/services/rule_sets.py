"""House rules that a phone saves under names of its own, for the next table."""

from contextlib import suppress
from itertools import chain, count

import msgspec

from app.rules.codes import BadFile
from app.rules.house import HouseRules
from app.rules.names import MAX_NAME, decode, read_name
from app.rules.presets import read_rules, write_rules
from app.services.fold import to_json
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
    owner, found = hash_secret(pen or ""), []
    for row in db.connection.table("rule_sets").rows_where("owner_hash = ?", [owner], "name, id"):
        with suppress(BadFile):
            rules = read_rules(decode(row["rules"].encode()))
            found.append(RuleSet(row["id"], row["name"], *rules))
    return found


def save(db: Database, pen: str, name: str, preset: str, rules: HouseRules) -> RuleSet:
    """Save rules under a name, in place of those it had.

    Raises BadFile for a name that is none, or when the phone has too many.
    """
    name, owner = read_name(name), hash_secret(pen)
    with db.transaction() as connection:
        known = read_texts(connection, owner)
        if name not in known and len(known) >= MOST:
            raise BadFile("too_many_rule_sets", limit=MOST)
        _save(connection, owner, name, to_json(write_rules(preset, rules)))
        sql = "SELECT id FROM rule_sets WHERE owner_hash = ? AND name = ?"
        return RuleSet(connection.find_number(sql, owner, name), name, preset, rules)


def read_texts(connection: Connection, owner_hash: str) -> dict[str, str]:
    """The rule sets of a phone by their names, as JSON; the phone by the hash of its pen."""
    sql = "SELECT name, rules FROM rule_sets WHERE owner_hash = ?"
    return dict(connection.execute(sql, [owner_hash]).fetchall())


def _save(connection: Connection, owner_hash: str, name: str, text: str) -> None:
    row = {"owner_hash": owner_hash, "name": name, "rules": text, "saved_at": now()}
    connection.table("rule_sets").upsert(row, pk=("owner_hash", "name"))


def copy(connection: Connection, from_hash: str, to_hash: str) -> None:
    """Copy the rule sets of one phone to another, each phone by the hash of its pen.

    Nothing is written over: a set whose name is taken there gets a number. A phone with as many as
    it may have gets no more.
    """
    known = read_texts(connection, to_hash)
    for own_name, text in sorted(read_texts(connection, from_hash).items()):
        # Its own name, or the first with a number that is free or stands for the same already.
        others = (f"{own_name[: MAX_NAME - 3].rstrip()} {number}" for number in count(2))
        name = next(each for each in chain([own_name], others) if known.get(each, text) == text)
        if name not in known and len(known) < MOST:
            _save(connection, to_hash, name, text)
            known[name] = text


def delete(db: Database, pen: str | None, which: int | str) -> None:
    """Delete one of the phone's rule sets, by its id or its name."""
    with db.transaction() as connection:
        where = ("owner_hash = ? AND ? IN (id, name)", [hash_secret(pen or ""), which])
        connection.table("rule_sets").delete_where(*where)
