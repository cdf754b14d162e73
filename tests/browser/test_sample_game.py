"""The sample game in a browser: the arrow keys and Back step through it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def test_the_arrow_keys_and_back_walk_through_the_sample_game(phone: Page) -> None:
    """The keys go forward and back; the link to the next step keeps its place below any text."""
    phone.goto("/sample/huvudregler")
    onwards = phone.locator("[rel=next]")
    place = onwards.bounding_box()
    for number in (2, 3, 4):
        phone.keyboard.press("ArrowRight")
        expect(phone).to_have_url(re.compile(f"/sample/huvudregler/{number}$"))
    box = onwards.bounding_box()
    assert place
    assert box
    assert box["y"] == place["y"]
    phone.keyboard.press("ArrowLeft")
    expect(phone).to_have_url(re.compile("/sample/huvudregler/3$"))
    phone.go_back()
    expect(phone).to_have_url(re.compile("/sample/huvudregler/4$"))
