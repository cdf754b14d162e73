"""Hands compared: tapped card by card, and the best of them booked."""

from collections.abc import Mapping

import msgspec
from flask import Blueprint, Response, request

from app.http import context
from app.http.forms import Refusal
from app.i18n.cards import card_name
from app.i18n.language import isolate
from app.rules.codes import BadHand
from app.rules.events import BestHand, NoBestHand
from app.rules.hands import (
    CARDS_IN_A_HAND,
    Card,
    Comparison,
    ComparisonRules,
    Hand,
    check_different,
    compare_hands,
    name_hand,
    read_cards,
)
from app.rules.house import HouseRules, listed_hands
from app.rules.rights import can
from app.rules.state import GameState, scored_hands, scorers
from app.web.grid import FormData, GridCell, hand_cell
from app.web.templates import render

Cards = tuple[Card, ...]
Hands = dict[str, Cards]

FEWEST_HANDS = 2

bp = Blueprint("compare", __name__, url_prefix="/t/<link>")


class HandEntry(msgspec.Struct, frozen=True):
    """The hands entered so far, in the order they were added.

    `turn` is whose hand is being filled. `error` is the fault, if any; `new_deck` is False where
    the cards a phone shows for tapping are still the right ones.
    """

    hands: Hands
    turn: str
    error: str = ""
    new_deck: bool = True

    def can_clear(self, player: str) -> bool:
        """Whether a hand has cards to take back, or can go away, two or more being left."""
        return bool(self.hands[player]) or len(self.hands) > FEWEST_HANDS


@bp.get("/compare")
def page() -> Response:
    """The hands entered so far, and which of them is best."""
    view = context.read_view()
    state = view.state
    # Everybody's hand can be compared once the game is over.
    playing = state.players if state.over else state.playing
    entry = _read_entry(
        request.args, {str(n): name for n, name in enumerate(state.players, 1) if name in playing}
    )
    full: Hands = {
        name: cards for name, cards in entry.hands.items() if len(cards) == CARDS_IN_A_HAND
    }
    result = _compare(entry.hands, full, state.rules)
    return render(
        "compare/page.html",
        "compare/_update.html",
        Refusal("") if entry.error else None,
        view=view,
        entry=entry,
        numbers={name: number for number, name in enumerate(state.players, start=1)},
        hands={name: _sort_hand(cards) for name, cards in entry.hands.items()},
        combinations={name: name_hand(cards) for name, cards in full.items()},
        others=[name for name in playing if name not in entry.hands],
        # A line for every suit, the table's best suit first.
        deck=[
            card
            for suit in state.rules.suit_order
            for card in read_cards(" ".join(f"{rank}{suit}" for rank in "AKQJT98765432"))
        ],
        holders={card: name for name, cards in entry.hands.items() for card in cards},
        result=result,
        equal="equal" in scored_hands(state.setup).values(),
        booking=_book(state, result) if result and context.access().writes else None,
    )


def _read_entry(form: FormData, names: Mapping[str, str]) -> HandEntry:
    """The hands that a form holds, after the tap that sent it; two empty ones if none.

    `who` and `cards` stand for every hand in turn, `turn` and `card` for the one being filled;
    `fill`, `drop` and `next` are the buttons. Players go by their seats: `names` are theirs who
    play; who has left the game since is left out.
    """
    try:
        hands = _read_hands(form, names)
        ticks = read_cards(" ".join(form.getlist("card")))
        check_different(ticks)
    except BadHand:
        hands, ticks = {}, ()
    if not hands:
        hands = dict.fromkeys([*names.values()][:FEWEST_HANDS], ())
    turn, fill, drop = (names.get(form.get(key, "")) for key in ("turn", "fill", "drop"))
    if turn in hands:
        entry = _tick_cards(hands, turn, ticks, "next" in form)
    else:
        entry = HandEntry(hands, _next_open(hands))
    return _press_button(entry, fill, drop)


def _read_hands(form: FormData, names: Mapping[str, str]) -> Hands:
    """The hands that a form holds. Raises BadHand for what is no card, or is there twice."""
    pairs = zip(form.getlist("who"), form.getlist("cards"), strict=False)
    hands = {
        names[number]: read_cards(text)[:CARDS_IN_A_HAND]
        for number, text in pairs
        if number in names
    }
    check_different([card for cards in hands.values() for card in cards])
    return hands


def _tick_cards(hands: Hands, turn: str, ticks: Cards, next_asked: bool) -> HandEntry:
    """Give the hand being filled the cards that are ticked, and move on once it has five."""
    holders = {card: name for name, cards in hands.items() if name != turn for card in cards}
    before = hands[turn]
    cards = [card for card in before if card in ticks]
    cards += [card for card in ticks if card not in before and card not in holders]
    after = {**hands, turn: tuple(cards[:CARDS_IN_A_HAND])}
    language, error = context.language(), ""
    if taken := [card for card in ticks if card in holders]:
        error = language.gettext(
            "%(player)s already has the %(card)s.",
            player=isolate(holders[taken[0]]),
            card=card_name(taken[0], language),
        )
    elif len(cards) > CARDS_IN_A_HAND:
        error = language.gettext(
            "%(player)s has five cards; tap one of them to take it back first.",
            player=isolate(turn),
        )
    changes = cards != list(before) or next_asked
    moves_on = changes and not error and len(cards) == CARDS_IN_A_HAND
    next_turn = _next_open(after, turn) if moves_on else turn
    return HandEntry(after, next_turn, error=error, new_deck=next_turn != turn or bool(error))


def _next_open(hands: Hands, turn: str | None = None) -> str:
    """Whose hand is filled next: after `turn` the next that lacks cards, or else the same."""
    names = list(hands)
    after = names.index(turn) + 1 if turn else 0
    order = names[after:] + names[:after]
    lacking = (name for name in order if len(hands[name]) < CARDS_IN_A_HAND)
    return next(lacking, turn or names[0])


def _press_button(entry: HandEntry, fill: str | None, drop: str | None) -> HandEntry:
    """Another button that was tapped: a hand to fill, to clear or to put away."""
    hands = entry.hands
    if fill is not None:
        return HandEntry({**hands, fill: hands.get(fill, ())}, fill, error=entry.error)
    if drop is not None and drop in hands:
        if hands[drop] or not entry.can_clear(drop):
            return HandEntry({**hands, drop: ()}, drop)
        left = {name: cards for name, cards in hands.items() if name != drop}
        return HandEntry(left, entry.turn if entry.turn in left else _next_open(left))
    return entry


def _compare(hands: Hands, full: Hands, rules: HouseRules) -> Comparison | None:
    """The hands compared; None while there are not two, or one is half filled."""
    if len(full) < FEWEST_HANDS or any(hands[player] for player in hands.keys() - full):
        return None
    return compare_hands(full, ComparisonRules(rules.ties, rules.suit_order, rules.flush_suits))


def _sort_hand(cards: Cards) -> Cards:
    """Cards as a player sorts a hand: most alike first, then the highest."""
    ranks = [card.rank for card in cards]
    return tuple(sorted(cards, key=lambda card: (-ranks.count(card.rank), -card.rank, card.suit)))


def _book(state: GameState, result: Comparison) -> dict[str, object] | None:
    """The button that records the outcome as the best hand that is due; None while no one is.

    `event` is what it says, and `cell` what it does.
    """
    if scorers(state) in (None, "everyone"):
        return None
    names = result.tied if result.best is None else (result.best,)
    hand = result.named[names[0]] if names else None
    # The hand is named as this table tells hands apart.
    if hand and hand not in listed_hands(state.rules):
        hand = Hand.ROYAL_FLUSH
    if result.best is None or hand is None:
        nobody = NoBestHand(hand=hand, tied=result.tied) if hand else NoBestHand()
        return {"event": nobody, "cell": GridCell(nobody, can(state, nobody))}
    cell = hand_cell(state, result.best, hand)
    return {"event": BestHand(player=result.best, hand=hand), "cell": cell}
