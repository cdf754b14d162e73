"""Addresses of pages that are gone lead to what is left."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from app.web import MOVED
from tests.web.phone import Phone


@pytest.mark.parametrize("old", MOVED)
def test_an_old_address_leads_to_a_page_that_is_left(keeper: Phone, old: str) -> None:
    """It does so for good, below the path of the server, and its page answers."""
    link = keeper.table.removeprefix("/t/")
    known = old.replace("<link>", link).replace("<preset>", "pagat")
    path = re.sub(r"<int:\w+>", "1", known)
    for site in ("http://localhost/chicago", "http://localhost"):
        answer = keeper.client.get(path, base_url=site)
        assert answer.status_code == 301
        assert urljoin(site, answer.headers["Location"]).startswith(f"{site}/")
    assert keeper.client.get(answer.headers["Location"]).status_code == 200


@pytest.mark.parametrize("old", MOVED)
def test_what_an_old_address_says_stays_within_its_part(phone: Phone, old: str) -> None:
    """A line's end, a slash or a mark of a query is led on as it came."""
    path = re.sub(r"<int:\w+>", "1", old)
    answer = phone.client.get(re.sub(r"<\w+>", "%0A%3F", path))
    assert answer.status_code in (301, 404)
    assert "?" not in answer.headers.get("Location", "")


def test_an_address_with_a_slash_too_many_leads_to_the_right_one(phone: Phone) -> None:
    """It is a redirect, and no page that says what failed."""
    answer = phone.client.get("/static//site.css?page=1")
    assert answer.status_code == 308
    assert answer.headers["Location"].endswith("/static/site.css?page=1")
    assert "<main" not in answer.text
