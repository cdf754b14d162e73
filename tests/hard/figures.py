"""Report of a long run: figures, and the promises that they keep or break."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser.serving import Server

TOLD = 5


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """Serve for the length of a block, and end in peace, unless the block did not."""
    server = Server(folder, **environment)
    server.start()
    try:
        yield server
        server.stop()
    finally:
        server.kill()


def options(told: str, **usual: float | str) -> argparse.Namespace:
    """Read the options of a run, each with what it is without it."""
    parser = argparse.ArgumentParser(description=told)
    for name, value in usual.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    return parser.parse_args()


@dataclass
class Figures:
    """Figures of one run, printed as they come; `broken` is how many promises were."""

    title: str
    broken: int = 0

    def __post_init__(self) -> None:
        """Print what they are about."""
        print(f"\n{self.title}", flush=True)

    def add(self, name: str, value: object, *, kept: bool = True) -> None:
        """Note a figure, and whether it is as promised."""
        self.broken += not kept
        print(f"  {name:<44} {value}{'' if kept else '   <- BROKEN PROMISE'}", flush=True)

    def none_of(self, name: str, found: Sequence[object]) -> None:
        """Note how often something happened that never may; the first few are told."""
        self.add(name, len(found), kept=not found)
        print(*found[:TOLD], sep="\n", end="\n" if found else "")

    @property
    def status(self) -> int:
        """The exit status: 1 where a promise was broken."""
        return int(self.broken > 0)
