"""A row of the benchmark's table, and how it is printed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

HEAD = ("", "measured", "against", "figure", "goal", "met", "beside it")


class Row(msgspec.Struct, frozen=True):
    """One figure with its goal: what was measured, against what, and what is told beside it.

    The goal is the most that the figure may be, or the least, with `at_least`.
    """

    name: str
    measured: str
    against: str
    figure: float
    goal: float
    at_least: bool = False
    beside: str = ""

    @property
    def met(self) -> bool:
        """True when the goal is reached."""
        return self.figure >= self.goal if self.at_least else self.figure <= self.goal

    def cells(self) -> Sequence[str]:
        """The row as it is printed."""
        figure = f"{self.figure:.{2 if self.figure < 10 else 0}f}"
        goal = f"{'≥' if self.at_least else '≤'} {self.goal:g}"
        met = "yes" if self.met else "no"
        return (self.name, self.measured, self.against, figure, goal, met, self.beside)


def print_cells(cells: Sequence[str]) -> None:
    """Print a line of the table, which is Markdown, at once."""
    print(f"| {' | '.join(cells)} |", flush=True)
