"""The hands that few deals have: the grid has one row for all of them, which leads here."""

from __future__ import annotations

from app.rules.hands import COMMON_HANDS
from app.rules.house import listed_hands
from app.rules.state import HAND_DUE, GameState
from app.web.table.grid_row import GridRow, hand_row


def rare_hand_rows(state: GameState) -> list[GridRow]:
    """A row for each, as the grid would have it; none while no hand is due."""
    if state.deal.step not in HAND_DUE:
        return []
    hands = [hand for hand in listed_hands(state.rules) if hand not in COMMON_HANDS]
    return [hand_row(state, hand, ("score", "zero"), dialogs=True) for hand in hands]
