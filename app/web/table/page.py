"""The table's page: what the keeper records on, and what everybody else reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.sse import Message, stream
from app.i18n.errors import error_text
from app.i18n.game import effect_text, event_text, explain_payout, step_title
from app.i18n.language import Language
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.settlement import payout, transfers
from app.rules.state import GameState
from app.services import play, tables
from app.services.tables import Sheet, Write
from app.web.table.event_form import read_event_form
from app.web.table.grid import grid_rows
from app.web.table.prompts import prompts, whose_deal
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
    return _change(
        link, lambda write: play.record(context.pool(), write, read_event_form(request.form))
    )


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take the newest event back."""
    return _change(link, lambda write: play.undo(context.pool(), write))


@bp.post("/redo")
def redo(link: str) -> AnyResponse:
    """Record again what was undone last."""
    return _change(link, lambda write: play.redo(context.pool(), write))


@bp.post("/games")
def rematch(link: str) -> AnyResponse:
    """Start the next game: same seats and rules, the deal moves on."""
    return _change(link, lambda write: play.next_game(context.pool(), write))


def _change(link: str, act: Callable[[Write], Sheet]) -> AnyResponse:
    """Do a change and show the table; a refusal shows it too, with the reason in words."""
    try:
        sheet = context.perform(link, act, lambda: tables.sheet(context.pool(), link))
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
    writes = context.access(link).writes
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
    language, state = context.language(), sheet.state
    return {
        "state": state,
        "heads": scoreboard(state, language),
        "rows": grid_rows(state, language),
        "title": step_title(state.deal.step, language),
        "whose_deal": whose_deal(state, language),
        "sentences": prompts(state, language),
        "undoable": event_text(sheet.undoable, language) if sheet.undoable else None,
        "redoable": event_text(sheet.redoable, language) if sheet.redoable else None,
        "latest": list(latest(sheet, language)),
        "result": result(state, language) if state.over else None,
    }


def latest(sheet: Sheet, language: Language) -> Iterator[str]:
    """What happened last, the newest first, each fact with what it set off."""
    newest = zip(sheet.game.events[-LATEST:], sheet.states[1:][-LATEST:], strict=True)
    for event, after in reversed(list(newest)):
        said = "; ".join(effect_text(effect, language) for effect in after.effects)
        yield said or event_text(event, language)


class Result(msgspec.Struct, frozen=True):
    """How a game ended: why, what each wins or loses, and who pays whom, in words."""

    why: str
    sums: list[str]
    lines: list[tuple[str, str, str]]
    payments: list[tuple[str, str, str]]


def result(state: GameState, language: Language) -> Result:
    """The end of a game, highest score first."""
    paid = payout(state) or {}
    ranked = sorted(state.seats, key=lambda seat: (seat.name not in state.winners, -seat.score))
    return Result(
        why=effect_text(state.effects[-1], language),
        sums=explain_payout(state, language),
        lines=[
            (seat.name, language.points(seat.score), language.signed_kronor(paid[seat.name]))
            for seat in ranked
        ],
        payments=[(t.payer, t.payee, language.kronor(t.ore)) for t in transfers(paid)],
    )
