"""Layout faults of a page on a screen, found in the page itself."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

FIND = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def find_faults(page: Page) -> list[str]:
    """Find parts that are cut off, covered, too small, out of reach, or wider than the screen.

    A sheet that lies over the page is looked at alone: what is behind it may be covered.
    """
    faults: list[str] = page.evaluate(FIND)
    return faults
