"""Anybody with the link reads what there is, and what is new."""

from __future__ import annotations

import pytest

from tests.web.pages import Page
from tests.web.phone import HTMX, Phone


@pytest.mark.parametrize(
    "part",
    [
        "/player/0",
        "/player/99999999999999999999",
        "/hand/1/five_of_a_kind",
        "/hand/9/pair",
        "/games/2",
        "/nothing",
    ],
)
def test_a_part_of_a_table_that_is_not_there_says_so(keeper: Phone, part: str) -> None:
    """An unknown player, hand or game is answered with status 404."""
    keeper.open(keeper.table + part)
    assert keeper.answer.status_code == 404


def test_a_reader_gets_what_is_new(keeper: Phone, reader: Phone) -> None:
    """After a change, or in another language, the known ETag no longer matches."""
    known = {**reader.headers, "If-None-Match": reader.answer.headers["ETag"]}
    swedish = {**known, "Accept-Language": "sv"}
    assert reader.client.get(reader.table, headers=swedish).status_code == 200
    keeper.press("Anna: Flush")
    answer = reader.client.get(reader.table, headers=known)
    assert answer.status_code == 200
    assert "Anna scores flush: +5" in Page(answer.text).text


def test_looking_at_a_table_again_and_again_sets_no_cookie(keeper: Phone) -> None:
    """A late answer to an htmx request must not replace the cookie with an older one."""
    for method, part in (("GET", ""), ("POST", "/undo")):
        answer = keeper.client.open(
            keeper.table + part, method=method, headers=keeper.headers | HTMX
        )
        assert "Set-Cookie" not in answer.headers
