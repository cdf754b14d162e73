"""The table's page: what the keeper records on, and what everybody else reads."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.concurrency import limit_concurrency
from app.http.flashes import flash_at, read_flashes
from app.http.forms import Refusal, TableChange, read_int, redirect_to, submit
from app.http.phone_tables import remember_table
from app.http.sse import Message, stream_page
from app.i18n.language import N_
from app.rules.events import Event
from app.rules.gamefile import MAX_EVENTS
from app.rules.settlement import Transfer, payout, transfers
from app.rules.state import Effect, GameState, Seat
from app.services import play, tables
from app.services.tables import Sheet
from app.web.table.dialogs import render_filled_in
from app.web.table.event_form import read_event_form
from app.web.table.grid import grid_rows
from app.web.table.happened import happened
from app.web.table.prompts import prompts
from app.web.table.scoreboard import scoreboard
from app.web.table.sheet_address import sheet_address
from app.web.templates import render

bp = Blueprint("table", __name__, url_prefix="/t/<link>")

FRAGMENT = "table/_table.html"
STALE = N_("Somebody else was first. This is the table now.")
LATEST = 8


@bp.get("")
@limit_concurrency
def page(link: str) -> AnyResponse:
    """The table as it stands."""
    sheet, told = tables.read_sheet(context.pool(), link), ""
    if not context.wants_fragment():
        remember_table(link)
        told = " ".join(read_flashes())
    response = render_table(sheet, told=told)
    # Of all that it shows: who writes has another page than who reads. Weak, as it is compressed.
    response.add_etag(weak=True)
    return response.make_conditional(request)


@bp.get("/live")
def live(link: str) -> Response:
    """The table as it stands, then again after each change."""

    def message() -> Message:
        sheet = tables.read_sheet(context.pool(), link)
        return sheet.seq, render_template(FRAGMENT, sheet=sheet, **_view(sheet))

    return stream_page("table", message)


@bp.post("/events")
def record(link: str) -> AnyResponse:
    """Record what was tapped, or filled in on a sheet, which a refusal shows again."""
    outcome = _submit(
        link, lambda pool, write: play.record(pool, write, read_event_form(request.form))
    )
    if isinstance(outcome, Refusal):
        sheet = tables.read_sheet(context.pool(), link)
        return render_filled_in(sheet, outcome) or render_table(sheet, outcome)
    return _answer(link, outcome)


@bp.post("/undo")
def undo(link: str) -> AnyResponse:
    """Take the newest change back, and show the table, or the score sheet of `game` and `deal`."""
    game, deal = (read_int(request.form.get(name, ""), 1, MAX_EVENTS) for name in ("game", "deal"))
    if game is None:
        return _change(link, play.undo)
    outcome, address = _submit(link, play.undo), sheet_address(game, deal)
    undone = context.language().gettext("The change is undone.")
    flash_at(address, outcome.message if isinstance(outcome, Refusal) else undone)
    return redirect_to(address)


@bp.post("/redo")
def redo(link: str) -> AnyResponse:
    """Record again what was undone last."""
    return _change(link, play.redo)


@bp.post("/games")
def rematch(link: str) -> AnyResponse:
    """Start the next game: same seats and rules, the deal moves on."""
    return _change(link, play.next_game)


def _change(link: str, act: TableChange[Sheet]) -> AnyResponse:
    """Do a change and show the table; a refusal shows it too, with the reason in words."""
    outcome = _submit(link, act)
    if isinstance(outcome, Refusal):
        return render_table(tables.read_sheet(context.pool(), link), outcome)
    return _answer(link, outcome)


def _submit(link: str, act: TableChange[Sheet]) -> Sheet | Refusal:
    """Do a change of the table as this request asks, or say why not."""
    return submit(act, lambda: tables.read_sheet(context.pool(), link), STALE)


def _answer(link: str, sheet: Sheet) -> AnyResponse:
    """The table after a change."""
    if context.wants_fragment():
        return render_table(sheet)
    return redirect_to(url_for("table.page", link=link))


def render_table(sheet: Sheet, refusal: Refusal | None = None, told: str = "") -> Response:
    """The table: the whole page, or the part of it that htmx swaps; `told` is said on it."""
    return render("table/page.html", FRAGMENT, refusal, sheet=sheet, told=told, **_view(sheet))


def _view(sheet: Sheet) -> dict[str, object]:
    """What the templates show of a table."""
    state = sheet.state
    return {
        "state": state,
        "heads": scoreboard(state),
        # Only who writes sees the grid, and it is the dearest to make.
        "rows": grid_rows(state) if context.access().writes else [],
        "prompts": prompts(state),
        "happened": happened(sheet),
        "latest": latest(sheet),
        "result": result(state) if state.over else None,
    }


def latest(sheet: Sheet) -> list[tuple[Event, tuple[Effect, ...]]]:
    """What was recorded last, the newest first, each event with what it set off.

    Who had nothing is not told of as zeroed.
    """
    newest = zip(sheet.game.events[-LATEST:], sheet.states[1:][-LATEST:], strict=True)
    return [(event, _felt(after.effects)) for event, after in reversed(list(newest))]


def _felt(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    return tuple(effect for effect in effects if effect.code != "zeroed" or effect.points)


class GameEnd(msgspec.Struct, frozen=True):
    """How a game ended: why, and in öre what each wins or loses and who pays whom.

    `ranking`: the winners first, then the highest score.
    """

    why: Effect
    ranking: list[Seat]
    payout: dict[str, int]
    payments: list[Transfer]


def result(state: GameState) -> GameEnd:
    """The end of a game, highest score first."""
    amounts = payout(state) or {}
    return GameEnd(
        why=state.effects[-1],
        ranking=sorted(state.seats, key=lambda seat: (seat.name not in state.winners, -seat.score)),
        payout=amounts,
        payments=transfers(amounts),
    )
