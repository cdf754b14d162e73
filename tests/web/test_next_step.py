"""Entries of the step that is due are marked: a phone refuses them while one is unsent."""

from __future__ import annotations

from hypothesis import given, settings

from app.rules.events import BestHand, Correction, Event
from app.rules.outcome import Outcome, outcome
from app.web.table.grid import asked_rows, grid_rows, rare_hand_rows
from app.web.table.page import hand_choices, rare_choices
from tests.rules.strategies import Played, games
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone


@settings(max_examples=40)
@given(played=games())
def test_whatever_the_grid_records_makes_another_thing_due(played: Played) -> None:
    """The rule holds for every open cell, and for every answer on the sheets that cells open."""
    state = played.states[-1]
    rows = [*grid_rows(state), *asked_rows(state), *rare_hand_rows(state)]
    for cell in [cell for row in rows for cell in row.cells if cell.open]:
        # This cell only leads to a sheet that is covered here too.
        if cell.ask and cell.player is None and cell.ask != "tie":
            continue
        events: list[Event] = [cell.event]
        if cell.player and cell.ask and isinstance(cell.event, BestHand):
            choices = hand_choices(state, cell.player, cell.event.hand)
            events = [choice.event for choice in choices if choice.open] or events
        for event in events:
            result = outcome(state, event)
            assert isinstance(result, Outcome)
            assert result.moves_on()


@settings(max_examples=40)
@given(played=games())
def test_what_is_asked_of_a_player_says_itself_whether_it_does(played: Played) -> None:
    """A correction never does; leaving the game does only if it ends something."""
    state = played.states[-1]
    name = state.playing[0]
    fixed = outcome(state, Correction(player=name, points=1))
    assert not isinstance(fixed, Outcome) or not fixed.moves_on()
    for choice in rare_choices(state, name):
        result = outcome(state, choice.event)
        assert choice.moves_on is (isinstance(result, Outcome) and result.moves_on())


def marked(phone: Phone, part: str, mark: str) -> bool:
    """Tell whether an element on a page of the table carries a mark."""
    return bool(phone.open(phone.table + part).elements(f"[{mark}]"))


def test_pages_mark_what_is_due(keeper: Phone) -> None:
    """The grid and its sheets are marked; sheets of players and of joining and leaving are not."""
    for part in ("", "/tie", "/rare", "/hand/1/four_of_a_kind"):
        assert marked(keeper, part, "data-due"), part
    for part in ("/player/1", "/comings"):
        assert not marked(keeper, part, "data-due"), part


def test_who_leaves_ends_a_game_of_two_only(new_phone: NewPhone, seat: Seat) -> None:
    """The button is marked like the engine's outcome; breaking the game off always ends it."""
    three, two = seat(new_phone()), seat(new_phone(), players=["Anna", "Bo"])
    assert not marked(three, "/player/1", "data-moves")
    assert marked(two, "/player/1", "data-moves")
    assert marked(three, "/comings", "data-moves")


def test_the_next_game_is_due_when_one_is_over(seat: Seat, phone: Phone) -> None:
    """A rematch is due, and so is the redo of an undone entry."""
    over = seat(phone, "void")
    assert over.page.elements("form[data-due][action$='/games']")
    over.submit(over.page.to("/undo"))
    assert over.page.elements("[data-due] button.redo")
