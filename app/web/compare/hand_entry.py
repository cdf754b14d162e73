"""Hands on their way to being compared: tapped card by card, or typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from werkzeug.datastructures import MultiDict

from app.i18n.errors import error_text
from app.i18n.language import Language
from app.rules.cards import CARDS_IN_A_HAND, Card, check_different, parse_cards, read_cards
from app.rules.errors import BadHand
from app.web.compare.cards import card_name

Cards = tuple[Card, ...]
Hands = dict[str, Cards]
Form = MultiDict[str, str]

ROWS_AT_FIRST = 2


class Entry(msgspec.Struct, frozen=True):
    """How far the hands are entered, in the order they were added.

    `turn` is whose hand is being filled by taps; it is None while the hands are being typed,
    and then `texts` holds what stands in their fields. `said` is what was wrong, if anything;
    `moved` is False where the cards a phone shows for tapping are still the right ones.
    """

    hands: Hands
    turn: str | None
    texts: Mapping[str, str] = {}
    said: str = ""
    moved: bool = True


def enter(form: Form, seats: Sequence[str], playing: Sequence[str], language: Language) -> Entry:
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
            texts = dict.fromkeys(playing[:ROWS_AT_FIRST], "")
            return Entry(_read(texts, read_cards), playing[0])
        if turn in texts and turn is not None:
            entry = _tapped(_read(texts, read_cards), turn, form, language)
            return _commanded(entry, player("fill"), player("drop"), form.get("mode"))
        return _typed(texts, player("fill"), form.get("mode"))
    except BadHand as wrong:
        said = f"{wrong.values['player']}: {error_text(wrong, language)}"
        return Entry({}, None, texts, said)


def complete(hands: Hands) -> Hands:
    """The hands that have all their cards."""
    return {player: cards for player, cards in hands.items() if len(cards) == CARDS_IN_A_HAND}


def ready(hands: Hands) -> bool:
    """Whether there are hands to compare: two or more, and none left half filled."""
    whole = complete(hands)
    return len(whole) > 1 and all(player in whole or not hands[player] for player in hands)


def _player(number: str, seats: Sequence[str], playing: Sequence[str]) -> str | None:
    if not (number.isascii() and number.isdigit() and len(number) < 3):
        return None
    name = seats[int(number) - 1] if 1 <= int(number) <= len(seats) else None
    return name if name in playing else None


def _texts(form: Form, seats: Sequence[str], playing: Sequence[str]) -> dict[str, str]:
    """What is written for whom; a player who has left the game since is left out."""
    pairs = zip(form.getlist("who"), form.getlist("cards"), strict=False)
    named = [(_player(number, seats, playing), text) for number, text in pairs]
    return {player: text for player, text in named if player is not None}


def _read(texts: Mapping[str, str], read: Callable[[str], Cards]) -> Hands:
    """Read every hand; an empty one may stay so. Raises BadHand with the `player` it is about."""
    hands: Hands = {}
    dealt: list[Card] = []
    for player, text in texts.items():
        try:
            hands[player] = read(text) if text.strip() else ()
            dealt += hands[player]
            check_different(dealt)
        except BadHand as wrong:
            wrong.values["player"] = player
            raise
    return hands


def _tapped(hands: Hands, turn: str, form: Form, language: Language) -> Entry:
    """Give the hand being filled the cards that are ticked, and move on once it has five."""
    ticked = _read({turn: " ".join(form.getlist("card"))}, read_cards)[turn]
    held = {card: name for name, cards in hands.items() if name != turn for card in cards}
    before = hands[turn]
    given = [card for card in before if card in ticked]
    given += [card for card in dict.fromkeys(ticked) if card not in before and card not in held]
    now = {**hands, turn: tuple(given[:CARDS_IN_A_HAND])}
    said = _refused(turn, given, [card for card in ticked if card in held], held, language)
    done = given != list(before) or form.get("mode") == "next"
    filled = len(given) == CARDS_IN_A_HAND and done
    then = _next(now, turn) if filled and not said else turn
    return Entry(now, then, said=said, moved=then != turn or bool(said))


def _refused(
    turn: str,
    given: Sequence[Card],
    taken: Sequence[Card],
    held: Mapping[Card, str],
    language: Language,
) -> str:
    _ = language.gettext
    if taken:
        card = card_name(taken[0], language)
        return _("%(player)s has the %(card)s already.", player=held[taken[0]], card=card)
    if len(given) > CARDS_IN_A_HAND:
        return _("%(player)s has five cards; tap one of them to take it back first.", player=turn)
    return ""


def _next(hands: Hands, turn: str) -> str:
    """Whose hand is filled next: the next that lacks cards, or else the same."""
    names = list(hands)
    after = names.index(turn) + 1
    return _first_open(names[after:] + names[:after], hands) or turn


def _first_open(names: Iterable[str], hands: Hands) -> str | None:
    return next((name for name in names if len(hands[name]) < CARDS_IN_A_HAND), None)


def _commanded(entry: Entry, fill: str | None, drop: str | None, mode: str | None) -> Entry:
    """What else was tapped: another hand to fill, one to clear or put away, or to type."""
    if fill is not None:
        return Entry({**entry.hands, fill: entry.hands.get(fill, ())}, fill, said=entry.said)
    if drop in entry.hands and drop is not None:
        return _dropped(entry, drop)
    if mode == "type":
        return Entry(entry.hands, None, said=entry.said)
    return entry


def _dropped(entry: Entry, drop: str) -> Entry:
    """Take a hand's cards back; a hand without cards goes away, while two are left."""
    if entry.hands[drop] or len(entry.hands) <= ROWS_AT_FIRST:
        return Entry({**entry.hands, drop: ()}, drop)
    left = {name: cards for name, cards in entry.hands.items() if name != drop}
    turn = entry.turn if entry.turn in left else _first_open(left, left)
    return Entry(left, turn or next(iter(left)))


def _typed(texts: dict[str, str], fill: str | None, mode: str | None) -> Entry:
    """Read what was typed, unless a hand is only being added. Raises BadHand."""
    if fill is not None:
        return Entry({}, None, {**texts, fill: texts.get(fill, "")})
    hands = _read(texts, read_cards if mode == "tap" else parse_cards)
    return Entry(hands, _first_open(hands, hands) or next(iter(hands)))
