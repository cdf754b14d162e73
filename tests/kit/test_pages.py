"""Every page of a table is made by the kit's Python, and nothing it imports is missing."""

from __future__ import annotations

import json
import re
from collections import deque
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from werkzeug.test import Client, TestResponse

from app.kit.__main__ import CACHE
from app.kit.modules import is_omitted, locate
from tests.kit.kit_python import KitPython
from tests.web.pages import Button, Page

GOLDEN = Path(__file__).parents[1] / "golden"
OPENING = {"player": ["Anna", "Bo", "Cilla"], "dealer": "Anna", "stake": "1", "key": "k" * 22}
HEADERS = {"Accept-Language": "sv", "Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
# What a walk leaves out: what is no page of the application, and forgetting the table itself.
ELSEWHERE = re.compile(r"^/static/|^/offline|/live$|/forget$|^/language$")
# Forms for which a phone needs its server.
NETWORK = re.compile(r"/(?:pen|pen/back|recovery)$")
# Seen on the way, however much else is.
PAGES = (
    *("GET /", "POST /again", "GET /tables", "GET /files", "GET /t/*", "GET /t/*/more"),
    *("GET /t/*/row/*", "GET /t/*/hand/*", "GET /t/*/tie", "GET /t/*/player/*", "GET /t/*/rules"),
    *("POST /t/*/events", "POST /t/*/games", "GET /t/*/protocol", "GET /t/*/compare"),
    *("GET /t/*/games/*", "GET /t/*/games/*/log", "GET /t/*/games/*/entries/*"),
    *("POST /t/*/games/*/mend", "GET /t/*/games/*.json", "GET /t/*/games.zip"),
    *("GET /t/*/evening", "GET /t/*/evening/pay/*-*", "POST /t/*/evening/all", "GET /t/*/people"),
    *("GET /t/*/years", "GET /t/*/ledger.csv", "GET /t/*/join"),
)
# Asked for by name on pages that the walk does not come to.
APART = ("/", "/rules", "/files", "/tables", "/app.webmanifest", "/not-a-page")
# Looked for where they may be or not, and left out on purpose.
TOLERATED = ("ctypes",)


class Walk:
    """A phone that follows every kind of link, and presses every kind of button, once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: deque[str] = deque()
        self._seen: set[str] = set()
        self.answers: dict[str, int] = {}

    def follow_all(self, start: str) -> None:
        """Open what can be reached from an address."""
        self._note(start)
        while self._waiting:
            address = self._waiting.popleft()
            answer = self._client.get(address, headers=HEADERS)
            self._take("GET", address, answer)
            if answer.mimetype == "text/html":
                page = Page(answer.text)
                for link in page.links:
                    self._note(urljoin(address, link.href))
                for button in page.buttons:
                    self._press(address, button)

    def _take(self, method: str, address: str, answer: TestResponse) -> None:
        self.answers[f"{method} {address}"] = answer.status_code
        if answer.location:
            self._note(urljoin(address, answer.location))

    def _note(self, address: str) -> None:
        path = urlsplit(address)._replace(scheme="", netloc="", fragment="").geturl()
        if self._is_new(path):
            self._waiting.append(path)

    def _is_new(self, address: str, what: str = "") -> bool:
        seen = f"{what} {kind(address)}"
        if seen in self._seen or ELSEWHERE.search(urlsplit(address).path):
            return False
        self._seen.add(seen)
        return True

    def _press(self, page: str, button: Button) -> None:
        address = urljoin(page, button.action or page)
        if NETWORK.search(address) or button.form.method != "post":
            return
        if self._is_new(address, f"press {button.name}"):
            sent: dict[str, list[str]] = {}
            for name, value in button.data:
                sent.setdefault(name, []).append(value)
            self._take("POST", address, self._client.post(address, data=sent, headers=HEADERS))


def kind(address: str) -> str:
    """Return an address without what tells tables, hands, games and entries apart."""
    return re.sub(r"(?<=/[tr]/)[\w.-]+|(?<=/row/)\w+|(?<=/hand/)\d+/\w+|\d+|=[^&]*", "*", address)


@pytest.fixture(scope="module")
def answers(python: KitPython) -> dict[str, int]:
    """Open a table, take in another with a whole game, and go through all pages of both."""
    client = Client(python)
    opened = client.post("/", data=OPENING, headers=HEADERS)
    game = json.loads((GOLDEN / "evening-of-huvudregler-for-four.json").read_text())["game"]
    file = (BytesIO(json.dumps(game).encode()), "evening.json")
    taken_in = client.post("/files", data={"file": file}, headers=HEADERS)
    found: dict[str, int] = {}
    for each in (opened, taken_in):
        assert each.status_code == HTTPStatus.SEE_OTHER, each.text
        walk = Walk(client)
        walk.follow_all(each.location)
        found |= walk.answers
    return found | {path: client.get(path, headers=HEADERS).status_code for path in APART}


def test_every_page_is_answered(answers: dict[str, int]) -> None:
    """No page, sheet, file or form fails, and what tables have is among them."""
    assert {each: status for each, status in answers.items() if status >= 500} == {}
    assert set(PAGES) - {kind(address) for address in answers} == set()


@pytest.mark.usefixtures("answers")
def test_nothing_that_is_imported_is_missing(python: KitPython) -> None:
    """What was looked for in vain is nowhere in the libraries either, or left out on purpose."""
    roots = (CACHE / "work" / "site", CACHE / "work" / "stdlib")
    absent = python.ask("absent")["names"]
    assert absent
    missing = [name for name in absent if locate(name, roots) and not is_omitted(name, TOLERATED)]
    assert missing == []
