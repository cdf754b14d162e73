"""Mending the past: one entry opened, what would change, and the game kept only when it stands."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

import msgspec
from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.i18n.errors import error_text
from app.i18n.game import event_text, explain_effects, hand_label, step_title
from app.i18n.language import Language
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import Event, read_event, write_event
from app.rules.gamefile import decode, read_events
from app.rules.house import listed_hands
from app.rules.mending import Attempt, attempt
from app.rules.settlement import payout
from app.rules.state import GameState, Step
from app.services import play, tables
from app.services.tables import Sheet
from app.web.table.event_form import read_event_form
from app.web.table.grid import amend_rows

bp = Blueprint("amend", __name__, url_prefix="/t/<link>/games/<int:number>")


class Change(msgspec.Struct, frozen=True):
    """What a mended game changes for one player: score, and öre won or lost, before and after."""

    player: str
    was: str
    becomes: str
    differs: bool


@bp.get("/entries/<int:index>")
def entry(link: str, number: int, index: int) -> str:
    """One entry: what it did and why, and what it could have been instead."""
    sheet = tables.sheet(context.pool(), link, number)
    if index >= len(sheet.game.events):
        raise NotFound
    return _show(link, sheet, list(sheet.game.events), index, "")


@bp.get("/log")
def log(link: str, number: int) -> str:
    """Everything ever recorded in a game, old versions included."""
    language = context.language()
    lines = [
        (event_text(line.event, language), line.recorded_at, line.status)
        for line in tables.log(context.pool(), link, number)
    ]
    return render_template("amend/log.html", link=link, number=number, lines=lines)


@bp.post("/mend")
def mend(link: str, number: int) -> AnyResponse:
    """Change the draft, show what it would do, or keep it."""
    sheet = tables.sheet(context.pool(), link, number)
    index, draft = _index(request.form.get("index", "")), list(sheet.game.events)
    try:
        draft = _draft(sheet)
        if request.form.get("event") == "keep":
            return _keep(link, number, draft)
        return make_response(_show(link, sheet, _changed(draft, index, sheet), None, ""))
    except (BadFile, NotAllowed) as refusal:
        said, status = error_text(refusal, context.language()), HTTPStatus.UNPROCESSABLE_ENTITY
    except Stale:
        said, status = (
            context.language().gettext("Somebody else was first. This is the game now."),
            HTTPStatus.CONFLICT,
        )
        sheet, draft = tables.sheet(context.pool(), link, number), list(sheet.game.events)
    at = min(index, len(draft) - 1) if draft else None
    return make_response(_show(link, sheet, draft, at, said), status)


def _index(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _draft(sheet: Sheet) -> list[Event]:
    """The game as it has been mended so far. Raises BadFile."""
    sent = request.form.get("draft")
    if not sent:
        return list(sheet.game.events)
    return list(read_events(decode(sent.encode("utf-8", "replace")), sheet.game.setup.players))


def _changed(draft: list[Event], index: int, sheet: Sheet) -> list[Event]:
    """The draft after one more change. Raises BadFile."""
    match request.form.get("event"), request.form.get("do"):
        case "remove", _:
            return draft[:index] + draft[index + 1 :]
        case "cut", _:
            return draft[:index]
        case _, "insert":
            event = read_event(read_event_form(request.form), sheet.game.setup.players)
            return [*draft[:index], event, *draft[index:]]
        case _:
            event = read_event(read_event_form(request.form), sheet.game.setup.players)
            return [*draft[:index], event, *draft[index + 1 :]]


def _keep(link: str, number: int, draft: list[Event]) -> AnyResponse:
    context.perform(
        link,
        lambda write: play.amend(context.pool(), write, number, draft),
        lambda: tables.sheet(context.pool(), link),
    )
    flash(context.language().gettext("The game is mended."))
    return redirect(url_for("protocol.game", link=link, number=number), HTTPStatus.SEE_OTHER)


def _show(link: str, sheet: Sheet, draft: list[Event], index: int | None, said: str) -> str:
    """The entry at `index`, or where the draft stops holding, or what it would change."""
    language, tried = context.language(), attempt(sheet.game.setup, draft)
    at = tried.held if index is None and tried.refusal else index
    before = tried.states[at] if at is not None and at < len(tried.states) else None
    return render_template(
        "amend/entry.html",
        link=link,
        sheet=sheet,
        state=sheet.state,
        said=said,
        writes=tables.may_write(context.pool(), link, context.pen()),
        draft=msgspec.json.encode([write_event(event) for event in draft]).decode(),
        mended=tuple(draft) != sheet.game.events,
        index=at,
        entry=_entry(draft, at, language),
        whys=_whys(tried, at, language),
        refusal=error_text(tried.refusal, language) if tried.refusal else None,
        step=step_title(before.deal.step, language) if before else "",
        before=before,
        rows=amend_rows(before, language) if before and before.deal.step is not Step.OVER else [],
        hands=[(str(h), hand_label(h, language)) for h in listed_hands(sheet.state.rules)],
        changes=changes(sheet.states, tried.states, language),
    )


def _entry(draft: Sequence[Event], index: int | None, language: Language) -> str:
    return event_text(draft[index], language) if index is not None and index < len(draft) else ""


def _whys(tried: Attempt, index: int | None, language: Language) -> list[str]:
    if index is None or index >= tried.held:
        return []
    return explain_effects(tried.states[index], tried.states[index + 1], language)


def changes(old: Sequence[GameState], new: Sequence[GameState], language: Language) -> list[Change]:
    """What becomes of every player if the new game is kept."""
    was, becomes = _standing(old[-1], language), _standing(new[-1], language)
    return [Change(name, was[name], becomes[name], was[name] != becomes[name]) for name in was]


def _standing(state: GameState, language: Language) -> dict[str, str]:
    paid = payout(state) or {}
    return {
        seat.name: language.points(seat.score)
        + (
            f" ({language.signed_kronor(paid[seat.name])})"
            if state.setup.stake_ore and paid
            else ""
        )
        for seat in state.seats
    }
