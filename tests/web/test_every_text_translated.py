"""In a language that marks every text, no page shows or speaks a word without its mark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http import HTTPStatus
from io import BytesIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask

from app.http import context
from tests.marked import Marked
from tests.web.pages import Page
from tests.web.walk import HEADERS, Walk, kind

EVENING = Path(__file__).parents[1] / "golden" / "evening-of-house-rules-for-six.json"
NEW = ["Anna", "Bo", "Cilla"]
OPENING = {"player": NEW, "dealer": "Anna", "stake": "1", "key": "k" * 22}
# Pages that no link reaches, or only a link that is handed over.
BELOW = ("", "/recovery", "/forget", "/files", "/rules/change", "/join", "/sheets", "/pen/no")
APART = (*("/", "/files", "/rules", "/tables", "/offline", "/nowhere", "/t/no"),)
# Attributes that a screen reader speaks.
SPOKEN = ("alt", "aria-label", "aria-description", "placeholder", "title")


def test_no_page_shows_a_word_that_is_not_translated(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page, sheet and refusal on a walk through two tables is translated."""
    spoken = Marked()
    monkeypatch.setattr(context, "get_language", lambda _: spoken)
    game = json.loads(EVENING.read_text(encoding="utf-8"))["game"]
    names = [*NEW, *game["players"]]
    pages = walk_through(app, game)
    assert len(pages) > 60
    words = {
        (kind(address), word)
        for address, page in pages.items()
        for text in texts(page.soup)
        for word in spoken.unmarked(text, names)
    }
    assert sorted(words) == []


def walk_through(app: Flask, game: object) -> dict[str, Page]:
    """Return all pages of a new table and of one with a whole game, by their addresses."""
    client = app.test_client()
    file = (BytesIO(json.dumps(game).encode()), "evening.json")
    opened = client.post("/", data=OPENING, headers=HEADERS)
    taken_in = client.post("/files", data={"file": file}, headers=HEADERS)
    pages: dict[str, Page] = {}
    for table in (opened.location, taken_in.location):
        walk = Walk(client)
        for address in (*(table + below for below in BELOW), *APART):
            walk.follow_all(address)
        # A browser follows redirects and shows nothing of them.
        followed = {at for at, status in walk.answers.items() if status == HTTPStatus.SEE_OTHER}
        pages |= {at: page for at, page in walk.pages.items() if at not in followed}
    return pages


def texts(soup: BeautifulSoup) -> Iterator[str]:
    """Yield the texts that a page shows or speaks, and those for its scripts."""
    # A name is part of its sentence, also the bold one of the winner.
    for named in soup.select(".why b, bdi"):
        named.unwrap()
    soup.smooth()
    # These strings include neither comments nor scripts.
    yield from soup.stripped_strings
    for tag in soup.find_all(True):
        assert isinstance(tag, Tag)
        for name, value in tag.attrs.items():
            if name in SPOKEN:
                yield str(value)
            # A value for the machinery is one word, or JSON, or of the one attribute with several.
            elif name.startswith("data-") and " " in value and name != "data-when":
                yield from _sentences(str(value))


def _sentences(value: str) -> Iterator[str]:
    """Yield the texts of an attribute for scripts, which may be JSON."""
    if value.startswith(("{", "[")):
        yield from _leaves(json.loads(value))
    else:
        yield value


def _leaves(value: object) -> Iterator[str]:
    match value:
        case str() if " " in value:
            yield value
        case dict():
            for each in value.values():
                yield from _leaves(each)
        case list():
            for each in value:
                yield from _leaves(each)
