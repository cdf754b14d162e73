"""Helpers of the tests of transfer links."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.services.tables import hash_secret
from app.store.database import Database


def age(db: Database, path: str, ago: timedelta) -> None:
    """Set the creation time of a link, or of a start address, to some time ago."""
    when = (datetime.now(UTC) - ago).isoformat(timespec="milliseconds")
    sql = "UPDATE transfers SET created_at = ? WHERE secret_hash = ?"
    db.connection.execute(sql, [when, hash_secret(path.rpartition("/")[2])])
