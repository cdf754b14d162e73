"""House rules changed in the middle of a game, on the pages of those who play."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from app.services import table_view
from tests.rules.table import Rules
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import pen_of, store_of
from tests.web.pages import words
from tests.web.phone import Phone

PAGAT: Rules = {"preset": "pagat"}
STOP: Rules = {"event": "rules", "rules": {"preset": "pagat", "exchange_stop": 40}}
DEAL = "no hands, Bo trick, nobody"


@pytest.fixture
def changed(seat: Seat, either: Phone) -> Phone:
    """Return a keeper's phone after a deal and a change of rules."""
    seat(either, DEAL, rules=PAGAT)
    either.home()
    record(either, STOP)
    return either


def record(phone: Phone, event: Rules) -> None:
    """Record an event as a button of the table would."""
    sent = {"seq": phone.page.seq, "event": json.dumps(event)}
    phone.send(f"{phone.table}/events", sent)


def moment(phone: Phone) -> str:
    """Return the newest change as the table shows it for a moment."""
    return " ".join(words(tag) for tag in phone.home().soup.select(".moment"))


def test_every_phone_is_told_once(changed: Phone, new_phone: NewPhone) -> None:
    """The line is on the keeper's phone and a reader's, until the next fact."""
    reader = new_phone()
    reader.table = changed.table
    for phone in (changed, reader):
        assert moment(phone) == "Exchange stop is now 40"
        assert "Latest: From deal 2: exchange stop 40." in phone.home().text
    record(changed, {"event": "no_best_hand"})
    assert moment(changed) == ""


def test_undo_names_it_and_brings_the_rules_back(changed: Phone) -> None:
    """The label tells the change either way."""
    undo = changed.home().soup.select_one(".undo small")
    assert undo
    assert words(undo) == "from deal 2: exchange stop 40"
    (button,) = [each for each in changed.page.buttons if "Undo" in each.label]
    changed.submit(button)
    assert changed.home().has("Redo: from deal 2: exchange stop 40")


def test_the_rule_pages_say_what_holds_now(changed: Phone) -> None:
    """The rules and the guide go by the rules of the deal being played."""
    for page in ("rules", "how"):
        text = changed.open(f"{changed.table}/{page}").text
        assert "Whoever has 40 points or more may not exchange." in text


def test_the_score_sheet_says_from_which_deal(changed: Phone) -> None:
    """It stands as a row of the deal that it holds from."""
    page = changed.open(f"{changed.table}/protocol")
    (row,) = page.soup.select("#deal-2 li")
    assert words(row) == "From deal 2: exchange stop 40"


def test_a_deal_that_has_begun_goes_by_its_rules(either: Phone, seat: Seat) -> None:
    """The refusal says when other rules apply."""
    seat(either, "nobody", rules=PAGAT)
    either.home()
    record(either, STOP)
    assert either.answer.status_code == 422
    assert either.page.announcement == "This deal has begun: other rules apply from the next one."


def test_a_rematch_goes_by_the_rules_that_held_last(app: Flask, changed: Phone) -> None:
    """The game's end says so where the evening began by others, also after a rematch."""
    record(changed, {"event": "break_off", "settle": True})
    assert "The latest rules: exchange stop 40" in changed.home().text
    changed.press("Rematch")
    view = table_view.read_view(store_of(app), pen_of(changed).link)
    assert view.game.setup.rules.exchange_stop == 40
    record(changed, {"event": "break_off", "settle": True})
    assert "The latest rules: exchange stop 40" in changed.home().text


def test_where_nothing_was_changed_nothing_is_said(either: Phone, seat: Seat) -> None:
    """The game's end of an evening by the same rules has no such line."""
    seat(either, "settled", rules=PAGAT)
    assert "held last" not in either.home().text
