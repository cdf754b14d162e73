"""Server-sent events: where a table stands now, and then each change."""

from __future__ import annotations

from flask import Blueprint, Response

from app import tables
from app.api.answers import changed
from app.current import store
from app.streams import Message, stream

bp = Blueprint("live", __name__)


@bp.get("/tables/<link>/live")
def live(link: str) -> Response:
    """The table's present state, then each change within a second."""

    def message() -> Message:
        sheet = tables.sheet(store(), link)
        return sheet.seq, changed(sheet)

    return stream(link, "program", message)
