"""Links of tables that were deleted, by their hashes: none of them opens another table."""

from __future__ import annotations

from sqlite_utils import Database


def m011_gone_links(db: Database) -> None:
    """A row for each; those deleted before are not known any more."""
    db.execute("CREATE TABLE gone_links (link_hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
