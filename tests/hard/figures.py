"""Report of a long run: figures, and the promises that they keep or break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Figures:
    """Figures of one run, each with whether its promise was kept."""

    title: str
    lines: list[tuple[str, str, bool]] = field(default_factory=list)

    def add(self, name: str, value: object, *, kept: bool = True) -> None:
        """Note a figure, and whether it is as promised."""
        self.lines.append((name, str(value), kept))

    def none_of(self, name: str, found: Sequence[object]) -> None:
        """Note how often something happened that never may; the first few are told."""
        self.add(name, len(found), kept=not found)
        self.lines.extend((f"  {name}", str(each), True) for each in found[:5])

    @property
    def kept(self) -> bool:
        """True when every promise was kept."""
        return all(kept for _, _, kept in self.lines)

    def print(self) -> int:
        """Print them all, and return the exit status: 1 where a promise was broken."""
        print(f"\n{self.title}")
        for name, value, kept in self.lines:
            print(f"  {name:<44} {value}{'' if kept else '   <- BROKEN PROMISE'}")
        return int(not self.kept)


def milliseconds(seconds: Sequence[float], percent: float) -> float:
    """Return a percentile in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
