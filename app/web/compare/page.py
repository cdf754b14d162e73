"""Who has the better hand: cards tapped or typed, compared under the table's own tie rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, make_response, render_template, request

from app.http import context
from app.i18n.game import event_text, hand_label, hand_name
from app.i18n.language import N_, Language
from app.rules.cards import CARDS_IN_A_HAND, Card
from app.rules.checks import can
from app.rules.events import BestHand, NoBestHand
from app.rules.hands import Comparing, Comparison, Hand, compare_hands, name_hand
from app.rules.house import HouseRules, listed_hands
from app.rules.state import HAND_DUE, GameState
from app.services import tables
from app.services.tables import Sheet
from app.web.compare.cards import RANKS, Face, card_name, face, sort_hand, the_rank, type_cards
from app.web.compare.hand_entry import ROWS_AT_FIRST, Entry, Hands, complete, enter, ready
from app.web.table.event_form import event_value
from app.web.table.grid_row import hand_cell

# Under the other tie rules no two hands with a combination are equal (reading 17).
EQUAL: Mapping[str, str] = {
    "kickers": N_(
        "%(players)s are equal card for card, and the suit does not decide here: nobody scores."
    ),
    "same_type": N_(
        "%(players)s have %(hand)s, and here that scores for nobody, whatever the other cards."
    ),
}

bp = Blueprint("compare", __name__, url_prefix="/t/<link>")


class HandRow(msgspec.Struct, frozen=True):
    """One hand as it is shown. `written` is how it is carried, `text` how it stands in a field.

    `open` is whether it can be cleared or put away, `decides` the code of the card that decided.
    """

    number: int
    player: str
    cards: tuple[Face, ...]
    missing: int
    written: str
    text: str
    named: str
    best: bool
    open: bool
    decides: str | None


class Tick(msgspec.Struct, frozen=True):
    """A card to tap: ticked while it is in the hand being filled, taken while in another's."""

    face: Face
    ticked: bool
    holder: str | None


class Booking(msgspec.Struct, frozen=True):
    """What writes the outcome down: an event, or the address that first asks a question."""

    label: str
    event: str | None
    ask: str | None
    open: bool = True


@bp.get("/compare")
def page(link: str) -> Response:
    """The hands entered so far, and which of them is best."""
    sheet, language = tables.sheet(context.pool(), link), context.language()
    seats = sheet.game.setup.players
    entry = enter(request.args, seats, at_the_table(sheet.state), language)
    result = _result(entry.hands, sheet.state.rules)
    part = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    template = f"compare/{'_update' if part else 'page'}.html"
    view = _view(link, sheet, entry, result, language)
    response = make_response(render_template(template, link=link, sheet=sheet, **view))
    response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY if entry.said else HTTPStatus.OK
    return response


def at_the_table(state: GameState) -> tuple[str, ...]:
    """Whose hands can be compared: those who play, and everybody once the game is over."""
    return state.setup.players if state.over else state.playing


def _result(hands: Hands, rules: HouseRules) -> Comparison | None:
    if not ready(hands):
        return None
    how = Comparing(rules.ties, rules.suit_order, rules.flush_suits)
    return compare_hands(complete(hands), how)


def _view(
    link: str, sheet: Sheet, entry: Entry, result: Comparison | None, language: Language
) -> dict[str, object]:
    """What the templates show."""
    state, seats = sheet.state, sheet.game.setup.players
    entered = set(entry.hands) | set(entry.texts)
    writes = tables.may_write(context.pool(), link, context.pen())
    return {
        "entry": entry,
        "turn": seats.index(entry.turn) + 1 if entry.turn else None,
        "rows": list(hand_rows(entry, result, seats, language)),
        "others": [
            (seats.index(name) + 1, name) for name in at_the_table(state) if name not in entered
        ],
        "deck": list(deck(entry, state.rules.suit_order, language)) if entry.turn else [],
        "verdict": verdict(result, state.rules, language) if result else "",
        "booking": booking(link, state, result, language) if result and writes else None,
    }


def hand_rows(
    entry: Entry, result: Comparison | None, seats: tuple[str, ...], language: Language
) -> Iterator[HandRow]:
    """Every hand, in the order they were added."""
    for player, text in (entry.texts or dict.fromkeys(entry.hands, "")).items():
        cards = sort_hand(entry.hands.get(player, ()))
        best = result is not None and result.best == player
        decided = result.decided_by if best and result else None
        yield HandRow(
            number=seats.index(player) + 1,
            player=player,
            cards=tuple(face(card, language) for card in cards),
            missing=CARDS_IN_A_HAND - len(cards),
            written=" ".join(str(card) for card in cards),
            text=text or type_cards(cards, language),
            named=_named(cards, language),
            best=best,
            open=bool(cards) or len(entry.hands) > ROWS_AT_FIRST,
            decides=str(decided.card) if decided else None,
        )


def _named(cards: tuple[Card, ...], language: Language) -> str:
    if len(cards) < CARDS_IN_A_HAND:
        return ""
    hand = name_hand(cards)
    return hand_label(hand, language) if hand else language.gettext("no combination")


def deck(entry: Entry, suit_order: str, language: Language) -> Iterator[Tick]:
    """All cards, a line for every suit, the table's best suit first."""
    holders = {card: player for player, cards in entry.hands.items() for card in cards}
    for suit in suit_order:
        for rank in RANKS:
            card = Card(rank, suit)  # type: ignore[arg-type]  # the order holds the four suits
            holder = holders.get(card)
            ticked = holder is not None and holder == entry.turn
            yield Tick(face(card, language), ticked, None if ticked else holder)


def verdict(result: Comparison, rules: HouseRules, language: Language) -> str:
    """Who wins and what decides, or why nobody scores, in one sentence."""
    _ = language.gettext
    if result.best is not None:
        return _won(result, result.best, language)
    if not result.tied:
        return _("Nobody has a combination: nobody scores.")
    hand = result.named[result.tied[0]]
    players = language.listing(result.tied)
    named = hand_name(hand, language) if hand else ""
    return language.gettext(EQUAL[rules.ties]) % {"players": players, "hand": named}


def _won(result: Comparison, best: str, language: Language) -> str:
    _, decided = language.gettext, result.decided_by
    if decided is not None and decided.by == "rank":
        return _(
            "%(player)s wins: %(card)s decides.", player=best, card=the_rank(decided.card, language)
        )
    if decided is not None:
        card = card_name(decided.card, language)
        return _("%(player)s wins: the suit decides, %(card)s.", player=best, card=card)
    beaten = [hand for player, hand in result.named.items() if player != best and hand is not None]
    hand = result.named[best]
    if hand is None or not beaten:
        return _("%(player)s wins: nobody else has a combination.", player=best)
    other = max(beaten, key=list(Hand).index)
    values = {"hand": hand_name(hand, language), "other": hand_name(other, language)}
    return _("%(player)s wins: %(hand)s beats %(other)s.", player=best, **values)


def booking(link: str, state: GameState, result: Comparison, language: Language) -> Booking | None:
    """What records the outcome as the best hand that is due; None while none is."""
    if state.deal.step not in HAND_DUE:
        return None
    event = hand_event(result, state.rules)
    label = event_text(event, language)
    if isinstance(event, NoBestHand):
        return Booking(label, event_value(event), None, can(state, event))
    cell = hand_cell(state, event.player, event.hand)
    ask = f"/t/{link}/hand/{cell.ask[0]}/{cell.ask[1]}" if cell.ask else None
    return Booking(label, event_value(cell.event), ask, cell.open)


def hand_event(result: Comparison, rules: HouseRules) -> BestHand | NoBestHand:
    """The event that a comparison amounts to, its hand named as this table tells hands apart."""
    names = result.tied if result.best is None else (result.best,)
    hand = result.named[names[0]] if names else None
    if hand is None:
        return NoBestHand()
    told = hand if hand in listed_hands(rules) else Hand.ROYAL_FLUSH
    if result.best is None:
        return NoBestHand(hand=told, tied=result.tied)
    return BestHand(player=result.best, hand=told)
