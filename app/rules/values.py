"""What the values have in common of which a game has thousands."""

from __future__ import annotations

import msgspec


class Value(msgspec.Struct, frozen=True, gc=False):
    """A value that never changes: it can be in no cycle, so the garbage collector passes it over.

    Else it would go through every game that is kept in memory.
    """
