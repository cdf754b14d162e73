"""Hands on their way to being compared: tapped card by card, or typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec
from flask import Blueprint, Response, request

from app.http import context
from app.http.forms import Refusal
from app.i18n.cards import card_name
from app.i18n.errors import error_text
from app.rules.cards import CARDS_IN_A_HAND, Card, check_different, parse_cards, read_cards
from app.rules.checks import can
from app.rules.errors import BadHand
from app.rules.events import BestHand, NoBestHand
from app.rules.hands import Comparison, ComparisonRules, Hand, compare_hands, name_hand
from app.rules.house import HouseRules, listed_hands
from app.rules.state import HAND_DUE, GameState
from app.services import table_view
from app.services.table_view import TableView
from app.web.table.event_form import FormData, event_value
from app.web.table.grid import hand_cell
from app.web.templates import render

Cards = tuple[Card, ...]
Hands = dict[str, Cards]

FEWEST_HANDS = 2


class HandEntry(msgspec.Struct, frozen=True):
    """The hands entered so far, in the order they were added.

    `turn` is whose hand is being filled by taps; it is None while the hands are being typed,
    and then `texts` holds what stands in their fields. `error` is what was wrong, if anything;
    `new_deck` is False where the cards a phone shows for tapping are still the right ones.
    """

    hands: Hands
    turn: str | None
    texts: Mapping[str, str] = {}
    error: str = ""
    new_deck: bool = True

    def can_clear(self, player: str) -> bool:
        """Whether a hand has cards to take back, or can go away, two or more being left."""
        return bool(self.hands[player]) or len(self.hands) > FEWEST_HANDS


def read_hands(form: FormData, seats: Sequence[str], playing: Sequence[str]) -> HandEntry:
    """The hands that a form holds, after the tap that sent it.

    `who` and `cards` stand for every hand in turn, `turn` and `card` for the one being filled;
    `fill`, `drop` and `mode` are what else can be tapped. Players go by their seat, from 1.
    """

    def player(key: str) -> str | None:
        return _player(form.get(key, ""), seats, playing)

    texts = _texts(form, seats, playing)
    turn = player("turn")
    try:
        if not texts:
            texts = dict.fromkeys(playing[:FEWEST_HANDS], "")
            return HandEntry(_read(texts, read_cards), playing[0])
        if turn in texts and turn is not None:
            entry = _tick_cards(_read(texts, read_cards), turn, form)
            return _press_button(entry, player("fill"), player("drop"), form.get("mode"))
        return _read_typing(texts, player("fill"), form.get("mode"))
    except BadHand as fault:
        error = f"{fault.values['player']}: {error_text(fault, context.language())}"
        return HandEntry({}, None, texts, error)


def complete(hands: Hands) -> Hands:
    """The hands that have all their cards."""
    return {player: cards for player, cards in hands.items() if len(cards) == CARDS_IN_A_HAND}


def ready(hands: Hands) -> bool:
    """Whether there are hands to compare: two or more, and none left half filled."""
    full = complete(hands)
    return len(full) > 1 and all(player in full or not hands[player] for player in hands)


def _player(number: str, seats: Sequence[str], playing: Sequence[str]) -> str | None:
    if not (number.isascii() and number.isdigit() and len(number) < 3):
        return None
    name = seats[int(number) - 1] if 1 <= int(number) <= len(seats) else None
    return name if name in playing else None


def _texts(form: FormData, seats: Sequence[str], playing: Sequence[str]) -> dict[str, str]:
    """The text written for each player; a player who has left the game since is left out."""
    pairs = zip(form.getlist("who"), form.getlist("cards"), strict=False)
    texts = [(_player(number, seats, playing), text) for number, text in pairs]
    return {player: text for player, text in texts if player is not None}


def _read(texts: Mapping[str, str], read: Callable[[str], Cards]) -> Hands:
    """Read every hand; an empty one may stay so. Raises BadHand with the `player` it is about."""
    hands: Hands = {}
    cards: list[Card] = []
    for player, text in texts.items():
        try:
            hands[player] = read(text) if text.strip() else ()
            cards += hands[player]
            check_different(cards)
        except BadHand as fault:
            fault.values["player"] = player
            raise
    return hands


def _tick_cards(hands: Hands, turn: str, form: FormData) -> HandEntry:
    """Give the hand being filled the cards that are ticked, and move on once it has five."""
    ticks = _read({turn: " ".join(form.getlist("card"))}, read_cards)[turn]
    holders = {card: name for name, cards in hands.items() if name != turn for card in cards}
    before = hands[turn]
    cards = [card for card in before if card in ticks]
    cards += [card for card in dict.fromkeys(ticks) if card not in before and card not in holders]
    after = {**hands, turn: tuple(cards[:CARDS_IN_A_HAND])}
    error = _tick_error(turn, cards, [card for card in ticks if card in holders], holders)
    changes = cards != list(before) or form.get("mode") == "next"
    moves_on = changes and not error and len(cards) == CARDS_IN_A_HAND
    next_turn = _next_player(after, turn) if moves_on else turn
    return HandEntry(after, next_turn, error=error, new_deck=next_turn != turn or bool(error))


def _tick_error(
    turn: str, cards: Sequence[Card], elsewhere: Sequence[Card], holders: Mapping[Card, str]
) -> str:
    language = context.language()
    _ = language.gettext
    if elsewhere:
        card, holder = card_name(elsewhere[0], language), holders[elsewhere[0]]
        return _("%(player)s has the %(card)s already.", player=holder, card=card)
    if len(cards) > CARDS_IN_A_HAND:
        return _("%(player)s has five cards; tap one of them to take it back first.", player=turn)
    return ""


def _next_player(hands: Hands, turn: str) -> str:
    """The player whose hand is filled next: one that lacks cards, or else the same."""
    names = list(hands)
    after = names.index(turn) + 1
    return _first_open(names[after:] + names[:after], hands) or turn


def _first_open(names: Iterable[str], hands: Hands) -> str | None:
    return next((name for name in names if len(hands[name]) < CARDS_IN_A_HAND), None)


def _press_button(
    entry: HandEntry, fill: str | None, drop: str | None, mode: str | None
) -> HandEntry:
    """Carry out any other button: another hand to fill, one to clear or put away, or to type."""
    if fill is not None:
        hands = {**entry.hands, fill: entry.hands.get(fill, ())}
        return HandEntry(hands, fill, error=entry.error)
    if drop in entry.hands and drop is not None:
        return _clear_hand(entry, drop)
    if mode == "type":
        return HandEntry(entry.hands, None, error=entry.error)
    return entry


def _clear_hand(entry: HandEntry, drop: str) -> HandEntry:
    """Take a hand's cards back; a hand without cards goes away, while two are left."""
    if entry.hands[drop] or not entry.can_clear(drop):
        return HandEntry({**entry.hands, drop: ()}, drop)
    hands = {name: cards for name, cards in entry.hands.items() if name != drop}
    turn = entry.turn if entry.turn in hands else _first_open(hands, hands)
    return HandEntry(hands, turn or next(iter(hands)))


def _read_typing(texts: dict[str, str], fill: str | None, mode: str | None) -> HandEntry:
    """Read what was typed, unless a hand is only being added. Raises BadHand."""
    if fill is not None:
        return HandEntry({}, None, {**texts, fill: texts.get(fill, "")})
    hands = _read(texts, read_cards if mode == "tap" else parse_cards)
    return HandEntry(hands, _first_open(hands, hands) or next(iter(hands)))


bp = Blueprint("compare", __name__, url_prefix="/t/<link>")


class Booking(msgspec.Struct, frozen=True):
    """The button that records the outcome: an event, or the address that first asks a question.

    `value` is the event as a button carries it; `open` is False where it may not be recorded.
    """

    event: BestHand | NoBestHand
    value: str
    ask: str | None
    open: bool


@bp.get("/compare")
def page(link: str) -> Response:
    """The hands entered so far, and which of them is best."""
    view = table_view.read_view(context.db(), link)
    entry = read_hands(request.args, view.state.players, at_the_table(view.state))
    refusal = Refusal("") if entry.error else None
    values = _view(link, view, entry)
    return render(
        "compare/page.html", "compare/_update.html", refusal, view=view, entry=entry, **values
    )


def at_the_table(state: GameState) -> tuple[str, ...]:
    """The players to compare: those who play, and everybody once the game is over."""
    return state.players if state.over else state.playing


def _view(link: str, view: TableView, entry: HandEntry) -> dict[str, object]:
    """Values of the templates; `numbers` are the seats, from 1."""
    state, players = view.state, entry.texts or entry.hands
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
    """The button for the best hand that is due; None while none is."""
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
