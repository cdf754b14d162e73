"""Every page of a table is a few taps away, and a reader is offered nothing that writes."""

from __future__ import annotations

import re
from collections import deque
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask

from app.http.application import ROOT
from app.offline.phone import create_phone_app
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game
from tests.web.pages import Page
from tests.web.phone import Phone

NEAR = 4
# Requested by scripts, by a form, from a link that was sent, or as a part of a page.
NOT_BY_LINKS = (
    *("live.table", "live.evening", "live.middle", "table.sheets", "ahead.ahead"),
    *("pens.offer", "pens.offer_recovery", "picture.drawn", "table_card.card", "moved"),
    "pens.code",
    # By plain HTTP alone.
    "pwa.dark",
    # Linked only while a game is played, somebody may join, a hand is due or laid open, or early
    # bids are.
    *("table.player", "table.latecomer", "table.rare", "table.hand", "table.row"),
)
# Pages that are offered to keepers only.
KEEPERS = (
    *("table.tie", "rules.change_next", "new_table.next_game"),
    *("evening.advance", "erasure.forget_page", "table.comings", "change_game.page"),
    "change_game.deal",
)
# Pages and forms about the phone itself.
OWN = ("/language", "/tables")


@pytest.fixture
def played(app: Flask, seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table with one finished game and one in progress."""
    seat(phone, "Bo 5, settled", stake_ore=100)
    next_game(app, phone, "Bo pair, settled")
    return phone


def walk(app: Flask, phone: Phone) -> dict[str, Page]:
    """Return one page of each kind close to a table."""
    urls, found = app.url_map.bind("localhost"), dict[str, Page]()
    waiting = deque([(phone.table, 0)])
    while waiting:
        address, taps = waiting.popleft()
        if taps > NEAR or not address.startswith((phone.table, *OWN)):
            continue
        kind = urls.match(urlsplit(address).path, method="GET")[0]
        if kind not in found:
            answer = phone.client.get(address, headers=phone.headers)
            found[kind] = Page(answer.text if answer.mimetype == "text/html" else "")
            waiting += [(urljoin(address, link.href), taps + 1) for link in found[kind].links]
    return found


def find_pages(app: Flask) -> set[str]:
    """Return every endpoint of a table's addresses that answers with a page to see."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    return {rule.endpoint for rule in rules if rule.rule.startswith("/t/")} - {*NOT_BY_LINKS}


def test_every_page_of_a_table_is_near(app: Flask, played: Phone) -> None:
    """A keeper needs four taps at most, after a game or during one."""
    found = {*walk(app, played)}
    next_game(app, played, "Bo pair")
    assert find_pages(app) - found - {*walk(app, played)} == set()


def test_a_reader_is_near_all_but_what_writes(
    app: Flask, played: Phone, new_phone: NewPhone
) -> None:
    """No button of any page that a reader can reach changes the table."""
    reader = new_phone()
    reader.open(played.table)
    found = walk(app, reader)
    assert find_pages(app) - {*found} == {*KEEPERS}
    assert not any(page.elements("[hx-post]") for page in found.values())
    buttons = [button for page in found.values() for button in page.buttons]
    assert {each.action for each in buttons if each.form.method == "post"} <= {*OWN}


def test_each_page_that_code_and_templates_lead_to_is_there(app: Flask) -> None:
    """On the server or on the phone."""
    files = [*ROOT.glob("app/**/*.py"), *ROOT.glob("templates/**/*.html")]
    texts = "\n".join(path.read_text("utf-8") for path in files)
    named = {*re.findall(r"""url_for\(\s*["']([a-z_.]+)["']""", texts)}
    maps = app.url_map, create_phone_app("").url_map
    assert len(named) > 20
    assert named <= {rule.endpoint for each in maps for rule in each.iter_rules()}
