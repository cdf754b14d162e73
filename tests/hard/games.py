"""Random games by any house rules, which come out alike in four ways: python -m tests.hard.games.

Each is played event by event, replayed from its file, recorded at a table and read back from its
log, and scored in the offline bundle (make offline). [--games 20000] [--seed 1]
"""

import json
import sys
import tempfile
from collections.abc import Sequence
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


def result(states: Sequence[GameState]) -> str:
    """Write a result with its whole history, in which the order of keys shows."""
    return json.dumps(write_result(states))


def recorded(db: Database, played: Played) -> str:
    """Record a game at a table, fact by fact, and return the result that its log gives."""
    pen = access.new_pen()
    keeper = Keeper(db, opening.open_table(db, played.setup, "", pen), pen)
    for event in played.events:
        keeper.commit(play.Record(write_event(event)))
    return result(keeper.view.states)


def compare(db: Database, python: BundlePython, played: Played) -> None:
    """Raise AssertionError where a game comes out otherwise than in play."""
    file = write_game(Game(played.setup, played.events))
    came = {
        "file": result(decode_game(json.dumps(file).encode()).states()),
        "log": recorded(db, played),
        "bundle": json.dumps(python.ask("score", games={"one": file})["one"]),
    }
    assert came == dict.fromkeys(came, result(played.states)), file


def main() -> int:
    """Draw games, the same by the same seed, and compare what comes of them."""
    args = options(__doc__, games=20_000, seed=1)
    figures, python = Figures(f"random games: {args}"), BundlePython(OUTPUT)

    @hypothesis.seed(args.seed)
    @settings(
        deadline=None,
        database=None,
        phases=[Phase.generate],
        max_examples=args.games,
        suppress_health_check=list(HealthCheck),
    )
    @given(games() | ended_games() | games(setups(TAKING_CHICAGOS)))
    def compare_all(played: Played) -> None:
        compare(db, python, played)

    with tempfile.TemporaryDirectory() as folder:
        db = Database(Path(folder, "chicago.db"))
        # What a power cut leaves is for other runs to see.
        db.connection.execute("PRAGMA synchronous = OFF")
        compare_all()
        db.close()
    python.stop()
    figures.add("games alike from the file, the log and the bundle", args.games)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
