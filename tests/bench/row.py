"""A row of the benchmark's table, and how it is printed."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.bench.load import Cost, in_turns, medians

HEAD = ("", "measured", "against", "figure", "at most", "met", "beside it")


class Row(NamedTuple):
    """What was measured, against what; the figure, the most that it may be; what is beside it."""

    name: str
    measured: str
    against: str
    figure: float
    goal: float
    beside: str = ""

    def cells(self) -> Sequence[str]:
        """The row as it is printed."""
        figure = f"{self.figure:.{2 if self.figure < 10 else 0}f}"
        met = "yes" if self.figure <= self.goal else "no"
        return (self.name, self.measured, self.against, figure, f"{self.goal:g}", met, self.beside)


def compare(
    name: str,
    other: str,
    goal: float,
    rounds: int,
    ours: Callable[[], Cost],
    others: Callable[[], Cost],
) -> Row:
    """A row of our processor time over that of another request, latency beside it."""
    costs = in_turns(rounds, ours, others)
    (mine, soon), (its, later) = map(medians, costs)
    ratio = statistics.median(one / another for (one, _), (another, _) in zip(*costs, strict=True))
    beside = f"latency {soon:.1f} of {later:.1f} ms"
    return Row(name, f"{mine:.0f} µs", f"{other}: {its:.0f} µs", ratio, goal, beside)


def print_cells(cells: Sequence[str]) -> None:
    """Print a line of the table, which is Markdown, at once."""
    print(f"| {' | '.join(cells)} |", flush=True)
