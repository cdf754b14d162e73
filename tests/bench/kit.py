"""How much a phone fetches to take the kit along: `make offline`, then `python -m tests.bench.kit`.

Sizes are bytes of files as they are handed out, by how they are compressed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from app.kit.__main__ import OUTPUT
from app.kit.listing import Listing, basename

LIMIT, OURS_LIMIT = 5_200_000, 420_000
# What does not change when only this application does.
THEIRS = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "stdlib.zip", "site.zip"),
    *("licences.txt", "htmx.min.js"),
)
COMPRESSED = {"brotli": ".br", "gzip": ".gz", "unpacked": ""}

Sizes = Mapping[str, int]


class Weight(msgspec.Struct, frozen=True):
    """Bytes of a kit's files, by name and by compression; `ours` is what a release of ours takes.

    The worker's scripts, which the list leaves out, count as one file.
    """

    files: Mapping[str, Sizes]

    @property
    def all(self) -> Sizes:
        """The whole kit."""
        return add(self.files.values())

    @property
    def ours(self) -> Sizes:
        """All that is written here."""
        return add(sizes for name, sizes in self.files.items() if basename(name) not in THEIRS)


def add(sizes: Iterable[Sizes]) -> Sizes:
    """Add up sizes, by compression."""
    each = list(sizes)
    return {kind: sum(size[kind] for size in each) for kind in COMPRESSED}


def weigh(kit: Path) -> Weight:
    """Weigh the kit in a folder."""
    listing = msgspec.json.decode((kit / "kit.json").read_bytes(), type=Listing)
    listed = {file.name: kit / file.url.removeprefix("/offline/") for file in listing.files}
    scripts = [path for path in kit.rglob("*.js") if path not in listed.values()]
    files = {name: _sizes([path]) for name, path in listed.items()}
    return Weight(files | {"the worker's scripts": _sizes(scripts)})


def _sizes(paths: Iterable[Path]) -> Sizes:
    return add(
        {
            kind: path.with_name(path.name + ending).stat().st_size
            for kind, ending in COMPRESSED.items()
        }
        for path in paths
    )


def print_line(name: str, sizes: Sizes, limit: int | None = None) -> bool:
    """Print a line of the table; whether it is within its limit."""
    numbers = "".join(f"{sizes[kind]:>12,}" for kind in COMPRESSED)
    within = limit is None or sizes["brotli"] <= limit
    told = "" if limit is None else f"  of {limit:,}: {'fits' if within else 'TOO LARGE'}"
    print(f"{name:32}{numbers}{told}")
    return within


def main() -> None:
    """Print the sizes; exits with status 1 where a limit is passed."""
    if not OUTPUT.exists():
        sys.exit("There is no kit: make offline")
    weight = weigh(OUTPUT)
    print(f"{'bytes':32}" + "".join(f"{kind:>12}" for kind in COMPRESSED))
    for name, sizes in weight.files.items():
        print_line(basename(name), sizes)
    print()
    fits = [
        print_line("a release of ours alone", weight.ours, OURS_LIMIT),
        print_line("all of it", weight.all, LIMIT),
    ]
    sys.exit(not all(fits))


if __name__ == "__main__":
    main()
