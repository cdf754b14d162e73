"""Flash messages: what one request leaves to be told by the next page, and by that page only."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import flash, get_flashed_messages, request


def flash_at(address: str, message: str) -> None:
    """Leave a message for the page at an address; on another page it is not told, and is gone."""
    flash(message, urlsplit(address).path)


def read_flashes() -> list[str]:
    """The messages that were left for the page that is asked for; they are told once."""
    page = f"{request.script_root}{request.path}"
    return [str(told) for told in get_flashed_messages(category_filter=[page])]
