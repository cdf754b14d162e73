"""A player's name stands apart from the text around it, on every page and in every message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString
from flask import Flask

from app.i18n.language import NAME_BEGINS, NAME_ENDS
from tests.web.walk import HEADERS, Walk, kind

EVENING = Path(__file__).parents[1] / "golden" / "evening-of-house-rules-for-six.json"
# From right to left, of marks of HTML, of a format and of a replacement, and with a joined picture.
NAMES = [
    *("\u0645\u062d\u0645\u062f", "\u05d9\u05d5\u05e1\u05d9", "<b>&\"'", "%(by)s{x}", "Ca$$h"),
    "Zo\u00eb\U0001f469\u200d\U0001f9b0",
]
BELOW = ("", "/recovery", "/forget", "/files", "/rules/change", "/join", "/sheets", "/latecomer")
APART = ("/", "/files", "/rules", "/tables", "/offline")
# Where no element can stand within a text.
PLAIN = ("title", "option", "textarea", "script", "style")


@pytest.fixture(scope="module")
def pages(app: Flask) -> dict[str, str]:
    """Every page, sheet and refusal on a walk through two tables, by its address."""
    game = json.loads(EVENING.read_text(encoding="utf-8"))["game"]
    text = json.dumps(game, ensure_ascii=False)
    for before, name in zip(game["players"], NAMES, strict=True):
        text = text.replace(json.dumps(before), json.dumps(name))
    client = app.test_client()
    opening = {"player": NAMES, "dealer": "0", "stake": "1", "key": "n" * 22}
    opened = client.post("/", data=opening, headers=HEADERS)
    file = (BytesIO(text.encode()), "evening.json")
    taken_in = client.post("/files", data={"file": file}, headers=HEADERS)
    found: dict[str, str] = {}
    for table in (opened.location, taken_in.location):
        asked = app.test_client().get(table, headers=HEADERS).text
        found[f"a newcomer: GET {table}"] = asked
        me = re.findall(r"[?&;]me=\d+", asked)[0]
        for phone, start in ((client, table), (app.test_client(), f"{table}?{me[1:]}")):
            walk = Walk(phone)
            for address in (start, *(table + below for below in BELOW), *APART):
                walk.follow_all(address)
            whose = "" if phone is client else "a reader: "
            found |= {f"{whose}{at}": page.html for at, page in walk.pages.items()}
    return found


def loose(soup: BeautifulSoup) -> Iterator[str]:
    """Yield the texts that hold a name which does not stand apart."""
    for text in soup.find_all(string=lambda text: any(name in str(text) for name in NAMES)):
        assert isinstance(text, NavigableString)
        around = list(text.parents)
        apart = any(each.name == "bdi" and each.get("translate") == "no" for each in around)
        if type(text) is NavigableString and not apart and around[0].name not in PLAIN:
            yield " ".join(text.split())


@pytest.fixture(scope="module")
def soups(pages: dict[str, str]) -> dict[str, BeautifulSoup]:
    """Each of them, read."""
    return {at: BeautifulSoup(html, "html.parser") for at, html in pages.items()}


def test_every_name_in_a_text_stands_apart(soups: dict[str, BeautifulSoup]) -> None:
    """Each is within `bdi` and left alone by whoever translates the page."""
    assert len(soups) > 100
    found = {(kind(at), text) for at, soup in soups.items() for text in loose(soup)}
    assert not found, "\n".join(map(str, sorted(found)))


def test_no_attribute_holds_what_sets_a_name_apart(
    pages: dict[str, str], soups: dict[str, BeautifulSoup]
) -> None:
    """There a name is as it was written, and nowhere is a sign that could not be shown."""
    for at, html in pages.items():
        assert not {NAME_BEGINS, NAME_ENDS, "\N{REPLACEMENT CHARACTER}"} & {*html}, at
        for tag in soups[at].find_all(True):
            values = [f"{key}={value}" for key, value in tag.attrs.items()]
            assert not [value for value in values if "bdi" in value], (at, tag.name)


def test_no_title_holds_markup(pages: dict[str, str]) -> None:
    """A tab shows it as it is written."""
    titles = {
        at: re.findall(r"<title>(.*?)</title>", html, re.DOTALL) for at, html in pages.items()
    }
    assert {at: found for at, found in titles.items() if "<" in "".join(found)} == {}
