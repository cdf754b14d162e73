"""How often a player fell at the target for want of a Chicago, beside what else a game counted."""

from __future__ import annotations

from sqlite_utils import Database


def m012_falls(db: Database) -> None:
    """A column for it; of games counted before, `years` works it out from the log."""
    db.execute("ALTER TABLE game_statistics ADD COLUMN falls INTEGER NOT NULL DEFAULT 0")
