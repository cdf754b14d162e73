"""Runs first in the bundle's Python: modules that are looked for in vain are written down."""

import sys
from importlib.abc import MetaPathFinder


class Absent(MetaPathFinder):
    """Is asked last for a module, when nobody else has it."""

    def __init__(self) -> None:
        self.absent: set[str] = set()

    def find_spec(self, fullname: str, *_: object) -> None:
        """Write the name down."""
        self.absent.add(fullname)


sys.meta_path.append(Absent())
