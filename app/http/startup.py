"""Before the server listens: its database is locked for it, checked, and brought up to date."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

from flask import Flask

from app.http.cookies import load_secret_key
from app.i18n.database import describe
from app.i18n.language import N_, from_environment
from app.services import month_totals, zones
from app.store.availability import DatabaseRefused, DatabaseUnavailable
from app.store.database import Pool
from app.store.files import KEY
from app.store.startup import ServerLock, is_sqlite_safe, sqlite_version

OLD_SQLITE = N_(
    "SQLite %(version)s is older than 3.51.3 and may, if rarely, damage the database:"
    " the README says under “An older SQLite” how to get a newer one."
)


def claim_database(app: Flask) -> ServerLock:
    """Lock the database for this process and those it forks; no connection is left open.

    What is stored by months follows another time zone.

    Where it cannot be served, prints one sentence that says why, and exits with status 1.
    """
    path = Path(app.config["DATABASE"])
    language = from_environment(os.environ)
    try:
        lock = ServerLock(path)
        with closing(Pool(path)) as pool:
            zones.follow_setting(pool)
            month_totals.fill_months(pool)
        _make_secret_key(app, path)
    except DatabaseUnavailable as error:
        sys.stderr.write(f"{describe(error, path, language)}\n")
        raise SystemExit(1) from None
    if not is_sqlite_safe():
        sys.stderr.write(f"{language.gettext(OLD_SQLITE, version=sqlite_version())}\n")
    return lock


def _make_secret_key(app: Flask, database: Path) -> None:
    """Have the key that signs cookies, before the first of them. Raises DatabaseRefused."""
    key = database.with_name(KEY)
    if not app.secret_key:
        try:
            load_secret_key(key)
        except OSError as error:
            raise DatabaseRefused("unusable", key, error.strerror or "") from error
