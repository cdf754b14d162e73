"""Links that give a pen once."""

from __future__ import annotations

from sqlite_utils import Database


def m003_pen_links(db: Database) -> None:
    """Links that give a pen are used up, and found without looking at those of other tables."""
    db.execute("ALTER TABLE pen_links ADD COLUMN used_at TEXT")
    db.execute("CREATE INDEX pen_links_of_table ON pen_links (table_id, secret_hash)")
