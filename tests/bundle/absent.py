"""The first program in the bundle's Python: it notes the modules that imports do not find."""

import sys
from importlib.abc import MetaPathFinder


class Absent(MetaPathFinder):
    """The last finder of modules: it is asked when no other finds one."""

    def __init__(self) -> None:
        self.absent: set[str] = set()

    def find_spec(self, fullname: str, *_: object) -> None:
        """Note the name."""
        self.absent.add(fullname)


sys.meta_path.append(Absent())
