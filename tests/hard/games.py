"""Random games by any house rules, which come out alike in four ways: python -m tests.hard.games.

Each is played event by event, replayed from its file, recorded at a table and read back from its
log, and scored in the offline bundle (make offline). [--games 20000] [--seed 1]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

from app.offline.build import OUTPUT
from app.rules.events import write_event
from app.rules.gamefile import Game, decode_game, write_game, write_result
from app.rules.state import GameState
from app.services import access, opening, play
from app.store.database import Database
from tests.bundle.bundle_python import BundlePython
from tests.hard.figures import Figures, options
from tests.rules.strategies import TAKING_CHICAGOS, Played, ended_games, games, setups
from tests.services.keeper import Keeper

AT_A_TIME = 500
ANEW = settings(
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
ANY = games() | ended_games() | games(setups(TAKING_CHICAGOS))


def drawn(count: int, seed: int) -> list[Played]:
    """Draw games; the same seed gives the same games."""
    found: list[Played] = []

    @hypothesis.seed(seed)
    @settings(ANEW, max_examples=count)
    @given(ANY)
    def draw(played: Played) -> None:
        found.append(played)

    draw()
    return found


def result(states: list[GameState]) -> str:
    """Write a result with its whole history, in which the order of keys shows."""
    return json.dumps(write_result(states))


def recorded(db: Database, played: Played) -> str:
    """Record a game at a table, fact by fact, and return the result that its log gives."""
    pen = access.new_pen()
    keeper = Keeper(db, opening.open_table(db, played.setup, "", pen), pen)
    for event in played.events:
        keeper.commit(play.Record(write_event(event)))
    return result(list(keeper.view.states))


def otherwise(db: Database, python: BundlePython, batch: list[Played]) -> Iterator[str]:
    """Yield what comes out otherwise than in play: the way, and the game's file."""
    files = [write_game(Game(played.setup, played.events)) for played in batch]
    bundled = python.ask("score", games=dict(enumerate(files)))
    for number, (played, file) in enumerate(zip(batch, files, strict=True)):
        expected, text = result(list(played.states)), json.dumps(file)
        ways = {
            "file": result(decode_game(text.encode()).states()),
            "log": recorded(db, played),
            "bundle": json.dumps(bundled[str(number)]),
        }
        yield from (f"{way}: {text}" for way, came in ways.items() if came != expected)


def main() -> int:
    """Draw games and compare what comes of them."""
    args = options(__doc__, games=20_000, seed=1)
    figures, wrong, count, events = Figures(f"random games: {args}"), list[str](), 0, 0
    python = BundlePython(OUTPUT)
    while count < args.games:
        batch = drawn(min(AT_A_TIME, args.games - count), args.seed + count)
        with tempfile.TemporaryDirectory() as folder:
            db = Database(Path(folder, "chicago.db"))
            # What a power cut leaves is for other runs to see.
            db.connection.execute("PRAGMA synchronous = OFF")
            wrong += otherwise(db, python, batch)
            db.close()
        count, events = count + len(batch), events + sum(len(each.events) for each in batch)
    python.stop()
    figures.add("games", count)
    figures.add("events in them", events)
    figures.none_of("otherwise from the file, the log or the bundle", wrong)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
