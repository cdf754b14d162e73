"""The questions of the start page: the rules in which tables differ most, above the button."""

from __future__ import annotations

import pytest

from app.rules.presets import PRESETS, write_code
from app.store.database import Database
from app.web.rule_form import LEADING
from tests.web.conftest import Seat
from tests.web.phone import Phone
from tests.web.ruling import game_rules

NAMES = ["Anna", "Bo"]
FOUR = "zeroing.four_of_a_kind"
# The value in a game's file if four of a kind no longer zeroes.
NO_FOUR = {"four_of_a_kind": None}


def form_of(phone: Phone, **chosen: str) -> Phone:
    """Type names and choose values on the start page."""
    phone.open("/").form("/").fill_each("player", NAMES)
    phone.fill(**chosen)
    return phone


def start(phone: Phone, db: Database) -> dict[str, object]:
    """Start the game, at one more table, and return its rules as its file holds them."""
    phone.press("Start the game")
    if phone.page.has("A new table all the same"):
        phone.press("A new table all the same")
    return game_rules(phone, db)


@pytest.mark.parametrize("preset", PRESETS)
def test_questions_that_nobody_answers_change_nothing(
    phone: Phone, db: Database, preset: str
) -> None:
    """The rules stay those of the set, though the questions show older answers."""
    assert start(form_of(phone, preset=preset), db) == {"preset": preset}


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        ({"exchange_stop": "none"}, {"exchange_stop": None}),
        ({"exchange_stop.other": "50"}, {"exchange_stop": 50}),
        ({FOUR: "none"}, {"zeroing": NO_FOUR}),
        ({"win_needs_chicago": "no"}, {"win_needs_chicago": "no"}),
        ({"win_when": "every_booking"}, {"win_when": "every_booking"}),
        (
            {"scored_hands": "equal", "exchanges": "1"},
            {"exchanges": 1, "scored_hands": {"play": "equal"}},
        ),
    ],
)
def test_each_answer_changes_its_own_rule(
    phone: Phone, db: Database, answer: dict[str, str], rules: dict[str, object]
) -> None:
    """All other rules stay as they are."""
    assert start(form_of(phone, preset="huvudregler", **answer), db) == {
        "preset": "huvudregler",
        **rules,
    }


def test_an_answer_is_one_to_the_set_that_is_chosen_with_it(phone: Phone, db: Database) -> None:
    """What was not answered otherwise is as that set has it, not as the page showed it."""
    chosen = form_of(phone, preset="gamerules", **{FOUR: "always"})
    assert start(chosen, db) == {"preset": "gamerules", "zeroing": {"four_of_a_kind": "always"}}


def test_the_form_shown_again_shows_what_was_answered(either: Phone) -> None:
    """The changed rules are the table's own; answered back they are the set's again."""
    form_of(either, **{FOUR: "none"})
    either.press("Remove 2")
    form = either.page.form("/")
    assert (form.values(FOUR), form.values("preset")) == (["none"], ["own"])
    assert [each["id"] for each in either.page.elements(".leading .changed")][-1] == f"f-{FOUR}"
    either.fill(**{FOUR: "choice"})
    either.press("Remove Anna")
    form = either.page.form("/")
    assert (form.values(FOUR), form.values("preset")) == (["choice"], ["huvudregler"])


def test_the_questions_are_those_of_the_form_for_rules(phone: Phone) -> None:
    """In the same order, and folded until they are asked for."""
    asked = phone.open("/").elements(".sets:not([open]) .leading .field")
    assert [each["id"] for each in asked] == [f"f-{name}" for name in LEADING]


def test_the_next_game_has_the_answers_of_the_last(phone: Phone, seat: Seat, db: Database) -> None:
    """Rules without a question stay as they are."""
    rules = {"preset": "vanlig", "exchange_stop": 41, "win_needs_chicago": "won", "target": 60}
    seat(phone, "Anna 5, settled", players=NAMES, rules=rules)
    phone.open(f"{phone.table}/next")
    phone.fill(**{FOUR: "none"})
    phone.press("Start the game")
    assert game_rules(phone, db, 2) == {**rules, "zeroing": NO_FOUR}


@pytest.mark.parametrize("shown", ["", "x", write_code("pagat", PRESETS["pagat"])[:9], "e" * 9000])
def test_answers_to_no_questions_are_refused(phone: Phone, shown: str) -> None:
    """What a page did not show is nothing that can be answered."""
    phone.send("/", {"player": NAMES, "preset": "pagat", "shown": shown, "target": "9"})
    assert phone.answer.status_code == 422
