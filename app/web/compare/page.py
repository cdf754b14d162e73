"""Who has the better hand: cards tapped or typed, compared under the table's own tie rule."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import Blueprint, Response, request

from app.http import context
from app.http.forms import Refusal
from app.rules.cards import Card
from app.rules.checks import can
from app.rules.events import BestHand, NoBestHand
from app.rules.hands import Comparison, ComparisonRules, Hand, compare_hands, name_hand
from app.rules.house import HouseRules, listed_hands
from app.rules.state import HAND_DUE, GameState
from app.services import sheets
from app.services.sheets import Sheet
from app.web.compare.hand_entry import Cards, HandEntry, Hands, complete, read_hands, ready
from app.web.table.event_form import event_value
from app.web.table.grid_row import hand_cell
from app.web.templates import render

bp = Blueprint("compare", __name__, url_prefix="/t/<link>")


class Booking(msgspec.Struct, frozen=True):
    """What writes the outcome down: an event, or the address that first asks a question.

    `value` is the event as a button carries it; `open` is False where it may not be recorded.
    """

    event: BestHand | NoBestHand
    value: str
    ask: str | None
    open: bool


@bp.get("/compare")
def page(link: str) -> Response:
    """The hands entered so far, and which of them is best."""
    sheet = sheets.read_sheet(context.db(), link)
    entry = read_hands(request.args, sheet.state.players, at_the_table(sheet.state))
    refusal = Refusal("") if entry.error else None
    view = _view(link, sheet, entry)
    return render(
        "compare/page.html", "compare/_update.html", refusal, sheet=sheet, entry=entry, **view
    )


def at_the_table(state: GameState) -> tuple[str, ...]:
    """Whose hands can be compared: those who play, and everybody once the game is over."""
    return state.players if state.over else state.playing


def _view(link: str, sheet: Sheet, entry: HandEntry) -> dict[str, object]:
    """What the templates show; `numbers` are the seats, from 1."""
    state, players = sheet.state, entry.texts or entry.hands
    result = compare(entry.hands, state.rules)
    return {
        "numbers": {name: number for number, name in enumerate(state.players, start=1)},
        "hands": {name: sort_hand(entry.hands.get(name, ())) for name in players},
        "combinations": {name: name_hand(cards) for name, cards in complete(entry.hands).items()},
        "others": [name for name in at_the_table(state) if name not in players],
        "deck": list(deck(state.rules.suit_order)),
        "holders": {card: name for name, cards in entry.hands.items() for card in cards},
        "result": result,
        "booking": booking(link, state, result) if result and context.access().writes else None,
    }


def compare(hands: Hands, rules: HouseRules) -> Comparison | None:
    """The hands that are complete, compared; None while there is something missing."""
    if not ready(hands):
        return None
    return compare_hands(
        complete(hands), ComparisonRules(rules.ties, rules.suit_order, rules.flush_suits)
    )


def deck(suit_order: str) -> Iterator[Card]:
    """All cards, a line for every suit, the table's best suit first."""
    for suit in suit_order:
        for rank in range(14, 1, -1):
            yield Card(rank, suit)  # type: ignore[arg-type]  # the order holds the four suits


def sort_hand(cards: Cards) -> Cards:
    """Cards as a player sorts a hand: most alike first, then the highest."""
    ranks = [card.rank for card in cards]
    return tuple(sorted(cards, key=lambda card: (-ranks.count(card.rank), -card.rank, card.suit)))


def booking(link: str, state: GameState, result: Comparison) -> Booking | None:
    """What records the outcome as the best hand that is due; None while none is."""
    if state.deal.step not in HAND_DUE:
        return None
    event = best_hand_event(result, state.rules)
    if isinstance(event, NoBestHand):
        return Booking(event, event_value(event), None, can(state, event))
    cell = hand_cell(state, event.player, event.hand)
    ask = f"{context.prefix()}/t/{link}/{cell.ask}" if cell.ask else None
    return Booking(event, event_value(cell.event), ask, cell.open)


def best_hand_event(result: Comparison, rules: HouseRules) -> BestHand | NoBestHand:
    """The event that a comparison amounts to, its hand named as this table tells hands apart."""
    names = result.tied if result.best is None else (result.best,)
    hand = result.named[names[0]] if names else None
    if hand is None:
        return NoBestHand()
    listed = hand if hand in listed_hands(rules) else Hand.ROYAL_FLUSH
    if result.best is None:
        return NoBestHand(hand=listed, tied=result.tied)
    return BestHand(player=result.best, hand=listed)
