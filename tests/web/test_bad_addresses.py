"""Bad addresses: each is answered with a page, a redirect or a clear refusal, never an error."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, ClassVar
from unittest.mock import Mock
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pytest
from flask import Flask
from werkzeug.datastructures import ImmutableMultiDict, MultiDict

from app.http.application import Application
from app.rules.codes import NotAllowed
from app.rules.house import OPTIONS
from app.store import log
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Page
from tests.web.phone import HTMX, Phone
from tests.web.walk import Walk, kind

NUMBERS = ("0", "2", "999999", "9" * 30)
VALUES = (
    *("", "-1", "9" * 30, "9999-99-99", "x" * 3000, "å\0 '\";--", "'\"><script>{{7*7}}"),
    *("//evil.example", "\u0661" * 6),
)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
MARKUP = b"<script>{{"
STREAMS = ("live.table", "live.evening", "live.middle", "api.watch")
WHOLE = re.compile("<int:[a-z_]+>")
PART = re.compile("<(?:[a-z]+:)?[a-z_]+>")


# Values of fields: long, deep, no text at all; each also takes the place of many.
TYPED = ("0" * 5_000, "[" * 5_000, "\ud800\0")
MANY = 500
# What tells apart fields that are read alike: the hand, moment, person or place.
ONE_OF_MANY = re.compile(r"[.\d].*")


class Noting(ImmutableMultiDict[str, str]):
    """The parameters of a request, which note the names of those that are asked for."""

    names: ClassVar[set[str]] = set()

    def __getitem__(self, name: str) -> str:
        """Note the name."""
        self.names.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        """Note the name."""
        self.names.add(str(name))
        return super().__contains__(name)

    def getlist(self, name: str, *how: Any) -> list[Any]:  # noqa: ANN401 - werkzeug's own
        """Note the name."""
        self.names.add(name)
        return super().getlist(name, *how)


@pytest.fixture
def noted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the set of the names of parameters and cookies that any request has asked for."""
    monkeypatch.setattr(app.request_class, "parameter_storage_class", Noting)
    return Noting.names


def find_addresses(app: Flask, link: str) -> Iterator[tuple[str, list[str]]]:
    """Yield an address of every GET route, and it with each bad value for its parts."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint not in STREAMS:
            path = rule.rule.replace("<link>", link)
            bads = VALUES if PART.search(WHOLE.sub("1", path)) else NUMBERS
            written = [PART.sub(quote(bad or "%", safe=""), path) for bad in bads]
            yield PART.sub("1", path), written if PART.search(path) else []


def test_no_address_breaks_anything(app: Flask, seat: Seat, phone: Phone, noted: set[str]) -> None:
    """No status is above 499, no redirect leads to another host, no value becomes markup.

    Each parameter of a page, and all of them together, get a third of the values.
    """
    table = seat(phone, "Bo pair, settled").table
    ways, turns = cycle((phone.headers, phone.headers | HTMX)), cycle(map(quote, VALUES))
    for path, addresses in find_addresses(app, table.removeprefix("/t/")):
        noted.clear()
        phone.client.get(path, headers=phone.headers).close()
        for names in [sorted(noted), *([name] for name in sorted(noted))]:
            bads = islice(turns, len(VALUES) // 3)
            addresses += [f"{path}?" + "&".join(f"{name}={bad}" for name in names) for bad in bads]
        for address in addresses:
            answer = phone.client.get(address, headers=next(ways))
            assert answer.status_code < 500, address
            assert urlsplit(answer.headers.get("Location", "")).netloc in ("", "localhost"), address
            assert MARKUP not in answer.data or answer.mimetype != "text/html", address
            answer.close()


def test_nothing_that_is_made_up_is_kept(
    app: Application, seat: Seat, phone: Phone, new_phone: NewPhone, noted: set[str]
) -> None:
    """In an address, a header or a cookie: it makes no page more than it did the first time."""
    table = seat(phone, "settled").table
    app.rendered.clear()
    kept, asked = list[set[str]](), defaultdict[str, set[str]](set)
    for value in ("00000000", "y" * 3000, "12345678"):
        told = {"Host": f"{value[:50]}.example", "Accept-Language": value, "If-None-Match": value}
        for visitor, way in ((phone, {}), (new_phone(), HTMX)):
            visitor.client.set_cookie("me", value, path=table)
            visitor.client.set_cookie("chicago", value)
            for path, _ in find_addresses(app, table.removeprefix("/t/")):
                noted.clear()
                query = "&".join(f"{name}={value}" for name in sorted(asked[path]))
                visitor.client.get(f"{path}?{query}", headers=told | way).close()
                asked[path] |= noted
        kept.append(set(app.rendered))
    assert kept[0]
    assert kept[1] == kept[2]
    assert max(map(len, kept[2])) < 100


def find_forms(phone: Phone, *starts: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each kind of form that is near some pages, with what it sends."""
    pages, seen = list[tuple[str, Page]](), set[object]()
    for start in starts:
        walk = Walk(phone.client)
        walk.follow_all(start)
        pages += walk.pages.items()
    for name, page in pages:
        for button in page.buttons:
            address = urljoin(name.partition(" ")[2], button.action).partition("#")[0]
            form = kind(address), button.name, tuple(sorted({name for name, _ in button.data}))
            if button.form.method == "post" and form not in seen:
                seen.add(form)
                yield address, button.data


def test_no_field_breaks_anything(
    seat: Seat, phone: Phone, noted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every form that is on a page is sent with each field of it, and each it is asked for, bad.

    Of fields that are read alike at an address it is one; each house rule is bad at one address,
    in one way, and one of them at each; others are in two ways.
    """
    tables = [seat(phone, told).table for told in ("Bo pair", "Bo pair, settled")]
    forms = [*find_forms(phone, "/rules", *tables)]
    assert len(forms) > 20
    sent, bads = set[tuple[str, str]](), cycle([*([value] for value in TYPED), ["1"] * MANY])
    # So that nothing changes in between.
    monkeypatch.setattr(log, "append", Mock(side_effect=NotAllowed("table_full", limit=0)))
    for address, data in forms:
        noted.clear()
        phone.client.post(address, data=MultiDict(data), headers=phone.headers)
        for field in sorted({name for name, _ in data} | noted):
            place, alike = kind(address).partition("?")[0], ONE_OF_MANY.sub("", field)
            known = {("", alike), (place, "rule")} if alike in OPTIONS else {(place, alike)}
            if known <= sent:
                continue
            sent |= known
            others = [(name, value) for name, value in data if name != field]
            for bad in islice(bads, 1 if alike in OPTIONS else 2):
                fields = [*others, *((field, value) for value in bad)]
                body = urlencode(fields, errors="surrogatepass")
                answer = phone.client.post(address, data=body, headers=phone.headers | FORM)
                assert answer.status_code < 500, (address, field, bad[0][:9])
