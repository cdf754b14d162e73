"""An erasure is one transaction and a VACUUM: no table says what is left of it."""

from __future__ import annotations

from sqlite_utils import Database


def m013_plain_erasure(db: Database) -> None:
    """Drop the erasures, and the tables of which a part was already deleted or not yet imported.

    What stands of those in the file is written over at the next start.
    """
    for statement in _STATEMENTS:
        db.execute(statement)
    if db["tables"].count:
        db.execute("PRAGMA user_version = 1")


_STATEMENTS = (
    """DELETE FROM payments WHERE table_id IN (
        SELECT id FROM tables WHERE link_hash GLOB 'deleted *' OR link_hash GLOB 'unfinished *')""",
    "DELETE FROM tables WHERE link_hash GLOB 'deleted *' OR link_hash GLOB 'unfinished *'",
    "DROP TABLE erasures",
)
