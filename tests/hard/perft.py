"""Every sequence of four events, counted in each set of rules: python -m tests.hard.perft.

Fails where another engine counted otherwise, or was led to other results.
"""

import sys

from tests.hard.figures import Figures, options
from tests.rules.perft import SETS, counted, expected


def main() -> int:
    """Count as deep as the other engine did."""
    depth = options(__doc__, depth=4).depth
    figures = Figures(f"sequences of up to {depth} events")
    for name, one in SETS.items():
        wanted = expected(one, depth)
        found = counted(one, len(wanted[0]))
        figures.add(name, found[0], kept=found == wanted)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())
