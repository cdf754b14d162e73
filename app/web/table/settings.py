"""All that a table has beside its game: how it went over the years, what is kept, this phone."""

from __future__ import annotations

from flask import Blueprint, Response

from app.web.templates import render

bp = Blueprint("settings", __name__, url_prefix="/t/<link>/settings")


@bp.get("")
def page(link: str) -> Response:
    """Where everything else is that the menu has no room for."""
    return render("table/settings.html")
