"""Every field for an amount or a number, found by its keyboard, is read by the one reader."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

from bs4 import Tag
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, won
from tests.web.pages import Button, Form, Page, words
from tests.web.walk import HEADERS, Walk

TEMPLATES = Path(__file__).parents[2] / "templates"
AMOUNTS, NUMBERS = "[inputmode=decimal]", "[inputmode=numeric], [inputmode=text]"
FIELD = re.compile(r'<input[^<]*?name="(\w+)"[^<]*?inputmode="(?:decimal|numeric|text)"')


class Typing(Walk):
    """A walk that types into each field for an amount or a number on its way.

    `asked` is what each for an amount says to `1.400`, and `read` what each for a number says to
    one with a blank in it and to one without; by page and name.
    """

    def __init__(self, client: FlaskClient) -> None:
        super().__init__(client)
        self.asked: dict[tuple[str, str], str] = {}
        self.read: dict[tuple[str, str], list[str]] = {}

    def look_at(self, address: str) -> None:
        """Try the fields of one page."""
        self._take("GET", address, self._client.get(address, headers=HEADERS))

    def _take(self, method: str, address: str, answer: TestResponse) -> Page | None:
        page = super()._take(method, address, answer)
        if page is not None and method == "GET":
            for field in page.soup.select(AMOUNTS):
                self.asked[address, str(field["name"])] = self._type(address, field, "1.400")
            for field in page.soup.select(NUMBERS):
                told = [self._type(address, field, typed) for typed in ("+\u00a07", "7")]
                self.read[address, str(field["name"])] = told
        return page

    def _type(self, address: str, field: Tag, text: str) -> str:
        """Send a field's form with a text in it, and return what is said at the field."""
        around, name = field.find_parent("form"), str(field["name"])
        assert isinstance(around, Tag), f"{address}: {name} is in no form."
        form, (button,) = Form(around), around.select("button.go") or around.select("button")[-1:]
        _choose(form, name)
        form.fill(name, text)
        sent = MultiDict(Button(button, form).data)
        answer = self._client.post(urljoin(address, form.action), data=sent, headers=HEADERS)
        # A fault names what was typed.
        return _told(Page(answer.text), name).replace(text, "…")


def _choose(form: Form, name: str) -> None:
    """Fill in the rest of the form, so that this field is read."""
    for each in form.fields:
        each.value = each.value or next(filter(None, each.options), "")
    for choice in (name.removesuffix(".other"), "point"):
        if choice != name and form.named(choice):
            form.fill(choice, "other")
    if form.named("player") and form.named("stake"):
        form.fill_each("player", ["Anna", "Bo"])


def _told(page: Page, name: str) -> str:
    faults = page.elements(f"[name='{name}'][aria-invalid=true]")
    told = [page.soup.find(id=each["aria-describedby"]) for each in faults]
    return " ".join(words(tag) for tag in told if isinstance(tag, Tag))


def test_every_field_asks_what_may_be_two_amounts_and_reads_a_blank(
    app: Flask, seat: Seat, new_phone: NewPhone
) -> None:
    """At a table with a debt and a game that is played; nobody lists the fields."""
    phone = seat(new_phone(language="sv"), *won("Anna", 20_000))
    next_game(app, phone)
    walk = Typing(phone.client)
    # First what a walk would settle, or leaves out.
    for below in ("/evening/pay/2-1", "/latecomer", "/forget"):
        walk.look_at(phone.table + below)
    for start in (phone.table, "/rules", "/"):
        walk.follow_all(start)
    unasked = [at for at, told in walk.asked.items() if not re.search(r"1\s400 kr.*1,40 kr", told)]
    assert unasked == []
    assert [at for at, (blank, plain) in walk.read.items() if blank != plain] == []
    written = {
        name
        for each in TEMPLATES.rglob("*.html")
        for name in FIELD.findall(each.read_text("utf-8"))
    }
    assert written - {name for _, name in [*walk.asked, *walk.read]} == set()
