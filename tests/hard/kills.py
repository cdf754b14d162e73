"""The served program killed again and again under load: nothing acknowledged may be lost.

    python -m tests.hard.kills [--times 300] [--seed 1]

Several write at once by the API and by the pages: they record, take back, edit and begin new
games, each until it is acknowledged. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.hard.figures import Figures, options, served
from tests.hard.keepers import begin, unsound

ENOUGH = 8


def main() -> int:
    """Kill a served program so many times, and hold what is there against what was told."""
    args = options(__doc__, times=300, seed=1)
    figures, slowest = Figures(f"kill -9 under load over the API and the pages: {args}"), 0.0
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        load = begin(server.port, args.seed)
        for kill in range(args.times):
            # Not always after the same number, so that it strikes at every moment of a write.
            load.wait_for_more(ENOUGH + kill % 7)
            server.kill()
            killed = time.monotonic()
            server.start()
            slowest = max(slowest, time.monotonic() - killed)
        load.wait_for_more(ENOUGH)
        refused = load.stop()
        wrong = [fault for keeper in load.keepers for fault in keeper.faults()]
        wrong += unsound(server.database)
    figures.add("facts acknowledged", load.acknowledged, kept=load.acknowledged > 0)
    figures.add("sent again without an answer", sum(each.delayed for each in load.keepers))
    figures.add("slowest start after a kill, seconds", f"{slowest:.1f}")
    figures.none_of("facts lost, doubled or changed; faults of the file", wrong)
    figures.none_of("writers refused or left waiting", refused)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
