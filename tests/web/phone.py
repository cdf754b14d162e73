"""A phone at the table: it opens pages, fills in their fields, and presses their buttons."""

from __future__ import annotations

import re

from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from tests.web.pages import Button, Page

HTMX = {"HX-Request": "true"}
# A form of a table; what is forgotten is not known again, a file is read once, and each link that
# is made is another.
SENT_AGAIN = re.compile("/t/(?!.*/(forget|files|pen|recovery)$)")


class Phone:
    """One phone, with scripts (`htmx`) or without.

    One that `doubts` sends each form that is carried out again, as where its answer was lost, and
    is led to the same page, or shown the same version of it.
    """

    doubts = False

    def __init__(self, client: FlaskClient, htmx: bool = False, language: str = "en") -> None:
        self.client = client
        self.htmx = htmx
        self.headers = {"Accept-Language": language, "Sec-Fetch-Site": "same-origin"}
        self.answer: TestResponse
        self.table = ""
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """The page on its screen; first it is that of the table, if the phone sits at one."""
        if self._page:
            return self._page
        return self.home() if self.table else Page("")

    @page.setter
    def page(self, page: Page) -> None:
        """Show what has come otherwise."""
        self._page = page

    def sit(self, table: str) -> None:
        """Sit at a table, whose page is opened when it is first looked at."""
        self.table, self._page = table, None

    def open(self, address: str) -> Page:
        """Open an address that is typed, or tapped outside of any page."""
        return self._shown(self.client.get(address, headers=self.headers))

    def home(self) -> Page:
        """Open the table that this phone opened last."""
        return self.open(self.table)

    def follow(self, label: str) -> Page:
        """Tap a link."""
        link = self.page.link(label)
        if self.htmx and link.htmx:
            return self._shown(self.client.get(link.htmx, headers=self.headers | HTMX))
        return self.open(link.href)

    def press(self, label: str) -> Page:
        """Press a button; its form is sent as a browser sends it."""
        return self.submit(self.page.button(label))

    def submit(self, button: Button) -> Page:
        """Press a button that was found before, perhaps on an older page."""
        if self.htmx and button.htmx:
            return self.send(button.htmx, button.data)
        return self.send(button.action, button.data, plain=True)

    def send(self, address: str, data: object, *, plain: bool = False) -> Page:
        """Send a form, and follow its redirect."""
        headers = self.headers | (HTMX if self.htmx and not plain else {})
        answer = self.client.post(address, data=_grouped(data), headers=headers)
        if self.doubts and answer.status_code < 400 and SENT_AGAIN.match(address):
            again = self.client.post(address, data=_grouped(data), headers=headers)
            same = again.text == answer.text and _leads_to(again) == _leads_to(answer)
            assert same, f"{address} sent again"
        if leads_to := _leads_to(answer):
            page, self.answer = self.open(leads_to), answer
            return page
        return self._shown(answer)

    def fill(self, **typed: str) -> Page:
        """Fill in fields of the page by their names."""
        for name, value in typed.items():
            form = next(f for f in self.page.forms if name in [each.name for each in f.fields])
            form.fill(name, value)
        return self.page

    def _shown(self, answer: TestResponse) -> Page:
        self.answer = answer
        self._page = Page(answer.text)
        if answer.request.path.startswith("/t/"):
            self.table = "/".join(answer.request.path.split("/")[:3])
        return self._page


def writes(phone: Phone, table: str) -> bool:
    """Whether a table's page offers a phone the forms that record."""
    return bool(phone.open(table).elements("form[action$='/events']"))


def _leads_to(answer: TestResponse) -> str | None:
    """Return where an answer leads, by itself or by htmx."""
    return answer.location or answer.headers.get("HX-Redirect")


def _grouped(data: object) -> object:
    """Let fields of the same name follow each other."""
    return MultiDict(data) if isinstance(data, list) else data
