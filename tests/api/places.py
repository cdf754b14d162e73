"""The score keeper at another place than that of the machine that runs the tests, or observed."""

from __future__ import annotations

from flask import Flask

from app import create_app
from app.http import address
from app.http.context import pool

HOME = "192.168.1.20"


def _is_none() -> bool:
    return False


def _home_address(listening: str = "") -> str:
    return HOME if listening else ""


def at_home() -> Flask:
    """Make the application of a machine at a fixed address, in no container."""
    address.is_container, address.lan_address = _is_none, _home_address
    return create_app()


def observed() -> Flask:
    """Make an application that tells how many watch tables."""
    app = create_app()
    app.add_url_rule("/watching", "watching", lambda: str(pool().changes.subscribers))
    return app
