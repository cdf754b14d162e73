"""A phone with the stand-in's bundle, and the status that its worker is set to."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

from tests.browser.serving import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KIT_APP = "tests.browser.bundle_stand_in:create_app()"
NOTHING: dict[str, object] = {"waiting": 0, "line": ""}
LINE = """<aside id="only-here" class="only-here {urgency}" data-of="{words}"
    aria-label="Bara här"><link rel="stylesheet" href="/static/kit.css">
    <a href="/offline">{words}</a></aside>"""
STAND = "(status) => navigator.serviceWorker.controller.postMessage({type: 'stand', status})"


@contextmanager
def serve_bundle(folder: Path) -> Iterator[Server]:
    """Serve the score keeper with the stand-in for a bundle."""
    served = Server(folder, KIT_APP)
    served.start()
    yield served
    served.stop()


def expect_bundle(page: Page, state: str) -> None:
    """Wait until the page has this state of the bundle."""
    expect(page.locator("html")).to_have_attribute("data-kit", state)


def waiting(count: int, words: str, urgency: str = "minutes") -> dict[str, object]:
    """Return a worker's status with some entries that are only on the phone."""
    return {"waiting": count, "line": LINE.format(words=words, urgency=urgency)}


def stand(page: Page, status: dict[str, object]) -> None:
    """Set the worker's status."""
    page.evaluate(STAND, status)
