"""How the figures of games follow what is recorded of them.

A game's figures are worked out from its log when it ends, is mended, comes in, or is taken up
again by undoing its end; within the same write, so that they are never of another moment.
"""

from __future__ import annotations

import msgspec

from app import store_years
from app.evenings import evening_of
from app.keeping import kept_event, kept_setup
from app.rules.figures import Between, SeatFigures, between, figures
from app.rules.game import replay
from app.store import Store
from app.store_years import Row

# Points know no bounds, integers of the database do: sums of millions of these still fit.
MOST = 10**12


def refresh(store: Store, game_id: int) -> None:
    """Work a game's figures out anew, within the write that changed it."""
    table_id, kept, begun_at = store_years.game(store, game_id)
    setup = kept_setup(kept)
    counting = [row for row in store.events(game_id) if row.taken_back is None]
    events = [kept_event(row.body, setup) for row in counting]
    states = replay(setup, events)
    day = evening_of(begun_at).isoformat()
    common: Row = {"table_id": table_id, "month": day[:7]}
    dated = {**common, "day": day, "stake_ore": setup.stake_ore}
    seats = [dated | _seat_row(seat) for seat in figures(states, events)]
    pairs = [common | _pair_row(pair) for pair in between(states[-1])]
    store_years.replace(store, game_id, seats, pairs)


def rebuild(store: Store) -> int:
    """Work the figures of all games of all tables out anew; tells how many games there are."""
    with store.writing():
        games = store_years.all_games(store)
        for game_id in games:
            refresh(store, game_id)
    return len(games)


def _seat_row(seat: SeatFigures) -> Row:
    row = msgspec.structs.asdict(seat)
    hands = row.pop("hands")
    row |= {str(hand): times for hand, times in hands.items()}
    return row | {key: _held(row[key]) for key in ("ore", "score", "biggest_swing")}


def _pair_row(pair: Between) -> Row:
    """A pair in the order of its names, so that the same two are one whoever sat first."""
    row = msgspec.structs.asdict(pair) | {"ore": _held(pair.ore)}
    if pair.a < pair.b:
        return row
    turned = {"a": pair.b, "b": pair.a, "a_ahead": pair.b_ahead, "b_ahead": pair.a_ahead}
    return row | turned | {"ore": -_held(pair.ore)}


def _held(number: int) -> int:
    return max(-MOST, min(MOST, number))
