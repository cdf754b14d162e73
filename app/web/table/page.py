"""The table's page: what the keeper records on, and what everybody else reads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.sse import Message, stream
from app.i18n.errors import error_text
from app.i18n.game import explain_payout
from app.i18n.language import Language
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import Event
from app.rules.settlement import Transfer, payout, transfers
from app.rules.state import Effect, GameState, Seat
from app.services import play, tables
from app.services.tables import Sheet, Write
from app.web.table.event_form import read_event_form
from app.web.table.grid import grid_rows
from app.web.table.prompts import prompts
from app.web.table.scoreboard import scoreboard

bp = Blueprint("table", __name__, url_prefix="/t/<link>")

LATEST = 8


@bp.get("")
def page(link: str) -> AnyResponse:
    """The table as it stands."""
    sheet = tables.sheet(context.pool(), link)
    if "HX-Request" not in request.headers:
        context.remember_table(link)
    response = show(link, sheet)
    response.set_etag(f"{sheet.seq}-{context.language().code}", weak=True)
    return response.make_conditional(request)


@bp.get("/live")
def live(link: str) -> Response:
    """The table as it stands, then again after each change."""
    language = context.language()
    writes = tables.may_write(context.pool(), link, context.pen())

    def message() -> Message:
        g.language = language
        sheet = tables.sheet(context.pool(), link)
        return sheet.seq, render(link, sheet, writes)

    return stream(link, (language.code, writes), message)


@bp.post("/events")
def record(link: str) -> AnyResponse:
    """Record what was tapped."""
    what = repr(sorted(request.form.items(multi=True)))
    return _change(
        link, what, lambda write: play.record(context.pool(), write, read_event_form(request.form))
    )


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take the newest event back."""
    return _change(link, "undo", lambda write: play.undo(context.pool(), write))


@bp.post("/redo")
def redo(link: str) -> AnyResponse:
    """Record again what was undone last."""
    return _change(link, "redo", lambda write: play.redo(context.pool(), write))


@bp.post("/games")
def rematch(link: str) -> AnyResponse:
    """Start the next game: same seats and rules, the deal moves on."""
    return _change(link, "game", lambda write: play.next_game(context.pool(), write))


def _change(link: str, what: str, act: Callable[[Write], Sheet]) -> AnyResponse:
    """Do a change and show the table; a refusal shows it too, with the reason in words."""
    try:
        sheet = act(context.write_request(link, what))
    except Stale:
        said = context.language().gettext("Somebody else was first. This is the table now.")
        return _refused(link, said, HTTPStatus.CONFLICT)
    except (NotAllowed, BadFile) as refusal:
        said = error_text(refusal, context.language())
        return _refused(link, said, HTTPStatus.UNPROCESSABLE_ENTITY)
    if "HX-Request" in request.headers:
        return show(link, sheet)
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def _refused(link: str, said: str, status: HTTPStatus) -> Response:
    response = show(link, tables.sheet(context.pool(), link), said)
    response.status_code = status
    return response


def show(link: str, sheet: Sheet, said: str = "") -> Response:
    """The table: the whole page, or the part of it that htmx swaps."""
    writes = tables.may_write(context.pool(), link, context.pen())
    part = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    return make_response(render(link, sheet, writes, said, whole=not part))


def render(link: str, sheet: Sheet, writes: bool, said: str = "", *, whole: bool = False) -> str:
    """The table in the language being spoken, with the means to write only for who `writes`."""
    template = "table/page.html" if whole else "table/_table.html"
    return render_template(
        template, link=link, sheet=sheet, said=said, writes=writes, **_view(sheet)
    )


def _view(sheet: Sheet) -> dict[str, object]:
    """What the templates show of a table."""
    state = sheet.state
    return {
        "state": state,
        "heads": scoreboard(state),
        # Only who writes sees the grid, and it is the dearest to make.
        "rows": partial(grid_rows, state),
        "prompts": prompts(state),
        "latest": latest(sheet),
        "result": result(state, context.language()) if state.over else None,
    }


def latest(sheet: Sheet) -> list[tuple[Event, tuple[Effect, ...]]]:
    """What was recorded last, the newest first, each event with what it set off."""
    newest = zip(sheet.game.events[-LATEST:], sheet.states[1:][-LATEST:], strict=True)
    return [(event, after.effects) for event, after in reversed(list(newest))]


class Result(msgspec.Struct, frozen=True):
    """How a game ended: why, and in öre what each wins or loses and who pays whom.

    `ranked`: the winners first, then the highest score. `sums` tells how it was worked out.
    """

    why: Effect
    sums: list[str]
    ranked: list[Seat]
    paid: dict[str, int]
    payments: list[Transfer]


def result(state: GameState, language: Language) -> Result:
    """The end of a game, highest score first."""
    paid = payout(state) or {}
    return Result(
        why=state.effects[-1],
        sums=explain_payout(state, language),
        ranked=sorted(state.seats, key=lambda seat: (seat.name not in state.winners, -seat.score)),
        paid=paid,
        payments=transfers(paid),
    )
