"""What the environment sets: the configuration of a server, and the database that it serves."""

import os
import re
import ssl
import sys
from collections.abc import Mapping
from contextlib import closing
from urllib.parse import urlsplit, urlunsplit
from zoneinfo import ZoneInfo

from werkzeug.sansio.utils import host_is_trusted

from app.http.address import LONGEST_HOST, LONGEST_PATH
from app.i18n.errors import describe
from app.i18n.language import N_, from_environment
from app.services import erasure
from app.services.access import NAME
from app.store import clock
from app.store.database import Database
from app.store.files import (
    DatabaseUnavailable,
    ServerLock,
    database_path,
    is_sqlite_safe,
    sqlite_version,
)

# A path below which an application may be: plain, and not up again.
_PATH = re.compile(r"(?:/(?!\.\.?(?:/|$))[\w.~-]+)*", re.ASCII)
_USUAL_PORTS = {"http": ":0*80$", "https": ":0*443$"}


def read_environment() -> dict[str, object]:
    """The configuration of a server. Raises SystemExit, saying why, for what cannot be read."""
    environ = os.environ
    return {
        "DATABASE": str(database_path()),
        "LIMITS": environ.get("CHICAGO_LIMITS") != "off",
        # Evenings, times and dates are those of this zone, wherever the server is.
        "TIMEZONE": read_zone(environ),
        # The address people reach this by, where it was configured.
        "URL": read_url(environ.get("CHICAGO_URL") or ""),
        # Of several servers, which this one is: links of tables opened here begin with it.
        "INSTANCE": read_instance(environ),
        # Whom to tell of a fault, as a URI: mailto:, https:.
        "CONTACT": environ.get("CHICAGO_CONTACT") or "",
        "PROXIES": read_proxies(environ.get("CHICAGO_PROXIES") or "0"),
    }


def read_proxies(text: str) -> int:
    """Read the number of trusted proxies. Raises SystemExit, saying why, for no number."""
    if not re.fullmatch("[0-9]{1,2}", text.strip()):
        raise SystemExit(f"CHICAGO_PROXIES is how many servers are in front, 0 to 99, not {text!r}")
    return int(text)


def read_zone(environ: Mapping[str, str]) -> ZoneInfo:
    """CHICAGO_TIMEZONE, by default Sweden's. Raises SystemExit, saying why, for none."""
    name = environ.get("CHICAGO_TIMEZONE") or clock.DEFAULT_ZONE
    try:
        return clock.find_zone(name)
    except clock.UnknownZone:
        message = N_(
            "There is no time zone %(zone)s: set CHICAGO_TIMEZONE to one such as %(example)s."
        )
        text = from_environment(environ).gettext(message, zone=name, example=clock.DEFAULT_ZONE)
        raise SystemExit(text) from None


def read_url(text: str) -> str:
    """CHICAGO_URL, the address people reach the score keeper by, as browsers write an origin.

    The scheme and the host are small, their usual port is left out, and so is a slash at the end.

    Raises SystemExit for any other text.
    """
    url = text.strip().rstrip("/")
    if text.strip() and not _is_url(url):
        raise SystemExit(
            "CHICAGO_URL is the address people reach the score keeper by, such as"
            " https://chicago.example or https://home.example/chicago, with nothing after it,"
            f" not {text!r}"
        )
    parts = urlsplit(url)
    netloc = re.sub(_USUAL_PORTS.get(parts.scheme, "$"), "", parts.netloc.lower())
    return urlunsplit((parts.scheme, netloc, parts.path, "", ""))


def _is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and host_is_trusted(parts.netloc)
    except ValueError:
        return False
    short = len(parts.netloc) <= LONGEST_HOST and len(parts.path) <= LONGEST_PATH
    # No query or fragment follows, not even an empty one, and nothing invisible.
    plain = url.isprintable() and not {*"?# "} & {*url}
    return known and short and plain and bool(_PATH.fullmatch(parts.path))


def read_instance(environ: Mapping[str, str]) -> str:
    """CHICAGO_INSTANCE, the name that links of tables opened here begin with; may be left out.

    Raises SystemExit for an invalid name.
    """
    name = environ.get("CHICAGO_INSTANCE") or ""
    if name and not NAME.fullmatch(name):
        raise SystemExit(
            "CHICAGO_INSTANCE is one to eight lower-case letters and digits, such as a,"
            f" not {name!r}"
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
        raise SystemExit("HTTPS needs both a certificate and its key: CHICAGO_CERT and CHICAGO_KEY")
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # There is nobody to ask for a password.
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ValueError) as error:
        raise SystemExit(
            f"CHICAGO_CERT and CHICAGO_KEY: {certificate} and {key} are not a certificate and its"
            f" key, in PEM form and without a password: {getattr(error, 'strerror', error)}"
        ) from None
    return certificate, key


OLD_SQLITE = N_(
    "SQLite %(version)s is older than 3.51.3 and may, in rare cases, damage the database: “An"
    " older SQLite” in docs/SERVER.md says how to get a newer one."
)


def claim_database() -> ServerLock:
    """Lock the database for this process and those it forks; no connection is left open.

    It is brought up to date, and erased content cleared from its file.

    Where it cannot be served, prints one sentence that says why, and exits with status 1.
    """
    path = database_path()
    language = from_environment(os.environ)
    try:
        lock = ServerLock(path)
        with closing(Database(path)) as opened:
            erasure.clear_files(opened)
    except DatabaseUnavailable as error:
        sys.stderr.write(f"{describe(error, path, language)}\n")
        raise SystemExit(1) from None
    if not is_sqlite_safe():
        sys.stderr.write(f"{language.gettext(OLD_SQLITE, version=sqlite_version())}\n")
    return lock
