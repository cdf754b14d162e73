"""Build the kit, unless the one that is there is of these sources: `python -m app.kit`."""

from __future__ import annotations

import sys
from pathlib import Path

from app.http.assets import LISTING
from app.kit.build import build
from app.kit.compilation import BuildFailed
from app.kit.downloads import MissingSource
from app.kit.sources import fingerprint

ROOT = Path(__file__).parents[2]
OUTPUT, CACHE = ROOT / "build" / "offline", ROOT / "build" / "kit"
# Says what the kit was built of.
BUILT_OF = CACHE / "built-of"


def main() -> None:
    """Build it, or exit with a sentence that says why it cannot be."""
    sources = fingerprint(ROOT)
    if (OUTPUT / LISTING).exists() and BUILT_OF.exists() and BUILT_OF.read_text() == sources:
        return
    try:
        listing = build(ROOT, OUTPUT, CACHE)
    except (MissingSource, BuildFailed) as error:
        sys.stderr.write(f"The kit cannot be built. {error}\n")
        raise SystemExit(1) from None
    BUILT_OF.write_text(sources)
    sys.stdout.write(f"build/offline: {listing.release}, {listing.download:,} bytes to fetch\n")


if __name__ == "__main__":
    main()
