"""What just happened at the table, and what the deal being played has given so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from app.i18n.language import N_
from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Event,
    LastTrick,
    NoBestHand,
)
from app.rules.outcome import Outcome
from app.rules.state import Step
from app.services.sheets import Sheet
from app.web.table.consequences import Consequences, consequences, head_names, with_names

# No deal gives more, unless somebody corrects and corrects.
MOST_ENTRIES = 12
# More than any game has entries.
BETWEEN_GAMES = 100_000
# After which exchange something was recorded, else in the play.
MOMENTS: Mapping[Step, str] = {Step.HAND_1: "1", Step.HAND_2: "2", Step.HAND_3: "3"}
IN_PLAY = N_("play")
# What belongs to its moment; a correction and the like come at any.
PLAYED = (BestHand, NoBestHand, Chicago, ChicagoResult, LastTrick)


class DealEntry(msgspec.Struct, frozen=True):
    """Something recorded in this deal: its index in the game, and when, a message to translate.

    The moment is empty where it does not matter.
    """

    index: int
    moment: str
    event: Event


class Happened(msgspec.Struct, frozen=True):
    """What the table has just seen.

    `facts` grows with whatever is recorded, and gets less with whatever is taken back.
    `differences`: by how many points the newest fact changed whose score. `loud`: what it means,
    where people shout about it. `entries`: what this deal has given, the newest first.
    """

    facts: int
    differences: Mapping[str, int]
    loud: Consequences | None
    entries: tuple[DealEntry, ...]


def happened(sheet: Sheet) -> Happened:
    """What the table has just seen, and what this deal has given."""
    events, states = sheet.game.events, sheet.states
    newest = Outcome(events[-1], states[-2], states[-1]) if events else None
    told = consequences(newest) if newest else None
    return Happened(
        facts=sheet.number * BETWEEN_GAMES + len(events),
        differences={c.player: c.after - c.before for c in newest.changes()} if newest else {},
        loud=told if told and told.shouts else None,
        entries=tuple(_entries(sheet))[:MOST_ENTRIES],
    )


def _entries(sheet: Sheet) -> Iterator[DealEntry]:
    """What was recorded in the deal being played, the newest first."""
    events, number = sheet.game.events, sheet.state.deal.number
    names = head_names(sheet.state)
    for index in range(len(events) - 1, -1, -1):
        deal = sheet.states[index].deal
        if deal.number != number:
            return
        (event,) = with_names([events[index]], names)
        moment = MOMENTS.get(deal.step, IN_PLAY) if isinstance(event, PLAYED) else ""
        yield DealEntry(index, moment, event)
