"""What the table has just seen: whose score changed, and what is told for a moment."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from app.rules.outcome import Outcome, ScoreChange
from app.rules.protocol import find_deal
from app.services.sheets import Sheet
from app.web.table.consequences import Consequences, consequences, head_names

# More than any game has entries.
BETWEEN_GAMES = 100_000


class DealEnd(msgspec.Struct, frozen=True):
    """A deal that has just ended: its number, whose score it changed, and who deals next."""

    number: int
    changes: tuple[ScoreChange, ...]
    dealer: str


class Happened(msgspec.Struct, frozen=True):
    """What the table has just seen.

    `facts` grows with whatever is recorded, and gets less with whatever is taken back.
    `differences`: by how many points the newest fact changed whose score. `loud`: what it means,
    where people shout about it. `ended`: the deal that it ended, if the game goes on.
    """

    facts: int
    differences: Mapping[str, int] = {}
    loud: Consequences | None = None
    ended: DealEnd | None = None


def happened(sheet: Sheet) -> Happened:
    """What the table has just seen."""
    events, states = sheet.game.events, sheet.states
    facts = sheet.number * BETWEEN_GAMES + len(events)
    if not events:
        return Happened(facts)
    newest = Outcome(events[-1], states[-2], states[-1])
    told = consequences(newest)
    return Happened(
        facts=facts,
        differences={c.player: c.after - c.before for c in newest.changes()},
        loud=told if told.shouts and not sheet.state.over else None,
        ended=_deal_end(sheet),
    )


def _deal_end(sheet: Sheet) -> DealEnd | None:
    before, state = sheet.states[-2], sheet.state
    number = before.deal.number
    if state.over or state.deal.number == number:
        return None
    names, began = head_names(state), sheet.states[find_deal(sheet.states, number)]
    scores = {seat.name: seat.score for seat in began.seats}
    changes = (
        ScoreChange(names[seat.name], scores.get(seat.name, 0), seat.score)
        for seat in state.seats
        if seat.score != scores.get(seat.name, 0)
    )
    return DealEnd(number, tuple(changes), names[state.deal.dealer])
