"""The log of a table: one row a change, which is one version of the table.

A row never changes but for `undone`, the version at which it was undone. Undo and redo are rows
too, so that the rows up to a version tell which counted then. Erasing rewrites or deletes rows.
"""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from itertools import count, groupby
from operator import itemgetter
from typing import Any

from sqlite_utils import Database, Migrations
from sqlite_utils.db import Table

from app.rules.names import MAX_NAME, tidy
from app.store import clock

# How games begin; there is an index of just these.
STARTS = "kind IN ('open', 'import', 'start')"
migrations = Migrations("log")
HANDS = (
    "pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "royal_flush_hearts",
)
# The figures of a seat that add up over games, and those of which the largest counts.
SUMS = (
    *("won", "ore", *HANDS),
    *("chicagos_said", "chicagos_made", "zeroings_given", "zeroings_suffered", "last_tricks"),
)
MAXIMA = ("biggest_swing", "longest_stop")
_NUMBERS = ("target", "stake_ore", "broken_off", "score", "deals", "falls", *SUMS, *MAXIMA)
# Of these columns any may be empty.
_NULLABLE = {
    *("open_key", "open_request", "nonce", "link", "base_seq", "conflict", "reason"),
    *("key", "request", "pen_id", "undone"),
    *("called", "same_as", "swish", "used_at", "revoked_at", "taken_by"),
}


@migrations()
def m001_log(db: Database) -> None:
    """The first schema."""
    _add_log(db)
    _add_pens(db)
    _add_figures(db)
    _add_phones(db)
    _add_views(db)


@migrations()
def m002_two_versions(db: Database) -> None:
    """On a phone, both versions of a table in conflict stand in its row."""
    db.execute("ALTER TABLE tables RENAME COLUMN reason TO parted")


@migrations()
def m003_ledger(db: Database) -> None:
    """The version at which the ledger last changed; games broken off for nothing have seats."""
    db.execute("ALTER TABLE tables ADD COLUMN ledger_seq INTEGER NOT NULL DEFAULT 0")
    db.execute(
        """UPDATE tables SET ledger_seq =
            (SELECT COALESCE(MAX(seq), 0) FROM changes WHERE table_id = tables.id)"""
    )
    _add_void_games(db)
    for row in db.query("SELECT DISTINCT begun_at FROM seats"):
        moment = clock.write_time(clock.local(row["begun_at"]))
        db.execute("UPDATE seats SET begun_at = ? WHERE begun_at = ?", [moment, row["begun_at"]])
    _add_person_games(db, f"WHERE broken_off < {VOID}")


@migrations()
def m004_names(db: Database) -> None:
    """Names as they are read by now; of two that would be the same one gets a number."""
    rows = dict.fromkeys(db.execute("SELECT table_id, name FROM people ORDER BY 1, number"))
    taken = {(table_id, name) for table_id, name in rows if tidy(name) == name}
    for table_id, name in [row for row in rows if row not in taken]:
        plain = new = tidy(tidy(name)[:MAX_NAME]) or "?"
        numbers = count(2)
        while (table_id, new) in taken:
            new = f"{tidy(plain[: MAX_NAME - 4])} {next(numbers)}"
        taken.add((table_id, new))
        sql = "UPDATE people SET name = ? WHERE table_id = ? AND name = ?"
        db.execute(sql, [new, table_id, name])


@migrations()
def m005_notes(db: Database) -> None:
    """What readers say of an entry or a debt, by their numbers: no name, and no text of theirs."""
    notes = {"table_id": int, "person": int, "kind": str, "about": int, "body": str, "at": str}
    _add(db, "notes", notes, ("table_id", "person", "kind", "about"))


@migrations()
def m006_edits(db: Database) -> None:
    """One kind of change for a game that was otherwise, in place of two."""
    for kind in ("mend", "revise"):
        db.execute("UPDATE changes SET kind = 'edit' WHERE kind = ?", [kind])
        old, new = f'"kind":"{kind}"', '"kind":"edit"'
        db.execute("UPDATE tables SET parted = replace(parted, ?, ?)", [old, new])


def _add(db: Database, name: str, columns: dict[str, Any], pk: str | tuple[str, ...]) -> Table:
    """Add a STRICT table; what names a table of cards goes with it."""
    owned = [("table_id", "tables", "id")] if "table_id" in columns else []
    needed = [column for column in columns if column not in _NULLABLE]
    table = db.table(name)
    return table.create(columns, pk=pk, foreign_keys=owned, not_null=needed, strict=True)


def _add_log(db: Database) -> None:
    tables = {
        # A table that is deleted keeps its row, so that its link opens no other.
        "id": int,
        "link_hash": str,
        "name": str,
        "currency": str,
        "created_at": str,
        "erased_seq": int,
        # How it was opened: so that the same request gets the same link and pen again, for a while.
        "open_key": bytes,
        "open_request": bytes,
        "nonce": bytes,
        # On a phone: its link, and how much of it the server has.
        "link": str,
        "base_seq": int,
        "conflict": str,
        "reason": str,
    }
    added = _add(db, "tables", tables, "id")
    added.create_index(["link_hash"], unique=True)
    added.create_index(["open_key"], unique=True)
    changes = {
        "table_id": int,
        "seq": int,
        "kind": str,
        "game": int,
        "body": str,
        "at": str,
        "pen_id": int,
        "key": bytes,
        "request": bytes,
        "undone": int,
        "entries": int,
    }
    added = _add(db, "changes", changes, ("table_id", "seq"))
    added.create_index(["table_id", "game", "seq"])
    added.create_index(["table_id", "key"], unique=True)
    db.execute(f"CREATE INDEX starts_of_games ON changes (table_id, game) WHERE {STARTS}")
    db.execute(
        """CREATE TRIGGER changes_immutable BEFORE UPDATE OF table_id, seq, key, at ON changes
        BEGIN SELECT RAISE(ABORT, 'what was recorded is never changed'); END"""
    )
    people = {
        "table_id": int,
        "number": int,
        "name": str,
        "called": int,
        "same_as": int,
        "swish": str,
    }
    _add(db, "people", people, ("table_id", "number"))


def _add_pens(db: Database) -> None:
    # A pen writes; a link gives one phone a pen, a recovery link any that has lost it.
    pens = {
        "id": int,
        "table_id": int,
        "kind": str,
        "secret_hash": str,
        "granted_at": str,
        "used_at": str,
        "revoked_at": str,
        "unseen": int,
    }
    _add(db, "pens", pens, "id").create_index(["table_id", "secret_hash"], unique=True)


def _add_figures(db: Database) -> None:
    seats = {
        "table_id": int,
        "game": int,
        "seat": int,
        "person": int,
        "begun_at": str,
        "evening": str,
        **dict.fromkeys(_NUMBERS, int),
    }
    _add(db, "seats", seats, ("table_id", "game", "seat"))


def _add_phones(db: Database) -> None:
    rule_sets = {"id": int, "owner_hash": str, "name": str, "rules": str, "saved_at": str}
    _add(db, "rule_sets", rule_sets, "id").create_index(["owner_hash", "name"], unique=True)
    transfers = {
        "secret_hash": str,
        "owner_hash": str,
        "kind": str,
        "language": str,
        "tables": str,
        "withheld": str,
        "created_at": str,
        "taken_by": str,
    }
    _add(db, "transfers", transfers, "secret_hash").create_index(
        ["owner_hash", "kind"], unique=True
    )
    _add(db, "phone", {"id": int, "body": str}, "id")


# By a number at a table, the person: as whom others are merged.
_WHOSE = """JOIN people AS {0} ON {0}.table_id = {1}.table_id AND {0}.number = (
        SELECT COALESCE(same_as, called, number) FROM people
        WHERE table_id = {1}.table_id AND number = {2})"""
# In `broken_off`: a game that was broken off for nothing.
VOID = 2
# The seats of games that are over and have no figures, those of who joined last.
_VOID_SEATS = f"""WITH void AS (SELECT table_id, game, at, body FROM changes
        WHERE {STARTS} AND undone IS NULL AND EXISTS (SELECT 1 FROM changes AS later
            WHERE later.table_id = changes.table_id AND later.undone IS NULL
                AND later.kind IN ('import', 'start') AND later.game > changes.game)
            AND NOT EXISTS (SELECT 1 FROM seats
                WHERE seats.table_id = changes.table_id AND seats.game = changes.game))
    SELECT table_id, game, at, value AS person FROM void, json_each(body, '$.setup.players')
    UNION ALL SELECT table_id, game, void.at, joined.body ->> '$.player' FROM void
        JOIN changes AS joined USING (table_id, game)
        WHERE joined.kind = 'record' AND undone IS NULL AND joined.body ->> '$.event' = 'joins'"""


def _add_void_games(db: Database) -> None:
    rows = [*db.query(_VOID_SEATS)]
    rows.sort(key=itemgetter("table_id", "game"))
    for (table_id, game), seats in groupby(rows, itemgetter("table_id", "game")):
        for seat, row in enumerate(seats, start=1):
            values = {**dict.fromkeys(_NUMBERS, 0), "broken_off": VOID, "begun_at": row["at"]}
            ours = {"table_id": table_id, "game": game, "seat": seat, "person": row["person"]}
            day = clock.evening_of(row["at"]).isoformat()
            db.table("seats").insert({**values, **ours, "evening": day})


def _add_person_games(db: Database, counting: str = "") -> None:
    db.create_view(
        "person_games",
        f"""SELECT seats.table_id, substr(evening, 1, 7) AS month, evening, game, begun_at, seat,
            whose.name AS person, {", ".join(_NUMBERS)}
        FROM seats {_WHOSE.format("whose", "seats", "seats.person")} {counting}""",
        replace=bool(counting),
    )


# For people who write SQL: docs/VIEWS.md.
def _add_views(db: Database) -> None:
    _add_person_games(db)
    added = [f"SUM({each}) AS {each}" for each in ("score", "deals", "falls", *SUMS)]
    added += [f"MAX({each}) AS {each}" for each in MAXIMA]
    db.create_view(
        "person_months",
        f"""SELECT table_id, month, person, COUNT(*) AS games, SUM(stake_ore > 0) AS staked,
            COUNT(DISTINCT CASE WHEN stake_ore > 0 THEN evening END) AS evenings,
            {", ".join(added)} FROM person_games GROUP BY table_id, month, person""",
    )
    db.create_view(
        "payments",
        f"""SELECT changes.table_id, seq AS settlement, at AS paid_at, payer.name AS payer,
            payee.name AS payee, paid.value ->> 2 AS ore, paid.value ->> 3 AS way
        FROM changes JOIN json_each(body) AS paid
        {_WHOSE.format("payer", "changes", "paid.value ->> 0")}
        {_WHOSE.format("payee", "changes", "paid.value ->> 1")}
        WHERE kind = 'pay' AND undone IS NULL AND NOT EXISTS (
            SELECT 1 FROM changes AS unpay WHERE unpay.table_id = changes.table_id
                AND unpay.game = 0 AND unpay.kind = 'unpay' AND unpay.undone IS NULL
                AND unpay.body = CAST(changes.seq AS TEXT))""",
    )
