"""Mending the past: one entry opened, what would change, and the game kept only when it stands."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TypeVar

import msgspec
from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.concurrency import limit_concurrency
from app.http.flashes import flash_at
from app.http.forms import Refusal, attempt, read_int, redirect_to, submit
from app.http.page_cache import cache_page
from app.i18n.language import N_
from app.rules.errors import BadFile
from app.rules.events import Event, read_event, write_event
from app.rules.game import fold
from app.rules.gamefile import read_events
from app.rules.house import listed_hands
from app.rules.json_input import decode
from app.rules.settlement import payout
from app.rules.state import GameState
from app.services import play, tables
from app.services.tables import Sheet
from app.web.table.event_form import read_event_form
from app.web.table.grid import amend_rows
from app.web.templates import render

bp = Blueprint("amend", __name__, url_prefix="/t/<link>/games/<int:number>")

STALE = N_("Somebody else was first. This is the game now.")
MAX_INDEX = 99_999

T = TypeVar("T")
Events = tuple[Event, ...]


class Standing(msgspec.Struct, frozen=True):
    """A player's score, and what the player wins or loses in öre where the game is paid for."""

    player: str
    score: int
    ore: int | None


@bp.get("/entries/<int:index>")
@limit_concurrency
def entry(link: str, number: int, index: int) -> Response:
    """One entry: what it did and why, and what it could have been instead."""
    sheet = tables.read_sheet(context.pool(), link, number)
    if index >= len(sheet.game.events):
        raise NotFound
    return _render_draft(sheet, sheet.game.events, index)


@bp.get("/log")
@cache_page()
@limit_concurrency
def log(link: str, number: int) -> Response:
    """Everything ever recorded in a game, old versions included."""
    lines = tables.read_log(context.pool(), link, number)
    return render("amend/log.html", number=number, lines=lines)


@bp.post("/mend")
@limit_concurrency
def mend(link: str, number: int) -> AnyResponse:
    """Change the draft and show what it would do, or let the game have gone like that."""
    sheet = tables.read_sheet(context.pool(), link, number)
    draft = attempt(lambda: _read_draft(sheet))
    if isinstance(draft, Refusal):
        return _render_refused(sheet, sheet.game.events, draft)
    if request.form.get("event") == "keep":
        return _keep(link, sheet, draft)
    edited = attempt(lambda: _edit(draft, sheet))
    if isinstance(edited, Refusal):
        return _render_refused(sheet, draft, edited)
    return _render_draft(sheet, edited, None)


def _read_draft(sheet: Sheet) -> Events:
    """The game as it has been mended so far. Raises BadFile."""
    sent = request.form.get("draft")
    if not sent:
        return sheet.game.events
    try:
        text = base64.b64decode(sent, altchars="-_", validate=True)
    except ValueError:
        raise BadFile("not_json") from None
    return tuple(read_events(decode(text), sheet.game.setup.players))


def _write_draft(draft: Events) -> str:
    """The draft as its forms carry it, of letters that take no more room on a page than here."""
    text = msgspec.json.encode([write_event(event) for event in draft])
    return base64.urlsafe_b64encode(text).decode()


def _edit(draft: Events, sheet: Sheet) -> Events:
    """The draft after one more change. Raises BadFile."""
    index, what, form = _read_index(), request.form.get("event"), request.form
    if what == "remove":
        return draft[:index] + draft[index + 1 :]
    if what == "cut":
        return draft[:index]
    event = read_event(read_event_form(form), sheet.game.setup.players)
    rest = draft[index if form.get("do") == "insert" else index + 1 :]
    return (*draft[:index], event, *rest)


def _read_index() -> int:
    """The entry that the form is about; the first where it names none."""
    return read_int(request.form.get("index", ""), 0, MAX_INDEX) or 0


def _keep(link: str, sheet: Sheet, draft: Events) -> AnyResponse:
    """Let the game have gone as the draft says."""
    number = sheet.number
    outcome = submit(
        lambda pool, write: play.amend(pool, write, number, draft),
        lambda: tables.read_sheet(context.pool(), link, number),
        STALE,
    )
    if isinstance(outcome, Refusal):
        if outcome.stale:
            sheet = tables.read_sheet(context.pool(), link, number)
            draft = sheet.game.events
        return _render_refused(sheet, draft, outcome)
    protocol = url_for("protocol.game", link=link, number=number)
    flash_at(protocol, context.language().gettext("The game is mended."))
    return redirect_to(protocol)


def _render_refused(sheet: Sheet, draft: Events, refusal: Refusal) -> Response:
    """The draft again, at the entry that the form was about."""
    at = min(_read_index(), len(draft) - 1) if draft else None
    return _render_draft(sheet, draft, at, refusal)


def _render_draft(
    sheet: Sheet, draft: Events, index: int | None, refusal: Refusal | None = None
) -> Response:
    """The entry at `index`, or where the draft stops holding, or what it would change."""
    states, fault = fold(sheet.game.setup, draft)
    at = fault.event if index is None and fault else index
    before = _at(states, at)
    return render(
        "amend/entry.html",
        "",
        refusal,
        sheet=sheet,
        state=sheet.state,
        draft=_write_draft(draft),
        differs=draft != sheet.game.events,
        index=at,
        event=_at(draft, at),
        fault=fault,
        before=before,
        after=_at(states, None if at is None else at + 1),
        rows=amend_rows(before) if before and not before.over else [],
        hands=listed_hands(sheet.state.rules),
        standings=list(zip(standings(sheet.state), standings(states[-1]), strict=True)),
    )


def _at(values: Sequence[T], index: int | None) -> T | None:
    return values[index] if index is not None and index < len(values) else None


def standings(state: GameState) -> list[Standing]:
    """Where every player stands, in seat order."""
    ore = payout(state) if state.setup.stake_ore else None
    return [Standing(seat.name, seat.score, (ore or {}).get(seat.name)) for seat in state.seats]
