"""Size of the offline bundle on the network: `make offline`, then `python -m tests.bench.bundle`.

Sizes are bytes as they cross the network, compressed by brotli.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from app.offline.build import OUTPUT
from app.web.pwa import LISTING

LIMIT, OURS_LIMIT = 5_400_000, 600_000
# What does not change when only this application does.
THEIRS = (
    *("pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "stdlib.zip", "site.zip"),
    *("licences.txt", "static/vendor/htmx.min.js"),
)
LIMITS = {"a release of ours alone": OURS_LIMIT, "all of it": LIMIT}


def weigh(listing: Mapping[str, Any]) -> dict[str, int]:
    """Return the bytes of each file of a bundle, of a release of ours alone, and of all."""
    files = {file["name"].partition("?")[0]: file["download"] for file in listing["files"]}
    ours = sum(size for name, size in files.items() if name not in THEIRS)
    return files | {"a release of ours alone": ours, "all of it": listing["download"]}


def main() -> None:
    """Print the sizes; exits with status 1 where a limit is passed."""
    if not OUTPUT.exists():
        sys.exit("There is no bundle: make offline")
    weight = weigh(json.loads((OUTPUT / LISTING).read_bytes()))
    for name, size in weight.items():
        limit = f"  of {LIMITS[name]:,}" if name in LIMITS else ""
        print(f"{name:40}{size:>12,}{limit}")
    sys.exit(any(weight[name] > limit for name, limit in LIMITS.items()))


if __name__ == "__main__":
    main()
