"""The players as the scoreboard shows them: score, how far to go, and what each may do."""

from __future__ import annotations

import msgspec

from app.i18n.game import hand_name
from app.i18n.language import Language
from app.rules.rights import may_exchange, meets_requirement, must_show
from app.rules.state import BEFORE_PLAY, GameState, Seat, Step

EXCHANGING = (*BEFORE_PLAY, Step.PLAY)


class Chip(msgspec.Struct, frozen=True):
    """A word beside a player, and a `brief` one for narrow columns; `kind` gives its colour."""

    kind: str
    text: str
    brief: str


class Head(msgspec.Struct, frozen=True):
    """A column's head. `done`, `minimum` and `stop` are per cent of the way to the target."""

    number: int
    name: str
    short: str
    score: str
    dealer: bool
    playing: bool
    winner: bool
    done: int
    minimum: int | None
    stop: int | None
    chips: tuple[Chip, ...]


def scoreboard(state: GameState, language: Language) -> list[Head]:
    """One head for every player, in seat order."""
    shorts = short_names(state.setup.players)
    return [
        _head(state, seat, number, short, language)
        for number, (seat, short) in enumerate(zip(state.seats, shorts, strict=True), start=1)
    ]


def _head(state: GameState, seat: Seat, number: int, short: str, language: Language) -> Head:
    rules = state.rules
    return Head(
        number=number,
        name=seat.name,
        short=short,
        score=language.number(seat.score),
        dealer=state.deal.dealer == seat.name and not state.over,
        playing=seat.name in state.playing,
        winner=seat.name in state.winners,
        done=_share(seat.score, rules.target),
        minimum=_mark(rules.chicago_minimum, rules.target),
        stop=_mark(rules.exchange_stop, rules.target),
        chips=() if state.over else chips(state, seat, language),
    )


def _share(points: int, target: int) -> int:
    return max(0, min(100, 100 * points // target))


def _mark(points: int | None, target: int) -> int | None:
    return _share(points, target) if points is not None and 0 < points < target else None


def chips(state: GameState, seat: Seat, language: Language) -> tuple[Chip, ...]:
    """May this player still exchange, has Chicago been said, what must be shown."""
    _ = language.gettext
    if seat.name in state.out:
        return (Chip("out", _("out"), _("out")),)
    if seat.name not in state.playing:
        return (Chip("out", _("sits out"), "–"),)
    found = [_exchange_chip(state, seat, language)]
    if state.deal.declarer == seat.name:
        found.append(Chip("plays", _("chicago!"), "C!"))
    elif state.rules.win_needs_chicago != "no" and not state.tie_break:
        found.extend(_requirement_chip(state, seat, language))
    found.extend(
        Chip("show", _("show %(hand)s", hand=hand_name(hand, language)), _("show"))
        for hand in must_show(state, seat.name)
        if state.deal.step in EXCHANGING
    )
    return tuple(found)


def _exchange_chip(state: GameState, seat: Seat, language: Language) -> Chip:
    if may_exchange(state, seat.name).ok:
        return Chip("may", language.gettext("cards ✓"), "✓")
    return Chip("stop", language.gettext("exchange stop"), language.gettext("stop"))


def _requirement_chip(state: GameState, seat: Seat, language: Language) -> list[Chip]:
    counts = state.rules.win_needs_chicago_players
    if counts is not None and len(state.setup.players) not in counts:
        return []
    if meets_requirement(state, seat.name):
        return [Chip("done", language.gettext("chicago ✓"), "C✓")]
    return [Chip("needs", language.gettext("chicago –"), "C–")]


def short_names(names: tuple[str, ...]) -> list[str]:
    """First names where they tell the players apart, else shortened with the last name."""
    firsts = [name.split()[0] for name in names]
    shorts = [
        first if firsts.count(first) == 1 else _first_and_last(name)
        for first, name in zip(firsts, names, strict=True)
    ]
    return shorts if len(set(shorts)) == len(names) else list(names)


def _first_and_last(name: str) -> str:
    words = name.split()
    return name if len(words) == 1 else f"{words[0][:4]}. {words[-1]}"
