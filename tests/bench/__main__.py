"""Benchmark of the score keeper beside the least that could do the same: `make bench`.

    python -m tests.bench [--rounds 5] [--only past]

Its rows are recording, reading, following, past-tap, past-pages, phones, more-phones, replay, start
and again.

Prints one table of Markdown. What is compared is measured in one run, in turns; figures are medians
of the rounds, ratios those of each round. Processor time is that of all the server's processes for
each request. Nothing fails: figures of one machine are no promise.
"""

import os
from collections.abc import Callable, Iterator, Mapping

from tests.bench import again, fanout, requests
from tests.bench.load import Row
from tests.hard.figures import options

ROWS: Mapping[str, Callable[[int], Iterator[Row]]] = {
    "recording": requests.recording,
    "reading": requests.reading,
    "following": requests.following,
    "past-tap": requests.past_tap,
    "past-pages": requests.past_pages,
    "phones": fanout.thousand,
    "more-phones": fanout.four_thousand,
    "replay": requests.replaying,
    "start": requests.starting,
    "again": again.measure,
}


def main() -> None:
    """Measure and print, row by row."""
    args = options(__doc__, rounds=5, only="")
    print("| | measured | against | figure | at most | met | beside it |")
    print("| --- " * 7 + "|")
    for name, measure in ROWS.items():
        for row in measure(args.rounds) if args.only in name else ():
            print(row, flush=True)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\n{os.cpu_count()} processors; the machine's load was {load} at the end.")


if __name__ == "__main__":
    main()
