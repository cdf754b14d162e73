"""The time zone that stored months are of, and the currency of a table."""

from __future__ import annotations

from sqlite_utils import Database


def m008_clock_and_currency(db: Database) -> None:
    """A row for the clock, and kronor at every table there is."""
    for statement in _CLOCK_AND_CURRENCY:
        db.execute(statement)


_CLOCK_AND_CURRENCY = (
    # The zone by which the months of statistics were worked out, nothing while that is unknown; on
    # a phone also its rules (TZif, RFC 9636), which only the server has of every zone.
    """CREATE TABLE clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        zone TEXT NOT NULL,
        rules BLOB
    ) STRICT""",
    """ALTER TABLE tables ADD COLUMN currency TEXT NOT NULL DEFAULT 'SEK'
        CHECK (currency IN ('SEK', 'EUR'))""",
)
