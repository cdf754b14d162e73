"""Actions on a page that wait until it has loaded, as a person does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Keyboard, Locator, Page

ACTIONS = (
    "all",
    "all_inner_texts",
    "bounding_box",
    "check",
    "click",
    "count",
    "dblclick",
    "evaluate",
    "evaluate_all",
    "fill",
    "focus",
    "get_attribute",
    "inner_text",
    "input_value",
    "is_visible",
    "press",
    "press_sequentially",
    "select_option",
    "tap",
)


@contextmanager
def unhurried() -> Iterator[None]:
    """Let every tap, every key and every look wait for the page's scripts and styles.

    An element can be found before they are loaded. A test about a tap at that moment does it inside
    the page, or lets a script fail to load.
    """
    keyboard, evaluate = Page.keyboard, Page.evaluate

    def loaded(page: Page) -> Keyboard:
        page.wait_for_load_state()
        found: Keyboard = keyboard.__get__(page, Page)
        return found

    def evaluate_loaded(page: Page, expression: str, arg: object = None) -> object:
        page.wait_for_load_state()
        return evaluate(page, expression, arg)

    with pytest.MonkeyPatch.context() as patch:
        for action in ACTIONS:
            patch.setattr(Locator, action, _once_loaded(getattr(Locator, action)))
        patch.setattr(Page, "keyboard", property(loaded))
        patch.setattr(Page, "evaluate", evaluate_loaded)
        yield


def _once_loaded(act: Callable[..., Any]) -> Callable[..., Any]:
    def wait_and_act(locator: Locator, *values: object, **options: object) -> object:
        locator.page.wait_for_load_state()
        return act(locator, *values, **options)

    return wait_and_act
