"""What the environment says of the server, read once: what cannot be read ends the start.

Each reader raises SystemExit with one sentence, which names the variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from app.http import tls
from app.http.prefix import is_prefix
from app.http.request import is_host
from app.services.instances import NAME


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
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.netloc)
        and is_host(parts.netloc)
        and (not parts.path or is_prefix(parts.path))
        and not _has_more(url)
    )


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


def read_certificate(certificate: str, key: str) -> tuple[str, str] | None:
    """CHICAGO_CERT and CHICAGO_KEY, the files to serve HTTPS with; None where neither is set.

    Raises SystemExit where one is missing, cannot be read, or does not belong to the other.
    """
    if not (certificate or key):
        return None
    _check_readable("CHICAGO_CERT", certificate, "CHICAGO_KEY")
    _check_readable("CHICAGO_KEY", key, "CHICAGO_CERT")
    try:
        tls.make_context(certificate, key)
    except (OSError, ValueError):
        raise SystemExit(
            f"CHICAGO_CERT and CHICAGO_KEY: {certificate} and {key} are no certificate with its"
            " key, as PEM and without a password"
        ) from None
    return certificate, key


def _check_readable(name: str, file: str, other: str) -> None:
    if not file:
        raise SystemExit(f"{other} without {name}: HTTPS takes a certificate and its key")
    try:
        Path(file).read_bytes()
    except OSError as error:
        raise SystemExit(f"{name}: {file} cannot be read: {error.strerror}") from None
