"""What a phone has: its tables, its rule sets, and transfers of both to another phone."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date, timedelta
from itertools import chain, count
from operator import attrgetter
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed
from app.rules.house import HouseRules
from app.rules.names import MAX_NAME, decode, read_name
from app.rules.presets import read_rules, write_rules
from app.services import bounds
from app.services.access import (
    Access,
    NotFound,
    add_pen,
    find_access,
    hash_secret,
    instance_of,
    name_link,
    new_pen,
)
from app.services.people import find_newest_seated, resolve
from app.services.table_view import to_json
from app.store import clock, log, schema
from app.store.clock import age, evening_of, now, utc_now, write_time
from app.store.database import Connection, Database


class PhoneTable(msgspec.Struct, frozen=True):
    """A table that a phone knows; `players` are those of its newest game, in seat order.

    That game may be `over`; `winners` are those of the last one that is. There have been so many
    `evenings`, that of a game being played among them. `seq` is its version, `writes` as in Access.
    `played_at` is when the newest game was last written at; `archived` whether the start is to pass
    it over. `copy` tells tables of one name and the same players apart, the oldest being 1.
    """

    id: int
    link: str
    name: str
    seq: int
    players: tuple[str, ...]
    over: bool
    winners: tuple[str, ...]
    evenings: int
    played_at: str
    writes: bool
    archived: bool
    copy: int = 1

    @property
    def played_on(self) -> date:
        """The evening on which it was last written at."""
        return evening_of(self.played_at)


def list_tables(
    db: Database, pen: str | None, known: Mapping[str, bool], most: int | None = None
) -> list[PhoneTable]:
    """The tables of a phone that are here: of their links it knows which are put away.

    Those come after all others; deleted ones are passed over. `most` is how many are
    wanted, None for all.
    """
    found: list[PhoneTable] = []
    for link in sorted(known, key=known.__getitem__):
        if len(found) == most:
            break
        with suppress(NotFound):
            with db.snapshot() as connection:
                table = find_access(connection, link, pen)
                found.append(_read_table(connection, table, archived=known[link]))
            clock.give_way()
    return _tell_apart(found)


def _tell_apart(found: Iterable[PhoneTable]) -> list[PhoneTable]:
    """The tables, those that would look alike numbered in the order in which they were opened."""
    alike: dict[object, list[int]] = {}
    for table in sorted(found, key=attrgetter("id")):
        alike.setdefault((table.name, table.players), []).append(table.id)
    numbers = {one: n for ids in alike.values() for n, one in enumerate(ids, start=1)}
    return [replace(table, copy=numbers[table.id]) for table in found]


def _read_table(connection: Connection, table: Access, *, archived: bool) -> PhoneTable:
    """A table, of which no game is replayed: who sits in one that goes on is read from its log."""
    number, (names, _) = log.find_newest_game(connection, table.id), resolve(connection, table.id)
    sql = """SELECT game, person, won FROM seats WHERE table_id = ?1
        AND game = (SELECT MAX(game) FROM seats WHERE table_id = ?1 AND game <= ?2)
        ORDER BY seat"""
    last = connection.execute(sql, [table.id, number]).fetchall()
    over = any(game == number for game, *_ in last)
    seated = [one for _, one, _ in last] if over else find_newest_seated(connection, table.id)
    sql = f"""SELECT (SELECT COUNT(DISTINCT evening) FROM seats WHERE table_id = ?1),
            (SELECT COALESCE(MAX(evening), '') FROM seats WHERE table_id = ?1),
            (SELECT at FROM changes WHERE table_id = ?1 AND game = ?2 ORDER BY seq DESC LIMIT 1), at
        FROM changes WHERE table_id = ?1 AND game = ?2 AND undone IS NULL
            AND {schema.STARTS}"""  # noqa: S608
    evenings, newest, written_at, at = connection.execute(sql, [table.id, number]).fetchone()
    return PhoneTable(
        table.id,
        table.link,
        table.name,
        table.seq,
        tuple(names[one] for one in seated),
        over,
        tuple(names[one] for _, one, won in last if won),
        # That of a game which is still being played among them.
        evenings + (evening_of(at).isoformat() > newest),
        written_at,
        table.writes,
        archived,
    )


def find_elsewhere(
    known: Mapping[str, bool], here: Iterable[PhoneTable], instance: str
) -> dict[str, bool]:
    """Those of a phone's links that lead to another server, and whether each is put away."""
    found = {table.link for table in here}
    return {
        link: away
        for link, away in known.items()
        if link not in found and instance_of(link) != instance
    }


MOST_RULE_SETS = 40


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


def save_rule_set(db: Database, pen: str, name: str, preset: str, rules: HouseRules) -> RuleSet:
    """Save rules under a name, in place of those it had.

    Raises BadFile for a name that is none, or when the phone has too many.
    """
    name, owner = read_name(name), hash_secret(pen)
    with db.transaction() as connection:
        known = read_rule_sets(connection, owner)
        if name not in known and len(known) >= MOST_RULE_SETS:
            raise BadFile("too_many_rule_sets", limit=MOST_RULE_SETS)
        _save_rule_set(connection, owner, name, to_json(write_rules(preset, rules)))
        sql = "SELECT id FROM rule_sets WHERE owner_hash = ? AND name = ?"
        return RuleSet(connection.find_number(sql, owner, name), name, preset, rules)


def read_rule_sets(connection: Connection, owner_hash: str) -> dict[str, str]:
    """The rule sets of a phone by their names, as JSON; the phone by the hash of its pen."""
    sql = "SELECT name, rules FROM rule_sets WHERE owner_hash = ?"
    return dict(connection.execute(sql, [owner_hash]).fetchall())


def _save_rule_set(connection: Connection, owner_hash: str, name: str, text: str) -> None:
    row = {"owner_hash": owner_hash, "name": name, "rules": text, "saved_at": now()}
    connection.table("rule_sets").upsert(row, pk=("owner_hash", "name"))


def _copy_rule_sets(connection: Connection, from_hash: str, to_hash: str) -> None:
    """Copy the rule sets of one phone to another, each phone by the hash of its pen.

    Nothing is written over: a set whose name is taken there gets a number. A phone with as many as
    it may have gets no more.
    """
    known = read_rule_sets(connection, to_hash)
    for own_name, text in sorted(read_rule_sets(connection, from_hash).items()):
        # Its own name, or the first with a number that is free or stands for the same already.
        others = (f"{own_name[: MAX_NAME - 3].rstrip()} {number}" for number in count(2))
        name = next(each for each in chain([own_name], others) if known.get(each, text) == text)
        if name not in known and len(known) < MOST_RULE_SETS:
            _save_rule_set(connection, to_hash, name, text)
            known[name] = text


def delete_rule_set(db: Database, pen: str | None, which: int | str) -> None:
    """Delete one of the phone's rule sets, by its id or its name."""
    with db.transaction() as connection:
        where = ("owner_hash = ? AND ? IN (id, name)", [hash_secret(pen or ""), which])
        connection.table("rule_sets").delete_where(*where)


# To a phone of its own, or to the same phone's home screen.
TransferKind = Literal["phone", "install"]
# How long a transfer can be taken, by the clock on the wall; that of a home screen until its first
# start.
LIFETIMES: Mapping[TransferKind, timedelta] = {
    "phone": timedelta(minutes=15),
    "install": timedelta(days=1),
}
# As the database has it.
TransferRow = dict[str, Any]
# The state of a transfer for a phone: to be taken, its own, or taken by it; one that another phone
# has taken is gone, as are one that is too old or was ended by a newer one, and one that never was.
TransferState = Literal["open", "own", "taken", "gone"]


class TableTransfer(msgspec.Struct, frozen=True):
    """A transfer as a phone finds it, with the links it brings, as in `make_transfer`.

    `language` is the code of the language that was chosen on the phone it comes from.
    """

    state: TransferState
    tables: dict[str, bool] = {}
    language: str = ""


def make_transfer(
    db: Database,
    kind: TransferKind,
    pen: str,
    tables: Mapping[str, bool],
    language: str = "",
    instance: str = "",
) -> str:
    """Make the secret of a transfer from the phone with this pen; its transfer before ends.

    `tables` are its links, the last opened first, and whether each is put away.
    """
    secret = name_link(instance, new_pen())
    row = {
        "secret_hash": hash_secret(secret),
        "owner_hash": hash_secret(pen),
        "kind": kind,
        "language": language,
        "tables": to_json(tables),
        "withheld": "[]",
        "created_at": now(),
    }
    with db.transaction() as connection:
        for old, lifetime in LIFETIMES.items():
            too_old = [old, write_time(utc_now() - lifetime)]
            connection.table("transfers").delete_where("kind = ? AND created_at < ?", too_old)
        connection.table("transfers").insert(row, replace=True)
    return secret


def read_transfer(db: Database, kind: TransferKind, secret: str, pen: str | None) -> TableTransfer:
    """The transfer as it is to the phone with a pen, None for one that has none yet."""
    row, state = _find_transfer(db.connection, kind, secret, pen)
    if state not in ("open", "taken"):
        return TableTransfer(state)
    return TableTransfer(state, msgspec.json.decode(row["tables"]), row["language"])


def take_transfer(db: Database, kind: TransferKind, secret: str, pen: str) -> TableTransfer:
    """Copy pens and rule sets to the phone with a pen; the links are for it to keep.

    Returns its state for that phone: only an open one has been taken now. The phone that took it
    gets the links again.
    """
    with db.transaction() as connection:
        offer = read_transfer(db, kind, secret, pen)
        if offer.state == "open":
            row, _ = _find_transfer(connection, kind, secret, pen)
            _copy_pens(connection, row, offer.tables, pen)
            _copy_rule_sets(connection, row["owner_hash"], hash_secret(pen))
            taken = {"taken_by": hash_secret(pen)}
            connection.table("transfers").update(row["secret_hash"], taken)
    return offer


def _find_transfer(
    connection: Connection, kind: TransferKind, secret: str, pen: str | None
) -> tuple[TransferRow, TransferState]:
    """The transfer with this secret, empty where there is none, and its state for a phone."""
    where = ("secret_hash = ? AND kind = ?", [hash_secret(secret), kind])
    row, phone = next(connection.table("transfers").rows_where(*where), {}), hash_secret(pen or "")
    if not row or (not row["taken_by"] and age(row["created_at"]) > LIFETIMES[kind]):
        return row, "gone"
    if row["taken_by"]:
        return row, "taken" if row["taken_by"] == phone else "gone"
    return row, "own" if row["owner_hash"] == phone else "open"


def _copy_pens(connection: Connection, row: TransferRow, links: Iterable[str], pen: str) -> None:
    """Let the phone with a pen write at tables here, unless as many do as may.

    Who made the transfer must still write there, and not have withheld the table.
    """
    sql = """SELECT 1 FROM tables JOIN pens ON table_id = tables.id WHERE link_hash = ?
        AND kind = 'pen' AND secret_hash = ? AND revoked_at IS NULL"""
    withheld = msgspec.json.decode(row["withheld"])
    for link in links:
        found = connection.execute(sql, [hash_secret(link), row["owner_hash"]]).fetchone()
        if link in withheld or not found:
            continue
        table = find_access(connection, link, pen)
        if not table.writes:
            with suppress(NotAllowed):
                bounds.check_pens(connection, table.id)
                add_pen(connection, table.id, pen)
