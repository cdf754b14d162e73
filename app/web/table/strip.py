"""The strip over the board: the steps of the deal, which is at hand, and what each has given."""

from __future__ import annotations

from typing import Literal

import msgspec

from app.rules.events import BestHand, Chicago, ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.notices import exchange_ahead
from app.rules.state import BEFORE_PLAY, GameState, Step, steps_before_play
from app.services.sheets import Sheet
from app.web.table.consequences import head_names, with_names

When = Literal["past", "now", "ahead"]
PLAY, END = "play", "end"
# What belongs to a step; a correction and the like may come at any.
PLAYED = (BestHand, NoBestHand, Chicago, ChicagoResult, LastTrick)


class Fact(msgspec.Struct, frozen=True):
    """Something recorded in this deal, and its index in the game."""

    index: int
    event: Event


class StripStep(msgspec.Struct, frozen=True):
    """A step of the deal: the number of an exchange, the play or the hand after it.

    `facts` are what was recorded in it, in order.
    """

    name: str
    when: When
    facts: tuple[Fact, ...]

    @property
    def exchange(self) -> bool:
        """Whether cards are exchanged in this step."""
        return self.name not in (PLAY, END)

    @property
    def main(self) -> Fact | None:
        """What the step is remembered by: the newest fact that belongs to it, else the newest."""
        played = [fact for fact in self.facts if isinstance(fact.event, PLAYED)]
        return next(reversed(played or self.facts), None)


def strip(sheet: Sheet) -> list[StripStep]:
    """The steps of the deal being played, as many as the table's rules have."""
    state = sheet.state
    names, now = _names(state), _at_hand(state)
    facts = _facts(sheet)
    first = names.index(now[0])
    return [
        StripStep(
            name,
            "now" if name in now else "past" if place < first else "ahead",
            tuple(fact for at, fact in facts if at == name),
        )
        for place, name in enumerate(names)
    ]


def _names(state: GameState) -> list[str]:
    exchanges = [str(number + 1) for number in range(state.rules.exchanges)]
    return [*exchanges, PLAY, *([END] if state.rules.hand_after_play else [])]


def _at_hand(state: GameState) -> list[str]:
    """The steps at hand: an exchange in which no hand scores goes along with the next step."""
    step = state.deal.step
    if step in BEFORE_PLAY:
        return _exchanges_until(state, step)
    if step is Step.FINAL_HAND:
        return [END]
    return [*(_exchanges_until(state, step) if exchange_ahead(state) else []), PLAY]


def _exchanges_until(state: GameState, step: Step) -> list[str]:
    """The numbers of the exchanges since the hand that scored before `step`."""
    scored = [BEFORE_PLAY.index(each) + 1 for each in steps_before_play(state.rules)]
    last = BEFORE_PLAY.index(step) + 1 if step in BEFORE_PLAY else state.rules.exchanges
    return [str(n) for n in range(max([0, *(n for n in scored if n < last)]) + 1, last + 1)]


def _facts(sheet: Sheet) -> list[tuple[str, Fact]]:
    """What was recorded in this deal, in order, with the name of its step."""
    events, number = sheet.game.events, sheet.state.deal.number
    found = []
    for index in range(len(events) - 1, -1, -1):
        before = sheet.states[index]
        if before.deal.number != number:
            break
        found.append((_step_of(before, events[index]), index))
    called = with_names((events[index] for _, index in found), head_names(sheet.state))
    pairs = zip(found, called, strict=True)
    return [(name, Fact(index, event)) for (name, index), event in pairs][::-1]


def _step_of(before: GameState, event: Event) -> str:
    """The step in which something was recorded; what is laid open belongs to the last exchange."""
    step = before.deal.step
    if step in BEFORE_PLAY:
        return str(BEFORE_PLAY.index(step) + 1)
    if step is Step.PLAY and isinstance(event, BestHand):
        return str(before.rules.exchanges)
    return END if step is Step.FINAL_HAND else PLAY
