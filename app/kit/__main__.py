"""Build the kit: `python -m app.kit`."""

from __future__ import annotations

import sys
from pathlib import Path

from app.kit.build import build
from app.kit.compilation import BuildFailed
from app.kit.downloads import Missing

ROOT = Path(__file__).parents[2]

if __name__ == "__main__":
    try:
        listing = build(ROOT, ROOT / "build" / "offline", ROOT / "build" / "kit")
    except (Missing, BuildFailed) as error:
        sys.stderr.write(f"The kit cannot be built. {error}\n")
        raise SystemExit(1) from None
    sys.stdout.write(f"build/offline: release {listing['release']}\n")
