"""A notation for the events of a table: `Anna pair, nobody, Bo trick`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.rules.codes import BadFile
from app.rules.events import (
    BestHand,
    BreakOff,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    Joins,
    LastTrick,
    Leaves,
    NoBestHand,
    write_event,
)
from app.rules.game import apply, begin, fold
from app.rules.gamefile import Game, read_game, read_setup
from app.rules.hands import Hand
from app.rules.state import GameState

cases = pytest.mark.parametrize

Rules = dict[str, object]
# Every golden game with its result, by the name of its file.
GOLDEN: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[1] / "golden").glob("*.json"))
}


def facts(text: str) -> tuple[Event, ...]:
    """Read events from text, separated by commas.

    `Anna 20` is a correction, `no hands` are the two exchanges of an ordinary deal in which nobody
    scores, and `deal Bo` is a deal in which Bo takes the last trick and nobody scores a hand.
    """
    return tuple(event for fact in text.split(", ") if fact for event in _read(fact))


def _read(fact: str) -> tuple[Event, ...]:
    match fact.split():
        case ["no", "hands"]:
            return NoBestHand(), NoBestHand()
        case ["deal", name]:
            return facts(f"no hands, {name} trick, nobody")
        case [name, points] if points.lstrip("-").isdigit():
            return (Correction(player=name, points=int(points)),)
        case words:
            return (_read_at_table(words) or _read_of_player(*words),)


def _read_at_table(words: list[str]) -> Event | None:
    match words:
        case ["nobody"]:
            return NoBestHand()
        case ["tie", hand, *names]:
            return NoBestHand(hand=Hand(hand), tied=tuple(names))
        case ["made", *two]:
            return ChicagoResult(won=True, with_two=bool(two))
        case ["broken", *by]:
            return ChicagoResult(won=False, broken_by="".join(by) or None)
        case ["settled" | "void" as how]:
            return BreakOff(settle=how == "settled")
    return None


def _read_of_player(player: str, what: str, *more: str) -> Event:
    match what, more:
        case (("chicago" | "blind"), _):
            return Chicago(player=player, blind=what == "blind")
        case "trick", two:
            return LastTrick(player=player, with_two=bool(two))
        case "joins", (after, points):
            return Joins(player=player, after=after, points=int(points))
        case "zeroes", _:
            victim = next((name for name in more if name not in list(Hand)), None)
            hand = next((name for name in more if name in list(Hand)), "four_of_a_kind")
            return BestHand(player=player, hand=Hand(hand), choose="zero", victim=victim)
        case (("leaves" | "exchanges" | "claims"), _):
            kinds = {"leaves": Leaves, "exchanges": IllegalExchange, "claims": FalseClaim}
            return kinds[what](player=player)
    return BestHand(player=player, hand=Hand(what), victim=next(iter(more), None))


def write_facts(*happened: str | Rules) -> list[Rules]:
    """Return events as in a game file: each part tells facts, or is an event already."""
    return [
        event
        for part in happened
        for event in (map(write_event, facts(part)) if isinstance(part, str) else [part])
    ]


@dataclass(frozen=True)
class Table:
    """A game as played so far: its states and its events."""

    states: tuple[GameState, ...]
    events: tuple[Event, ...] = ()

    @property
    def state(self) -> GameState:
        """The newest state."""
        return self.states[-1]

    def then(self, text: str) -> Table:
        """Play more events."""
        states = list(self.states)
        for event in facts(text):
            states.append(apply(states[-1], event))
        return Table(tuple(states), self.events + facts(text))

    @property
    def stands(self) -> str:
        """Deal, step and scores, as in `1 play: 0 5 0`, or the winners, as in `won Bo: 0 52 0`."""
        state = self.state
        where = ("won", *state.winners) if state.over else (str(state.deal.number), state.deal.step)
        return f"{' '.join(where)}: {' '.join(str(seat.score) for seat in state.seats)}"


def play(text: str = "", /, **agreed: object) -> Table:
    """Play from the first deal under pagat's rules, changed by `agreed`.

    `agreed` has members of a game file: `players` (here one text), `dealer`, `stake_ore`,
    `preset` and the house rules that differ from it.
    """
    names = str(agreed.pop("players", "Anna Bo Cilla")).split()
    setup: Rules = {k: agreed.pop(k) for k in ("dealer", "stake_ore") if k in agreed}
    rules = {"preset": "pagat", **agreed}
    return Table((begin(read_setup({"players": names, **setup, "rules": rules})),)).then(text)


def golden_games() -> Iterator[tuple[Game, list[GameState]]]:
    """Yield every readable golden game, with its states up to the first refused event."""
    for each in GOLDEN.values():
        with suppress(BadFile):
            game = read_game(each["game"])
            yield game, fold(game.setup, game.events)[0]
