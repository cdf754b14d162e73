"""The served program killed again and again under load: nothing acknowledged may be lost.

    python -m tests.hard.kills [--times 300] [--seed 1]

Several write at once by the API and by the pages: they record, take back, mend and begin new
games, each until it is acknowledged. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.hard.figures import Figures, served
from tests.hard.keepers import begin, unsound

ENOUGH = 8


def run(folder: Path, times: int, seed: int) -> Figures:
    """Kill a served program so many times, and hold what is there against what was told."""
    figures = Figures(f"{times} x kill -9 under load over the API and the pages (seed {seed})")
    with served(folder) as server:
        load, slowest = begin(server.port, seed), 0.0
        for kill in range(times):
            # Not always after the same number, so that it strikes at every moment of a write.
            load.wait_for_more(ENOUGH + kill % 7)
            server.kill()
            killed = time.monotonic()
            server.start()
            slowest = max(slowest, time.monotonic() - killed)
        load.wait_for_more(ENOUGH)
        refused = load.stop()
        wrong = [fault for keeper in load.keepers for fault in keeper.faults()]
    figures.add("facts acknowledged", load.acknowledged, kept=load.acknowledged > 0)
    figures.add("sent again without an answer", sum(each.delayed for each in load.keepers))
    figures.add("slowest start after a kill, seconds", f"{slowest:.1f}")
    figures.none_of("acknowledged facts lost, doubled or changed", wrong)
    figures.none_of("writers refused or left waiting", refused)
    figures.none_of("faults of the file", unsound(server.database))
    return figures


def main() -> int:
    """Kill, check and print; exit status 1 where a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), args.times, args.seed).status


if __name__ == "__main__":
    sys.exit(main())
