"""The dialogs that slide up: score or zero, who tied, one player's rights, and all that is rare."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.forms import LONGEST_TEXT, Refusal
from app.i18n.language import N_
from app.i18n.rule_summary import features, rules_label
from app.rules.checks import can
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


class Choice(msgspec.Struct, frozen=True):
    """One thing to choose: a message to be translated, what it records, and whether it may now."""

    label: str
    event: Event
    open: bool


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
    player, held = _player(sheet, number), Hand(name)
    choices = offered(hand_choices(sheet.state, player, held))
    return _render_dialog(sheet, "hand", player=player, hand=held, choices=choices)


@bp.get("/row/<name>")
def row(link: str, name: str) -> Response:
    """Who of all it happened to, where the grid has no room for everybody's column."""
    sheet = tables.read_sheet(context.pool(), link)
    rows = {row.name: row for row in grid_rows(sheet.state) if not row.wide}
    response = _render_dialog(sheet, "row", row=rows.get(name))
    if name not in rows:
        response.status_code = HTTPStatus.NOT_FOUND
    return response


@bp.get("/tie")
def tie(link: str) -> Response:
    """Which hand tied, and between whom."""
    return _render_tie(tables.read_sheet(context.pool(), link))


@bp.get("/player/<int:number>")
def player(link: str, number: int) -> Response:
    """What one player may do and why, and what else can be recorded for that player."""
    sheet = tables.read_sheet(context.pool(), link)
    return _render_player(sheet, _player(sheet, number))


def render_filled_in(sheet: Sheet, refusal: Refusal) -> Response | None:
    """The sheet whose form was refused, as it was filled in; None for a tap that filled in none."""
    form = request.form
    match form.get("event"):
        case "correction" if (name := form.get("player", "")) in sheet.game.setup.players:
            response = _render_player(sheet, name, refusal)
        case "no_best_hand":
            response = _render_tie(sheet, refusal)
        case _:
            return None
    # Whatever sent the form, the answer belongs where it was filled in.
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#ask", "innerHTML"
    return response


def _render_tie(sheet: Sheet, refusal: Refusal | None = None) -> Response:
    hands = listed_hands(sheet.state.rules)
    return _render_dialog(sheet, "tie", refusal, hands=hands)


def _render_player(sheet: Sheet, name: str, refusal: Refusal | None = None) -> Response:
    state = sheet.state
    return _render_dialog(
        sheet,
        "player",
        refusal,
        player=name,
        verdicts=verdicts(state, name),
        shows=must_show(state, name),
        choices=rare_choices(state, name),
        needs=needs(state, name) if name in state.playing and not state.over else None,
    )


@bp.get("/more")
def more(link: str) -> Response:
    """Everything that is seldom needed."""
    sheet, language = tables.read_sheet(context.pool(), link), context.language()
    setup = sheet.game.setup
    return _render_dialog(
        sheet,
        "more",
        preset=rules_label(setup.preset, setup.rules, language),
        features=features(setup.rules, language),
        choices=[
            _choice(
                sheet.state, N_("Break off the game – the standing counts"), BreakOff(settle=True)
            ),
            _choice(sheet.state, N_("Break off the game – nobody pays"), BreakOff(settle=False)),
        ],
    )


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


def _render_dialog(
    sheet: Sheet, dialog: str, refusal: Refusal | None = None, **values: object
) -> Response:
    """A dialog within the page, or as a page of its own where there is no script.

    After a refusal it shows again what was typed, and the reason: at the field that is `wrong`, or
    over the whole.
    """
    page, fragment = f"dialogs/{dialog}.html", f"dialogs/_{dialog}.html"
    typed = {
        "points": request.form.get("points", "")[:LONGEST_TEXT],
        "hand": request.form.get("hand", ""),
        "tied": request.form.getlist("tied"),
    }
    wrong = refusal is not None and refusal.malformed
    return render(
        page, fragment, refusal, sheet=sheet, state=sheet.state, typed=typed, wrong=wrong, **values
    )


def _player(sheet: Sheet, number: int) -> str:
    players = sheet.game.setup.players
    if not 1 <= number <= len(players):
        raise NotFound
    return players[number - 1]


def _choice(state: GameState, label: str, event: Event) -> Choice:
    return Choice(label, event, can(state, event))
