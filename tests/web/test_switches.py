"""The rules in which tables differ most, as switches above the button that starts the game."""

from __future__ import annotations

import pytest

from app.rules.presets import PRESETS
from app.store.database import Database
from tests.web.conftest import Seat
from tests.web.phone import Phone
from tests.web.ruling import game_rules

NAMES = ["Anna", "Bo"]
# The value in a game's file if four of a kind no longer zeroes.
NO_FOUR = {"four_of_a_kind": None}


def form_of(phone: Phone, **chosen: str) -> Phone:
    """Type names and choose values on the start page."""
    phone.open("/").form("/").fill_each("player", NAMES)
    phone.fill(**chosen)
    return phone


def turn(phone: Phone, *switches: str) -> None:
    """Toggle switches of the form on the page."""
    form = next(f for f in phone.page.forms if f.named("on"))
    for field in form.named("on"):
        field.checked ^= field.value in switches


def start(phone: Phone, db: Database) -> dict[str, object]:
    """Start the game, at one more table, and return its rules as its file holds them."""
    phone.press("Start the game")
    if phone.page.has("A new table all the same"):
        phone.press("A new table all the same")
    return game_rules(phone, db)


@pytest.mark.parametrize("preset", PRESETS)
def test_switches_that_nobody_touches_change_nothing(
    phone: Phone, db: Database, preset: str
) -> None:
    """The rules stay those of the set, though the switches show older choices."""
    assert start(form_of(phone, preset=preset), db) == {"preset": preset}


def test_each_switch_changes_its_own_rule(phone: Phone, db: Database) -> None:
    """All other rules stay as they are."""
    for switch, rule, value in (
        ("stop", "exchange_stop", None),
        ("four", "zeroing", NO_FOUR),
        ("chicago", "win_needs_chicago", "no"),
    ):
        form_of(phone, preset="huvudregler")
        turn(phone, switch)
        assert start(phone, db) == {"preset": "huvudregler", rule: value}
    form_of(phone, preset="huvudregler", stop="50")
    assert start(phone, db) == {"preset": "huvudregler", "exchange_stop": 50}
    # Switched off, it is not read.
    form_of(phone, preset="huvudregler", stop="en")
    turn(phone, "stop")
    assert start(phone, db)["exchange_stop"] is None


def test_what_a_set_leaves_out_is_switched_on(phone: Phone, db: Database) -> None:
    """A switch that is off shows the usual stop."""
    form_of(phone, preset="gamerules")
    phone.press("Take 1 away")
    assert [f.value for f in phone.page.form("/").named("on") if f.checked] == []
    phone.page.form("/").fill_each("player", NAMES)
    turn(phone, "stop", "four", "chicago")
    assert start(phone, db) == {
        "preset": "gamerules",
        "exchange_stop": 45,
        "zeroing": {"four_of_a_kind": "choice"},
        "win_needs_chicago": "declared",
    }


def test_the_form_shown_again_shows_what_was_switched(either: Phone) -> None:
    """The changed rules are the table's own; switched back they are the set's again."""
    form_of(either)
    turn(either, "four")
    either.press("Take 2 away")
    form = either.page.form("/")
    assert (form.values("on"), form.values("preset")) == (["stop", "chicago"], ["own"])
    turn(either, "four")
    either.press("Take Anna away")
    form = either.page.form("/")
    assert (len(form.values("on")), form.values("preset")) == (3, ["huvudregler"])


def test_the_next_game_has_the_switches_of_the_last(phone: Phone, seat: Seat, db: Database) -> None:
    """Rules without a touched switch stay as they are."""
    rules = {"preset": "vanlig", "exchange_stop": 41, "win_needs_chicago": "won"}
    seat(phone, "Anna 5, settled", players=NAMES, rules=rules)
    phone.open(f"{phone.table}/next")
    turn(phone, "four")
    phone.press("Start the game")
    assert game_rules(phone, db, 2) == {**rules, "zeroing": NO_FOUR}
