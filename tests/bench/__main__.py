"""Benchmark of the score keeper beside the least that could do the same: `make bench`.

    python -m tests.bench [--rounds 5] [recording reading following past-tap past-pages
        phones more-phones replay start again]

Prints one table of Markdown. What is compared is measured in one run, in turns; figures are medians
of the rounds, ratios those of each round. Processor time is that of all the server's processes for
each request. Nothing fails: figures of one machine are no promise.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping

from tests.bench import again, fanout, requests
from tests.bench.row import HEAD, Row, print_cells

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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="row", help=", ".join(ROWS))
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if unknown := set(args.rows) - set(ROWS):
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    print_cells(HEAD)
    print_cells(["---"] * len(HEAD))
    for name in args.rows or ROWS:
        for row in ROWS[name](args.rounds):
            print_cells(row.cells())
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\n{os.cpu_count()} processors; the machine's load was {load} at the end.")


if __name__ == "__main__":
    main()
