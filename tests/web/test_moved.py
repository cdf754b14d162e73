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
    path = re.sub(r"<(?:int:)?\w+>", "1", old.replace("<link>", link))
    for site in ("http://localhost/chicago", "http://localhost"):
        answer = keeper.client.get(path, base_url=site)
        assert answer.status_code == 301
        assert urljoin(site, answer.headers["Location"]).startswith(f"{site}/")
    assert keeper.client.get(answer.headers["Location"]).status_code == 200
