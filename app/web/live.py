"""Pages as they stand, then again after each change: streams, which only a server has."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, render_template

from app.http import context, readers
from app.http.sse import Message, stream_page
from app.services import ledger, sheets
from app.web.evening import page as evening_page
from app.web.table.follow import find_base
from app.web.table.view import FRAGMENT, view_table

bp = Blueprint("live", __name__, url_prefix="/t/<link>")


def register(app: Flask) -> None:
    """Add the streams to the application."""
    readers.register(app)
    app.register_blueprint(bp)


@bp.get("/live")
def table(link: str) -> Response:
    """The table as it stands, then again after each change."""
    reader = readers.current_reader()

    def message() -> Message:
        if context.access().writes:
            sheet = sheets.read_sheet(context.pool(), link)
            shown = view_table(sheet)
            return sheet.seq, render_template(FRAGMENT, sheet=sheet, **shown)
        seq, base = find_base(link, reader)
        return seq, base.fill(seq, reader)

    return stream_page("table", message, readers.bind_view(reader))


@bp.get("/evening/live")
def evening(link: str) -> Response:
    """The newest evening as it stands, then again after each change."""

    def message() -> Message:
        now = ledger.read_ledger(context.pool(), link)
        shown = evening_page.view_evening(now, now.evenings[-1])
        return now.seq, render_template(evening_page.FRAGMENT, **shown)

    return stream_page("evening", message)
