"""Pages as they stand, then again after each change: streams, which only a server has."""

from collections.abc import Callable, Hashable

from flask import Blueprint, Response, render_template, request

from app.http import context, rendered
from app.http.stream import event, stream
from app.web import evening as evening_page
from app.web.board import MIDDLE, draw_board, view_middle
from app.web.readers import Reader, current_reader, find_base

bp = Blueprint("live", __name__, url_prefix="/t/<link>")


@bp.get("/live")
def table() -> Response:
    """The table as it stands, then again after each change."""

    def find_reader() -> Reader | None:
        return None if context.access().writes else current_reader(find_base())

    def draw() -> str:
        if reader := find_reader():
            return find_base().fill(reader)
        return draw_board(context.read_view())

    return _stream(draw, "table", find_reader)


@bp.get("/middle/live")
def middle() -> Response:
    """The scores for the middle of the table as they stand, then again after each change."""

    def draw() -> str:
        return render_template(MIDDLE, **view_middle(context.read_view()))

    return _stream(draw, "middle")


@bp.get("/evening/live")
def evening() -> Response:
    """The newest evening as it stands, then again after each change."""

    def draw() -> str:
        shown = evening_page.view_evening(context.read_ledger())
        return render_template(evening_page.FRAGMENT, **shown)

    return _stream(draw, "evening", of_ledger=True)


def _stream(
    draw: Callable[[], str],
    name: str,
    vary_on: Callable[[], Hashable] = lambda: None,
    *,
    of_ledger: bool = False,
) -> Response:
    """Stream a part of a page, drawn once for all who are shown the same."""

    def draw_anew(seq: int) -> bytes:
        context.refresh_table()
        return event(context.access().ledger_seq if of_ledger else seq, draw())

    def render(seq: int) -> bytes:
        context.advance_table(seq, of_ledger=of_ledger)
        return rendered.memoize(lambda: draw_anew(seq), name, vary_on(), of_ledger=of_ledger)

    return stream(render, request.args.get("seen", 0, int))
