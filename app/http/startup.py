"""Before the server listens: its environment is read, its database locked and brought up to date.

What cannot be read ends the start.

Each reader raises SystemExit with one sentence, which names the variable.
"""

from __future__ import annotations

import os
import re
import ssl
import sys
from collections.abc import Mapping
from contextlib import closing
from urllib.parse import urlsplit

from werkzeug.sansio.utils import host_is_trusted

from app.i18n.database import describe
from app.i18n.language import N_, from_environment
from app.services.tables import NAME
from app.store.connection import DatabaseUnavailable
from app.store.database import Database
from app.store.files import ServerLock, database_path, is_sqlite_safe, sqlite_version

# A path below which an application may be: plain, and not up again.
_PATH = re.compile(r"(?:/(?!\.\.?(?:/|$))[\w.~-]+)*", re.ASCII)


def read_url(text: str) -> str:
    """CHICAGO_URL, the address people reach the score keeper by, without a slash at its end.

    Raises SystemExit for what is no such address.
    """
    url = text.strip().rstrip("/")
    if text.strip() and not _is_url(url):
        raise SystemExit(
            "CHICAGO_URL is the address people reach the score keeper by, such as"
            " https://chicago.example or https://home.example/chicago, without anything after it:"
            f" {text!r} is none"
        )
    return url


def _is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and host_is_trusted(parts.netloc)
    except ValueError:
        return False
    return known and bool(_PATH.fullmatch(parts.path)) and not _has_more(url)


def _has_more(url: str) -> bool:
    """Whether a query or a fragment follows, even an empty one, or something invisible."""
    return any(not character.isprintable() or character in "?# " for character in url)


def read_instance(environ: Mapping[str, str]) -> str:
    """CHICAGO_INSTANCE, the name that links of tables opened here begin with; may be left out.

    Raises SystemExit for what is no name.
    """
    name = environ.get("CHICAGO_INSTANCE") or ""
    if name and not NAME.fullmatch(name):
        raise SystemExit(
            f"CHICAGO_INSTANCE is one to eight small letters and digits, such as a: {name!r} is not"
        )
    return name


def read_certificate(environ: Mapping[str, str]) -> tuple[str, str] | None:
    """CHICAGO_CERT and CHICAGO_KEY, the files to serve HTTPS with; None where neither is set.

    Raises SystemExit where one is missing, cannot be read, or does not belong to the other.
    """
    certificate, key = environ.get("CHICAGO_CERT") or "", environ.get("CHICAGO_KEY") or ""
    if not (certificate or key):
        return None
    if not (certificate and key):
        raise SystemExit("HTTPS takes a certificate and its key: CHICAGO_CERT and CHICAGO_KEY")
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # There is nobody to ask for a password.
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ValueError) as error:
        raise SystemExit(
            f"CHICAGO_CERT and CHICAGO_KEY: {certificate} and {key} are no certificate with its"
            f" key, as PEM and without a password: {getattr(error, 'strerror', error)}"
        ) from None
    return certificate, key


OLD_SQLITE = N_(
    "SQLite %(version)s is older than 3.51.3 and may, if rarely, damage the database:"
    " docs/SERVER.md says under “An older SQLite” how to get a newer one."
)


def claim_database() -> ServerLock:
    """Lock the database for this process and those it forks; no connection is left open.

    Where it cannot be served, prints one sentence that says why, and exits with status 1.
    """
    path = database_path()
    language = from_environment(os.environ)
    try:
        lock = ServerLock(path)
        with closing(Database(path)):
            pass  # It is brought up to date.
    except DatabaseUnavailable as error:
        sys.stderr.write(f"{describe(error, path, language)}\n")
        raise SystemExit(1) from None
    if not is_sqlite_safe():
        sys.stderr.write(f"{language.gettext(OLD_SQLITE, version=sqlite_version())}\n")
    return lock
