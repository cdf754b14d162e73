"""Before the server listens: its database is locked for it, checked, and brought up to date."""

from __future__ import annotations

import os
import sys
from contextlib import closing

from app.i18n.database import describe
from app.i18n.language import N_, from_environment
from app.store.availability import DatabaseUnavailable
from app.store.database import Pool
from app.store.files import database_path
from app.store.startup import ServerLock, is_sqlite_safe, sqlite_version

OLD_SQLITE = N_(
    "SQLite %(version)s is older than 3.51.3 and may, if rarely, damage the database:"
    " the README says under “An older SQLite” how to get a newer one."
)


def claim_database() -> ServerLock:
    """Lock the database for this process and those it forks; no connection is left open.

    Where it cannot be served, prints one sentence that says why, and exits with status 1.
    """
    path = database_path()
    language = from_environment(os.environ)
    try:
        lock = ServerLock(path)
        with closing(Pool(path)):
            pass  # It is brought up to date.
    except DatabaseUnavailable as error:
        sys.stderr.write(f"{describe(error, path, language)}\n")
        raise SystemExit(1) from None
    if not is_sqlite_safe():
        sys.stderr.write(f"{language.gettext(OLD_SQLITE, version=sqlite_version())}\n")
    return lock
