"""What the table's page shows of a game as it stands, and of one that has ended."""

from __future__ import annotations

import msgspec

from app.http import context
from app.rules.events import Event
from app.rules.settlement import payout
from app.rules.state import Effect, GameState, Seat
from app.services import ledger
from app.services.sheets import Sheet, UndoItem
from app.web.table.consequences import head_names, with_names
from app.web.table.grid import grid_rows
from app.web.table.happened import happened
from app.web.table.prompts import prompts
from app.web.table.scoreboard import scoreboard
from app.web.table.strip import strip

# The whole page, and the part of it that every change swaps.
PAGE, FRAGMENT = "table/page.html", "table/_table.html"


def view_table(sheet: Sheet) -> dict[str, object]:
    """What the templates show of a table."""
    state = sheet.state
    return {
        "state": state,
        "heads": scoreboard(state),
        # Only who writes sees the grid, and it is the dearest to make.
        "rows": grid_rows(state) if context.access().writes else [],
        "strip": [] if state.over else strip(sheet),
        "prompts": prompts(state),
        "happened": happened(sheet),
        "latest": latest(sheet),
        "undoable": undoable(sheet),
        "result": result(state) if state.over else None,
        "ledger": ledger.read_ledger(context.db(), context.link()) if state.over else None,
    }


def latest(sheet: Sheet) -> list[tuple[Event, tuple[Effect, ...]]]:
    """What was recorded last, if anything, with what it set off.

    Who had nothing is not told of as zeroed.
    """
    return [(event, _felt(sheet.state.effects)) for event in sheet.game.events[-1:]]


def undoable(sheet: Sheet) -> UndoItem | None:
    """What undo takes back, its players called as on the scoreboard: the button has little room."""
    item = sheet.undoable
    if not isinstance(item, Event):
        return item
    (event,) = with_names([item], head_names(sheet.state))
    return event


def _felt(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    return tuple(effect for effect in effects if effect.code != "zeroed" or effect.points)


class GameEnd(msgspec.Struct, frozen=True):
    """How a game ended: why, and in öre what each wins or loses.

    `ranking`: the winners first, then the highest score.
    """

    why: Effect
    ranking: list[Seat]
    payout: dict[str, int]


def result(state: GameState) -> GameEnd:
    """The end of a game, highest score first."""
    return GameEnd(
        why=state.effects[-1],
        ranking=sorted(state.seats, key=lambda seat: (seat.name not in state.winners, -seat.score)),
        payout=payout(state) or {},
    )
