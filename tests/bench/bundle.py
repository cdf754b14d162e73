"""Size of the offline bundle on the network: `make offline`, then `python -m tests.bench.bundle`.

Sizes are bytes as they cross the network, compressed by brotli.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any

from app.offline.build import OUTPUT
from app.web.pwa import LISTING

LIMIT, OURS_LIMIT = 5_400_000, 600_000
# What does not change when only this application does.
THEIRS = """
pyodide.js pyodide.asm.js pyodide.asm.wasm stdlib.zip site.zip
licences.txt static/vendor/htmx.min.js
"""


def weigh(listing: Mapping[str, Any]) -> dict[str, int]:
    """Return the bytes of each file of a bundle, of a release of ours alone, and of all."""
    files = {file["name"].partition("?")[0]: file["download"] for file in listing["files"]}
    ours = sum(size for name, size in files.items() if name not in THEIRS.split())
    return files | {"a release of ours alone": ours, "all of it": listing["download"]}


def main() -> None:
    """Print the sizes."""
    if not OUTPUT.exists():
        sys.exit("There is no bundle: make offline")
    for name, size in weigh(json.loads((OUTPUT / LISTING).read_bytes())).items():
        print(f"{name:40}{size:>12,}")


if __name__ == "__main__":
    main()
