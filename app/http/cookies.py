"""Signed cookies, and the key that signs them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from flask import Flask, Request, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

from app.store.files import restrict_to_owner


class SignedCookies(SecureCookieSessionInterface):
    """Reads and signs cookies with a key that is there before the first of them is looked at."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Read the cookie, with a key made now if there is none yet."""
        if not app.secret_key:
            app.secret_key = load_secret_key(Path(app.config["DATABASE"]).with_name("secret-key"))
        return super().open_session(app, request)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Set `Secure` for requests that came by HTTPS; a server in a kitchen has none."""
        return super().get_cookie_secure(app) or request.is_secure


def load_secret_key(path: Path) -> bytes:
    """The key that signs cookies: made once, kept beside the database, readable by its owner.

    Whoever is first puts it in place whole, so nobody ever reads half a key.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent) as file:  # only its owner may read it
            file.write(os.urandom(32).hex().encode())
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(file.name, path)
    restrict_to_owner(path)
    return path.read_bytes()
