"""Bad addresses: each is answered with a page, a redirect or a clear refusal, never an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle
from urllib.parse import quote, urlsplit

import pytest
from flask import Flask

from app.http.application import Application
from tests.services.keeper import SETTLE
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import HTMX, Phone

# All query parameters that any page reads.
QUERY = (
    *("at", "d", "deal", "deals", "entries", "evening", "for", "from", "me", "order", "page", "q"),
    *("since", "sort", "tables", "to", "unread", "won"),
)
NUMBERS = ("0", "2", "999999", "9" * 30)
VALUES = (
    *("", "-1", "9" * 30, "9999-99-99", "x" * 3000, "å\0 '\";--", "'\"><script>{{7*7}}"),
    *("//evil.example", "\u0661" * 6),
)
MARKUP = b"<script>{{"
STREAMS = ("live.table", "live.evening", "api.watch")
WHOLE = re.compile("<int:[a-z_]+>")
PART = re.compile("<(?:[a-z]+:)?[a-z_]+>")


def write_addresses(app: Flask, link: str, value: str) -> Iterator[str]:
    """Yield every address with a GET route, with a value for each of its parameters."""
    numbers = cycle(("1", *NUMBERS))
    query = "&".join(f"{name}={quote(value)}" for name in QUERY)
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint not in STREAMS:
            path = rule.rule.replace("/t/<link>", f"/t/{link}").replace("<link>", link)
            path = WHOLE.sub(lambda _: next(numbers), path)
            yield f"{PART.sub(quote(value or '%', safe=''), path)}?{query}"


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value[:12]))
def test_no_address_breaks_anything(app: Flask, seat: Seat, phone: Phone, value: str) -> None:
    """No status is above 499, no redirect leads to another host, no value becomes markup."""
    table = seat(phone, {"event": "best_hand", "player": "Bo", "hand": "pair"}, SETTLE).table
    ways = cycle((phone.headers, phone.headers | HTMX))
    for address in write_addresses(app, table.removeprefix("/t/"), value):
        answer = phone.client.get(address, headers=next(ways))
        assert answer.status_code < 500, address
        assert urlsplit(answer.headers.get("Location", "")).netloc in ("", "localhost"), address
        assert MARKUP not in answer.data or answer.mimetype != "text/html", address
        answer.close()


def test_nothing_that_is_made_up_is_kept(
    app: Application, seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """In an address, a header or a cookie: it makes no page more than it did the first time."""
    table = seat(phone, SETTLE).table
    app.rendered.clear()
    kept = list[set[str]]()
    for value in ("00000000", "x" * 50, "12345678", "y" * 3000):
        told = {"Host": f"{value[:50]}.example", "Accept-Language": value, "If-None-Match": value}
        for visitor in (phone, new_phone()):
            visitor.client.set_cookie("me", value, path=table)
            visitor.client.set_cookie("chicago", value)
            for address in write_addresses(app, table.removeprefix("/t/"), value):
                for headers in (told, told | HTMX):
                    visitor.client.get(address, headers=headers).close()
        kept.append(set(app.rendered))
    assert kept[0]
    assert kept[1] == kept[2] == kept[3]
    assert max(map(len, kept[3])) < 100
