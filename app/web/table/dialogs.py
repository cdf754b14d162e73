"""The dialogs that slide up: score or zero, who tied, one player's rights, and all that is rare."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.concurrency import limit_concurrency
from app.http.forms import LONGEST_TEXT, Refusal
from app.i18n.language import N_
from app.i18n.rule_summary import features, rules_label
from app.rules.events import BestHand, BreakOff, Event, FalseClaim, IllegalExchange, Leaves
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.needs import needs
from app.rules.outcome import Outcome, bookings, is_played, outcome, supposed_outcome
from app.rules.rights import Verdict, can_win, may_bid, may_exchange, must_show
from app.rules.state import GameState
from app.services import tables
from app.services.tables import Sheet
from app.web.table.consequences import (
    Consequences,
    consequences,
    strikes_others,
    wins_at_once,
)
from app.web.table.grid import grid_rows
from app.web.templates import render

bp = Blueprint("dialogs", __name__, url_prefix="/t/<link>")


class Dialog(msgspec.Struct, frozen=True):
    """A dialog: the name of its template, and the values that the template shows."""

    name: str
    values: dict[str, object]


class Choice(msgspec.Struct, frozen=True):
    """One thing to choose: a message to be translated, what it records, and whether it may now.

    `moves_on`: something else is due at the table afterwards.
    """

    label: str
    event: Event
    open: bool
    moves_on: bool


class HandChoice(msgspec.Struct, frozen=True):
    """One way of booking a hand, and by how many points it changes its holder's score.

    `zeroes`: it strikes others besides; `wins`: it ends the game there and then. `told` is all that
    it means, None for a way that may not be chosen now.
    """

    event: BestHand
    points: int
    zeroes: bool
    wins: bool
    told: Consequences | None

    @property
    def open(self) -> bool:
        """Whether it may be chosen now."""
        return self.told is not None


@bp.get("/hand/<int:number>/<name>")
def hand(link: str, number: int, name: str) -> Response:
    """Score or zero, and whom."""
    sheet = tables.read_sheet(context.pool(), link)
    if name not in list(Hand):
        raise NotFound
    return _render_dialog(sheet, _hand_dialog(sheet, _player(sheet, number), Hand(name)))


@bp.get("/row/<name>")
def row(link: str, name: str) -> Response:
    """Who of all it happened to, where the grid has no room for everybody's column."""
    sheet = tables.read_sheet(context.pool(), link)
    rows = {row.name: row for row in grid_rows(sheet.state) if not row.wide}
    response = _render_dialog(sheet, Dialog("row", {"row": rows.get(name)}))
    if name not in rows:
        response.status_code = HTTPStatus.NOT_FOUND
    return response


@bp.get("/tie")
def tie(link: str) -> Response:
    """Which hand tied, and between whom."""
    sheet = tables.read_sheet(context.pool(), link)
    return _render_dialog(sheet, _tie_dialog(sheet))


@bp.get("/player/<int:number>")
def player(link: str, number: int) -> Response:
    """What one player may do and why, and what else can be recorded for that player."""
    sheet = tables.read_sheet(context.pool(), link)
    return _render_dialog(sheet, _player_dialog(sheet, _player(sheet, number)))


@bp.get("/more")
def more(link: str) -> Response:
    """Everything that is seldom needed."""
    sheet = tables.read_sheet(context.pool(), link)
    return _render_dialog(sheet, _more_dialog(sheet))


@bp.get("/sheets")
@limit_concurrency
def sheets(link: str) -> str:
    """Every dialog that records something at this step, by its address.

    A phone has them at hand when its network goes. `rows`: those of rows as well.
    """
    sheet = tables.read_sheet(context.pool(), link)
    found = _dialogs(sheet, with_rows="rows" in request.args)
    drawn = {f"/t/{link}/{end}": dialog for end, dialog in found}
    sheets = [(address, _draw(sheet, dialog, address)) for address, dialog in drawn.items()]
    return render_template("dialogs/sheets.html", sheet=sheet, sheets=sheets)


def _draw(sheet: Sheet, dialog: Dialog, address: str) -> str:
    return render_template(
        f"dialogs/_{dialog.name}.html",
        **{"sheet": sheet, "state": sheet.state, "typed": {}, "back": address, **dialog.values},
    )


def _dialogs(sheet: Sheet, with_rows: bool) -> Iterator[tuple[str, Dialog]]:
    """The end of each dialog's address, and the dialog."""
    players = sheet.game.setup.players
    yield "more", _more_dialog(sheet)
    for number, name in enumerate(players, start=1):
        yield f"player/{number}", _player_dialog(sheet, name)
    for row in grid_rows(sheet.state):
        if with_rows and not row.wide:
            yield f"row/{row.name}", Dialog("row", {"row": row})
        for number, name in [cell.ask for cell in row.cells if cell.ask]:
            if name == "tie":
                yield name, _tie_dialog(sheet)
            else:
                yield f"hand/{number}/{name}", _hand_dialog(sheet, players[number - 1], Hand(name))


def render_filled_in(sheet: Sheet, refusal: Refusal) -> Response | None:
    """The sheet whose form was refused, as it was filled in; None for a tap that filled in none."""
    form = request.form
    match form.get("event"):
        case "correction" if (name := form.get("player", "")) in sheet.game.setup.players:
            response = _render_dialog(sheet, _player_dialog(sheet, name), refusal)
        case "no_best_hand":
            response = _render_dialog(sheet, _tie_dialog(sheet), refusal)
        case _:
            return None
    # Whatever sent the form, the answer belongs where it was filled in.
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#ask", "innerHTML"
    return response


def _hand_dialog(sheet: Sheet, name: str, held: Hand) -> Dialog:
    choices = offered(hand_choices(sheet.state, name, held))
    return Dialog("hand", {"player": name, "hand": held, "choices": choices})


def _tie_dialog(sheet: Sheet) -> Dialog:
    return Dialog("tie", {"hands": listed_hands(sheet.state.rules)})


def _player_dialog(sheet: Sheet, name: str) -> Dialog:
    state = sheet.state
    values: dict[str, object] = {
        "player": name,
        "verdicts": verdicts(state, name),
        "shows": must_show(state, name),
        "choices": rare_choices(state, name),
        "needs": needs(state, name) if name in state.playing and not state.over else None,
    }
    return Dialog("player", values)


def _more_dialog(sheet: Sheet) -> Dialog:
    setup, language = sheet.game.setup, context.language()
    settled = N_("Break off the game – the standing counts")
    void = N_("Break off the game – nobody pays")
    values: dict[str, object] = {
        "preset": rules_label(setup.preset, setup.rules, language),
        "features": features(setup.rules, language),
        "choices": [
            _choice(sheet.state, settled, BreakOff(settle=True)),
            _choice(sheet.state, void, BreakOff(settle=False)),
        ],
    }
    return Dialog("more", values)


def verdicts(state: GameState, name: str) -> list[Verdict]:
    """May this player exchange, bid and win; each reason once."""
    reasons: list[Verdict] = []
    for verdict in (may_exchange(state, name), may_bid(state, name), can_win(state, name)):
        if verdict not in reasons:
            reasons.append(verdict)
    return reasons


def hand_choices(state: GameState, player: str, hand: Hand) -> list[HandChoice]:
    """Every way of booking a hand for a player, as the house rules know it."""
    return [_hand_choice(state, way) for way in bookings(state, player, hand)]


def offered(choices: list[HandChoice]) -> list[HandChoice]:
    """Those that may be chosen now; all of them, each refused with its reason, where none may."""
    return [choice for choice in choices if choice.open] or choices


def _hand_choice(state: GameState, way: BestHand) -> HandChoice:
    result = outcome(state, way)
    if isinstance(result, Outcome):
        points, told = result.points(way.player), consequences(result)
    else:
        result = supposed_outcome(state, way)
        points, told = result.booked(way.player), None
    return HandChoice(way, points, strikes_others(result), wins_at_once(result), told)


def rare_choices(state: GameState, name: str) -> list[Choice]:
    """What else can happen to a player, as far as the house rules know it."""
    choices = [_choice(state, N_("Leaves the game"), Leaves(player=name))]
    somebody = state.playing[0]
    if is_played(state, FalseClaim(player=somebody)):
        choices.append(_choice(state, N_("Claimed falsely: out"), FalseClaim(player=name)))
    if is_played(state, IllegalExchange(player=somebody)):
        label = N_("Exchanged in spite of the stop: zero")
        choices.append(_choice(state, label, IllegalExchange(player=name)))
    return choices


def _render_dialog(sheet: Sheet, dialog: Dialog, refusal: Refusal | None = None) -> Response:
    """A dialog within the page, or as a page of its own where there is no script.

    After a refusal it shows again what was typed, and the reason: at the field that is `wrong`, or
    over the whole.
    """
    page, fragment = f"dialogs/{dialog.name}.html", f"dialogs/_{dialog.name}.html"
    typed = {
        "points": request.form.get("points", "")[:LONGEST_TEXT],
        "hand": request.form.get("hand", ""),
        "tied": request.form.getlist("tied"),
    }
    values: dict[str, object] = {"sheet": sheet, "state": sheet.state, "typed": typed}
    wrong = refusal is not None and refusal.malformed
    return render(page, fragment, refusal, wrong=wrong, **values, **dialog.values)


def _player(sheet: Sheet, number: int) -> str:
    players = sheet.game.setup.players
    if not 1 <= number <= len(players):
        raise NotFound
    return players[number - 1]


def _choice(state: GameState, label: str, event: Event) -> Choice:
    result = outcome(state, event)
    if not isinstance(result, Outcome):
        return Choice(label, event, open=False, moves_on=False)
    return Choice(label, event, open=True, moves_on=result.moves_on())
