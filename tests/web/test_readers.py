"""Anybody with the link reads; only the pen writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Page
from tests.web.phone import HTMX, Phone

# All fields that any form may send; each address takes its own.
EVERYTHING = {"seq": "1", "event": '{"event":"no_best_hand"}', "player": "Anna", "points": "1"}


# Addresses that give the pen for the right secret; a wrong one redirects to the table.
GIVING = ("/t/<link>/pen/<secret>", "/t/<link>/recovery/<secret>")


def writing(app: Flask) -> Iterator[Rule]:
    """Yield every address of a table's pages that takes a form from a keeper."""
    for rule in app.url_map.iter_rules():
        of_table = rule.rule.startswith("/t/<link>") and rule.rule not in GIVING
        if of_table and "POST" in (rule.methods or ()):
            yield rule


@pytest.mark.parametrize("giving", GIVING)
def test_a_secret_that_gives_no_pen_leads_to_where_one_reads(
    reader: Phone, keeper: Phone, giving: str
) -> None:
    """Nothing changes, for pages and for htmx, and the phone gets no pen."""
    address = giving.replace("/t/<link>", keeper.table).replace("<secret>", "guess")
    for headers in ({}, HTMX):
        answer = reader.client.post(address, data=EVERYTHING, headers=reader.headers | headers)
        assert (answer.status_code, answer.headers["Location"]) == (303, keeper.table)
    assert reader.home().forms == []
    assert keeper.home().seq == "1"


def address(rule: Rule, phone: Phone) -> str:
    """Return the path of an address for this phone's table and its first game."""
    values: dict[str, object] = {name: 1 for name in rule.arguments if name != "link"}
    built = rule.build({**values, "link": phone.table.removeprefix("/t/")})
    assert built
    return built[1]


def test_there_are_addresses_that_write(app: Flask) -> None:
    """The tests below cover at least these."""
    endings = {rule.rule.rpartition("/")[2] for rule in writing(app)}
    assert {"events", "undo", "redo", "games"} <= endings


def test_without_the_pen_every_write_is_refused(app: Flask, reader: Phone, keeper: Phone) -> None:
    """Status 401 with a kind message, for pages and for htmx, and the table is unchanged."""
    for rule in writing(app):
        for headers in ({}, HTMX):
            answer = reader.client.post(
                address(rule, reader), data=EVERYTHING, headers=reader.headers | headers
            )
            assert answer.status_code == 401, rule
            assert "only reads" in Page(answer.text).announcement
    assert keeper.home().seq == "1"


def test_a_forged_cookie_is_no_pen(keeper: Phone, new_phone: NewPhone) -> None:
    """A cookie without this server's signature counts as none."""
    cookie = keeper.client.get_cookie("chicago")
    assert cookie
    forger = new_phone()
    forger.client.set_cookie("chicago", cookie.value[:-4] + "AAAA")
    forger.send(f"{keeper.table}/undo", {"seq": "1"})
    assert forger.answer.status_code == 401


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


def test_the_pen_of_another_table_is_none_here(
    app: Flask, seat: Seat, new_phone: NewPhone, keeper: Phone
) -> None:
    """The keeper of one table may not write at another."""
    elsewhere = seat(new_phone())
    elsewhere.open(keeper.table)
    assert elsewhere.page.forms == []
    for rule in writing(app):
        elsewhere.send(address(rule, elsewhere), EVERYTHING)
        assert elsewhere.answer.status_code == 401
