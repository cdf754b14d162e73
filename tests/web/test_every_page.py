"""Every page of two tables, on a walk: words are translated, names stand apart, controls are named.

The names are from right to left, of marks of HTML, of a format and of a replacement, and with a
joined picture.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from io import BytesIO
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup, Tag
from flask import Flask
from markupsafe import escape

from app.http import context
from app.i18n.language import NAME_BEGINS, NAME_ENDS
from app.services.access import Write
from app.services.commit import commit
from app.services.play import Record
from app.store.database import Database
from tests.marked import Marked
from tests.rules.table import GOLDEN
from tests.told import told
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Page
from tests.web.test_every_name_field import FIELDS
from tests.web.walk import HEADERS, Walk, kind

# By chance a secret spells a mark.
SECRET = re.compile(r"/[\w-]{22,}")
NAMES = [
    *("\u0645\u062d\u0645\u062f", "\u05d9\u05d5\u05e1\u05d9", "<b>&\"'", "%(by)s{x}", "Ca$$h"),
    "Zo\u00eb\U0001f469\u200d\U0001f9b0",
]
# Pages that no link reaches, or only a link that is handed over.
BELOW = ("", "/recovery", "/forget", "/files", "/rules/change", "/join", "/sheets")
APART = ("/", "/files", "/rules", "/tables", "/offline", "/nowhere", "/t/no")
# Where a name stands apart, or no element can stand within a text.
APART_OR_PLAIN = re.compile(
    r'<bdi\b[^>]*translate="no"[^>]*>.*?</bdi>|<(title|option|textarea|script|style)\b.*?</\1>',
    re.DOTALL,
)
TAG = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^"'>])*>""")
# Attributes that a screen reader speaks.
SPOKEN = ("alt", "aria-label", "aria-description", "placeholder", "title")
NAMED = ":is(a, button, summary, [role=button])[aria-label]"
NAME_FIELDS = {(action, name) for _, action, name, *_ in FIELDS}


def walk_through(app: Flask) -> dict[str, Page]:
    """Return all pages of a new table and of one with a game, for who writes and who reads."""
    game = GOLDEN["evening-of-house-rules-for-six"]["game"]
    text = json.dumps(game, ensure_ascii=False)
    for before, name in zip(game["players"], NAMES, strict=True):
        text = text.replace(json.dumps(before), json.dumps(name))
    client, found = app.test_client(), dict[str, Page]()
    opening = {"player": NAMES, "dealer": "0", "stake": "1", "key": "n" * 22, "apart": "1"}
    opened = client.post("/", data=opening, headers=HEADERS)
    file = (BytesIO(text.encode()), "evening.json")
    taken_in = client.post("/files", data={"file": file}, headers=HEADERS)
    found["GET /"] = Page(client.get("/", headers=HEADERS).text)
    for table, first, apart in (
        (opened.location, "/latecomer", APART),
        (taken_in.location, "/next", ()),
    ):
        asked = app.test_client().get(table, headers=HEADERS).text
        found[f"a newcomer: GET {table}"] = Page(asked)
        me = re.findall(r"[?&;](me=\d+)", asked)[0]
        for phone, start in ((client, table), (app.test_client(), f"{table}?{me}")):
            walk, whose = Walk(phone), "" if phone is client else "a reader: "
            for address in (table + first, start, *(table + below for below in BELOW), *apart):
                walk.follow_all(address)
            # A browser follows redirects and shows nothing of them.
            hidden = {at for at, code in walk.answers.items() if code == HTTPStatus.SEE_OTHER}
            found |= {f"{whose}{at}": page for at, page in walk.pages.items() if at not in hidden}
    assert len(found) > 100
    return found


def test_every_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a language that marks every text each page, sheet and refusal has the mark everywhere.

    A name is within `bdi` and left alone by whoever translates; a tab shows it as it is written.
    The words that a control shows are in the name it is spoken by (WCAG 2.5.3). The fields that
    take names are all in `NAME_FIELDS`.
    """
    spoken, unmarked = Marked(), set[tuple[str, str]]()
    names = [*NAMES, *(name[0] for name in NAMES)]
    monkeypatch.setattr(context, "get_language", lambda _: spoken)
    pages = walk_through(app)
    assert [(kind(at), text) for at, page in pages.items() for text in loose(page.html)] == []
    assert list_misnamed(pages) == []
    fields = {each for at, page in pages.items() for each in name_fields(at, page)}
    assert fields - NAME_FIELDS == set()
    for at, page in pages.items():
        for text in texts(page.soup):
            unmarked |= {(kind(at), word) for word in spoken.unmarked(text, names)}
    assert sorted(unmarked) == []


def name_fields(at: str, page: Page) -> Iterator[tuple[str, str]]:
    """Yield the action and name of each field for which a phone shows letters as written."""
    for form in page.forms:
        for tag in form.tag("input"):
            if not {"type", "inputmode", "readonly"} & {*tag.attrs}:
                action = form.action or at.partition(" ")[2]
                yield kind(action).partition("?")[0], str(tag["name"])


def texts(soup: BeautifulSoup) -> Iterator[str]:
    """Yield the texts that a page shows or speaks, and those for its scripts."""
    # A name is part of its sentence, also a bold one, and so is an amount.
    for named in soup.select(".why b, .facts b, bdi"):
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


def loose(html: str) -> Iterator[str]:
    """Yield where a name does not stand apart, or a mark is where it is none."""
    html = SECRET.sub("", html)
    yield from {NAME_BEGINS, NAME_ENDS, "\N{REPLACEMENT CHARACTER}"} & {*html}
    yield from (tag for tag in TAG.findall(html) if "bdi" in tag.lstrip("</")[3:])
    yield from (
        title for title in re.findall("<title>(.*?)</title>", html, re.DOTALL) if "<" in title
    )
    text = TAG.sub(" ", APART_OR_PLAIN.sub(" ", html))
    yield from (name for name in NAMES if str(escape(name)) in text)


@told
def test_so_does_who_says_it_at_any_step_of_a_game(
    new_phone: NewPhone, seat: Seat, db: Database, name: str
) -> None:
    """The board after each event, and the sheets that are new on it."""
    game = GOLDEN[name]["game"]
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


@told
def test_a_name_has_all_words_that_are_no_description(html: str, found: list[list[str]]) -> None:
    """Signs are no words, and half a word is none."""
    assert [*map(list, misnamed(Page(html)))] == found
