"""What a link to a folder of files looks like where it was sent."""

import pytest

from app.offline.site import write_pages
from app.web.pwa import Bundle
from tests.web.pages import Page
from tests.web.test_link_previews import CARD, read_card

BUNDLE = Bundle(release="1", abi="1", schema=1, files=(), download=5_000_000)


def test_the_start_page_of_a_folder_has_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a picture where the folder's address is told when it is written."""
    pages = write_pages(BUNDLE)
    assert pages["404.html"] == pages["index.html"]
    card = read_card(Page(pages["index.html"].decode()))
    assert {*card} == CARD - {"og:image"} | {"title"}
    monkeypatch.setenv("CHICAGO_URL", "https://example.com/chicago/")
    card = read_card(Page(write_pages(BUNDLE)["index.html"].decode()))
    assert card["og:image"] == "https://example.com/chicago/static/icons/icon-512.png"
    assert "chicago" in card["description"]
