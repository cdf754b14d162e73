"""The words that a control shows are in the name it is spoken by (WCAG 2.5.3)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from flask import Flask

from app.services.access import Write
from app.services.commit import commit
from app.services.play import Record
from app.store.database import Database
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Page
from tests.web.test_every_text_translated import EVENING, walk_through
from tests.web.walk import kind

NAMED = ":is(a, button, summary, [role=button])[aria-label]"
GAMES = (
    *("evening-of-vanlig-for-five", "evening-of-pagat-for-eight", "chicago-breaker-bonus"),
    *("blind-chicago-with-two", "chicago-any-time"),
)


def test_whoever_says_what_a_control_shows_presses_it(app: Flask) -> None:
    """On every page and sheet, in Swedish."""
    pages = walk_through(app, json.loads(EVENING.read_text(encoding="utf-8"))["game"])
    assert list_misnamed(pages) == []


@pytest.mark.parametrize("name", GAMES)
def test_so_does_who_says_it_at_any_step_of_a_game(
    new_phone: NewPhone, seat: Seat, db: Database, name: str
) -> None:
    """The board after each event, and the sheets that are new on it."""
    game = json.loads((EVENING.parent / f"{name}.json").read_text(encoding="utf-8"))["game"]
    phone = new_phone(language="sv")
    seat(phone, **{key: game[key] for key in game if key in ("players", "dealer", "rules")})
    pen, pages = phone.client.get_cookie("chicago-pen"), dict[str, Page]()
    assert pen is not None
    for number, event in enumerate([*game["events"], None]):
        board = pages[f"board {number}"] = phone.open(phone.table)
        for link in board.elements("a[data-sheet]"):
            address = urljoin(phone.table, link["href"])
            sheet = f"{kind(address)} {board.title}"
            if sheet not in pages:
                pages[sheet] = phone.open(address)
        if event:
            commit(db, Write(phone.table.removeprefix("/t/"), pen.value), Record(event))
    assert list_misnamed(pages) == []


def list_misnamed(pages: dict[str, Page]) -> list[tuple[str, str, str]]:
    """List what controls show, and their names, where these are without it."""
    return sorted({(kind(at), *each) for at, page in pages.items() for each in misnamed(page)})


def misnamed(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the words that a control shows, and those of its name, where that is without them."""
    for tag in page.soup.select(NAMED):
        described = [] if "aria-describedby" not in tag.attrs else tag.select("[id]")
        apart = {text for each in described for text in each.stripped_strings}
        shown = words_of(" ".join(text for text in tag.stripped_strings if text not in apart))
        name = words_of(str(tag["aria-label"]))
        # In their order: asking an iterator whether a word is in it goes on from there.
        left = iter(name)
        if not all(word in left for word in shown):
            yield " ".join(shown), " ".join(name)


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, without case and signs."""
    return re.findall(r"\w+", text.casefold())


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<button aria-label="Anna: pair">·</button>', []),
        ('<button aria-label="Pair (4)"><b>Pair</b></button>', []),
        ('<button aria-label="Pair" aria-describedby="a">Pair<i id="a">4</i></button>', []),
        ('<button aria-label="Nobody">Nobody has it</button>', [("nobody has it", "nobody")]),
        ('<a aria-label="Pairs">Pair</a>', [("pair", "pairs")]),
    ],
)
def test_a_name_has_all_words_that_are_no_description(
    html: str, found: list[tuple[str, str]]
) -> None:
    """Signs are no words, and half a word is none."""
    assert list(misnamed(Page(html))) == found
