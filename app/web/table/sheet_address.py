"""Where the score sheet of a game is, with a deal laid open."""

from __future__ import annotations

from flask import url_for

from app.http import context


def sheet_address(number: int, deal: int | None = None) -> str:
    """The score sheet of one of the table's games, scrolled to a deal where one is named."""
    anchor = None if deal is None else f"deal-{deal}"
    return url_for("protocol.game", link=context.link(), number=number, deal=deal, _anchor=anchor)
