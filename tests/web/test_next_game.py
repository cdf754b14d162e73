"""The next game with changes: other players, order, stake, dealer and rules."""

from __future__ import annotations

import pytest
from flask import Flask

from app.rules.presets import PRESETS
from app.rules.state import Setup
from app.services import table_view
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, pen_of, store_of
from tests.web.phone import Phone

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]


@pytest.fixture
def over(seat: Seat, either: Phone) -> Phone:
    """Return a phone that has followed "change" from the end of a game that Dan dealt."""
    seat(either, "Anna 5, settled", players=PLAYERS)
    either.follow("Change players, stake or rules")
    return either


def setup(app: Flask, phone: Phone) -> Setup:
    """Return the setup of the newest game."""
    return table_view.read_view(store_of(app), pen_of(phone).link).game.setup


def test_known_names_are_offered(app: Flask, over: Phone) -> None:
    """A player of an earlier game of the table sits down with one tap."""
    next_game(app, over, "Eva 1, settled", players=["Anna", "Eva"])
    over.open(f"{over.table}/next")
    over.press("Cilla")
    form = over.page.form(f"{over.table}/next")
    assert form.values("player")[:4] == ["Anna", "Eva", "Cilla", ""]


def test_taps_quicker_than_their_answers_count_but_for_a_seat_that_may_be_anothers(
    over: Phone,
) -> None:
    """A name, an answer and the start wait for their turn in the queue of the form."""
    syncs = {
        (part.get("value") or "").partition(":")[0]: part["hx-sync"]
        for part in over.page.elements("#start [hx-post]")
    }
    assert {what for what, sync in syncs.items() if sync == "#start:drop"} == {"up", "remove"}
    assert {*syncs.values()} == {"#start:drop", "#start:queue all"}


def test_rules_are_changed_along_with_the_players(app: Flask, over: Phone) -> None:
    """The form for rules leads back to the next game, whose form keeps its input."""
    over.press("Remove Bo")
    over.press("Change the rules…")
    over.fill(exchange_stop="none")
    over.press("Use these rules")
    over.press("Start the game")
    agreed = setup(app, over)
    assert agreed.players == ("Anna", "Cilla", "Dan")
    assert agreed.rules.exchange_stop is None
    assert agreed.rules.target == PRESETS["huvudregler"].target


def test_rules_changed_from_the_table_lead_to_its_next_game(app: Flask, over: Phone) -> None:
    """The page of the rules leads to their form, and that to the next game with its people."""
    over.open(f"{over.table}/rules")
    over.follow("Change the rules for the next game")
    over.fill(exchange_stop="none")
    over.press("Use these rules")
    assert over.page.title == "Next game"
    over.press("Start the game")
    agreed = setup(app, over)
    assert (agreed.players, agreed.rules.exchange_stop) == (tuple(PLAYERS), None)


@pytest.mark.parametrize(
    ("players", "stake"), [(["Anna"], "1"), (["Anna", "Anna"], "1"), (["Anna", "Bo"], "much")]
)
def test_what_cannot_be_played_is_refused(over: Phone, players: list[str], stake: str) -> None:
    """The form comes back as it was filled in, with the reason."""
    sent = [("seq", over.page.seq), ("stake", stake), *(("player", name) for name in players)]
    page = over.send(f"{over.table}/next", sent)
    assert over.answer.status_code == 422
    assert page.announcement
    assert page.whole is not over.htmx


def test_while_a_game_is_played_nothing_is_changed(seat: Seat, phone: Phone) -> None:
    """The page redirects to the table; a sent form is refused."""
    seat(phone, "nobody")
    phone.open(f"{phone.table}/next")
    assert phone.answer.status_code == 303
    phone.send(f"{phone.table}/next", {"seq": phone.home().seq, "player": "Anna"})
    assert phone.answer.status_code == 422


def test_readers_are_led_back_to_the_table(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """Readers are redirected also once the game is over."""
    seat(phone, "Anna 5, settled")
    reader = new_phone()
    for page in ("next", "edit"):
        reader.open(f"{phone.table}/{page}")
        assert reader.answer.status_code == 303
