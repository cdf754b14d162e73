"""A walk through all pages of a table, along their links and buttons."""

from __future__ import annotations

import re
from collections import deque
from urllib.parse import urljoin, urlsplit

from werkzeug.datastructures import MultiDict
from werkzeug.test import Client, TestResponse

from tests.web.pages import Button, Page

HEADERS = {"Accept-Language": "sv", "Sec-Fetch-Site": "same-origin", "Accept": "text/html"}
# Addresses outside of a walk: no pages of the application, and forgetting the table itself.
ELSEWHERE = re.compile(r"^/static/|^/offline|/live$|/forget$|^/language$")
# Forms for which a phone needs its server.
NETWORK = re.compile(r"/(?:pen|pen/back|recovery)$")


class Walk:
    """A phone that follows every kind of link, and presses every kind of button, once.

    `answers` are the statuses and `pages` the pages, by method and address.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: deque[str] = deque()
        self._seen: set[str] = set()
        self.answers: dict[str, int] = {}
        self.pages: dict[str, Page] = {}

    def follow_all(self, start: str) -> None:
        """Open all pages that can be reached from an address."""
        self._note(start)
        while self._waiting:
            address = self._waiting.popleft()
            answer = self._client.get(address, headers=HEADERS)
            page = self._take("GET", address, answer)
            if page is not None:
                for link in page.links:
                    self._note(urljoin(address, link.href))
                for button in page.buttons:
                    self._press(address, button)

    def _take(self, method: str, address: str, answer: TestResponse) -> Page | None:
        self.answers[f"{method} {address}"] = answer.status_code
        if answer.location:
            self._note(urljoin(address, answer.location))
        if answer.mimetype != "text/html":
            return None
        page = self.pages[f"{method} {address}"] = Page(answer.text)
        return page

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
            answer = self._client.post(address, data=MultiDict(button.data), headers=HEADERS)
            self._take("POST", address, answer)


def kind(address: str) -> str:
    """Return an address without the names and numbers of tables, hands, games and entries."""
    parts = r"(?<=/[tr]/)[\w.-]+|(?<=/how/)\w+|(?<=/row/)\w+|(?<=/hand/)\d+/\w+|\d+|=[^&]*"
    return re.sub(parts, "*", address)
