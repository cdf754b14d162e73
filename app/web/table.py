"""The table's page: what the keeper records on, and what everybody else reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app import playing, tables
from app.languages import Language
from app.reasons import sentence
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.settlement import payout, transfers
from app.rules.state import GameState
from app.streams import Message, stream
from app.tables import Sheet, Write
from app.texts import effect_text, event_text, step_title
from app.web import phone
from app.web.board import rows
from app.web.due import sentences, whose_deal
from app.web.heads import heads
from app.web.taps import tapped
from app.whys import explain_payout

bp = Blueprint("table", __name__, url_prefix="/t/<link>")

LATEST = 8


@bp.get("")
def page(link: str) -> AnyResponse:
    """The table as it stands."""
    sheet = tables.sheet(phone.store(), link)
    if "HX-Request" not in request.headers:
        phone.remember(link)
    response = show(link, sheet)
    response.set_etag(f"{sheet.seq}-{phone.speaking().code}", weak=True)
    return response.make_conditional(request)


@bp.get("/live")
def live(link: str) -> Response:
    """The table as it stands, then again after each change."""
    language = phone.speaking()
    writes = tables.may_write(phone.store(), link, phone.pen())

    def message() -> Message:
        g.language = language
        sheet = tables.sheet(phone.store(), link)
        return sheet.seq, render(link, sheet, writes)

    return stream(link, (language.code, writes), message)


@bp.post("/events")
def record(link: str) -> AnyResponse:
    """Record what was tapped."""
    what = repr(sorted(request.form.items(multi=True)))
    return _change(
        link, what, lambda write: playing.record(phone.store(), write, tapped(request.form))
    )


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take the newest event back."""
    return _change(link, "undo", lambda write: playing.undo(phone.store(), write))


@bp.post("/redo")
def redo(link: str) -> AnyResponse:
    """Record again what was undone last."""
    return _change(link, "redo", lambda write: playing.redo(phone.store(), write))


@bp.post("/games")
def rematch(link: str) -> AnyResponse:
    """Start the next game: same seats and rules, the deal moves on."""
    return _change(link, "game", lambda write: playing.next_game(phone.store(), write))


def _change(link: str, what: str, act: Callable[[Write], Sheet]) -> AnyResponse:
    """Do a change and show the table; a refusal shows it too, with the reason in words."""
    try:
        sheet = act(phone.write(link, what))
    except Stale:
        said = phone.speaking().gettext("Somebody else was first. This is the table now.")
        return _refused(link, said, HTTPStatus.CONFLICT)
    except (NotAllowed, BadFile) as refusal:
        said = sentence(refusal, phone.speaking())
        return _refused(link, said, HTTPStatus.UNPROCESSABLE_ENTITY)
    if "HX-Request" in request.headers:
        return show(link, sheet)
    return redirect(url_for("table.page", link=link), HTTPStatus.SEE_OTHER)


def _refused(link: str, said: str, status: HTTPStatus) -> Response:
    response = show(link, tables.sheet(phone.store(), link), said)
    response.status_code = status
    return response


def show(link: str, sheet: Sheet, said: str = "") -> Response:
    """The table: the whole page, or the part of it that htmx swaps."""
    writes = tables.may_write(phone.store(), link, phone.pen())
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
    language, state = phone.speaking(), sheet.state
    return {
        "state": state,
        "heads": heads(state, language),
        "rows": rows(state, language),
        "title": step_title(state.deal.step, language),
        "whose_deal": whose_deal(state, language),
        "sentences": sentences(state, language),
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
