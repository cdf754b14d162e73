"""A page says that somebody wins exactly where the engine ends the game so.

Board and sheets, a player's own card, and the preview of an edit, each in every golden game and in
the states of perft's sequences, to which a cell or a sheet adds the third event.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from app.rules.ahead import RISING, Way, needs
from app.rules.events import ChicagoResult, LastTrick, NoBestHand
from app.rules.facts import facts
from app.rules.game import apply
from app.rules.gamefile import write_game
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.outcome import hand_events
from app.rules.rights import can
from app.rules.state import HAND_DUE, GameState, Step
from app.web.table.grid import asked_rows, grid_rows, rare_hand_rows
from app.web.table.page import hand_choices
from tests.rules.perft import PERFT, reached
from tests.rules.table import golden_games
from tests.web.conftest import Seat
from tests.web.evenings import plain
from tests.web.fates import fate_of, play_on
from tests.web.pages import Page
from tests.web.phone import Phone

Set = dict[str, Any]
# Ways to win take long to find.
MOST_NEEDY = 4


def expect_fates(state: GameState) -> Counter[str | None]:
    """Check what each open cell says of its player: who has won, would win, or would be zeroed.

    They are counted, `now` for a game that the cell ends.
    """
    told = Counter[str | None]()
    for row in (*grid_rows(state), *asked_rows(state), *rare_hand_rows(state)):
        for cell in [cell for cell in row.cells if cell.open and cell.player]:
            assert cell.player is not None
            states = play_on(state, cell.event, cell.player)
            # By a bid itself nobody wins, nor loses.
            expected = None if cell.bids else fate_of(states, cell.player)
            assert cell.fate == expected, (cell, state)
            value, won = cell.value or row.value, cell.player in states[0].winners
            if cell.bids:
                won = cell.player in make_chicago(states[0]).winners
            assert value is not None
            # Where a sheet asks for the way, this is that of the score.
            assert value.wins == won, (cell, state)
            told["now" if won else expected] += 1
    return told


def make_chicago(state: GameState) -> GameState:
    """Return the state after the Chicago just bid is made, no hand scoring in between."""
    while state.deal.step in HAND_DUE:
        state = apply(state, NoBestHand())
    return apply(state, ChicagoResult(won=True))


def expect_verdicts(state: GameState) -> None:
    """Check the buttons for how a Chicago went, which are the declarer's."""
    for row in grid_rows(state) if state.deal.step is Step.CHICAGO_PLAY else ():
        if can(state, row.cells[0].event):
            won = state.deal.declarer in apply(state, row.cells[0].event).winners
            assert (row.value is not None and row.value.wins) == won, (row, state)


def expect_ways(state: GameState) -> None:
    """Check what the sheet of a hand says of each way of booking it."""
    for name in state.playing:
        for hand in (Hand.FOUR_OF_A_KIND, Hand.ROYAL_FLUSH):
            for way in hand_choices(state, name, hand):
                if way.consequences is not None:
                    after = apply(state, way.event)
                    scored = way.event.choose == "score"
                    assert way.wins == (scored and name in after.winners), (way, state)
                    assert (way.consequences.ends is not None) == after.over, (way, state)


def expect_facts(state: GameState) -> None:
    """Check what a head, a sheet and a card say of winning: as it stands, or with what is next."""
    for name in state.playing if not state.over else ():
        codes = {fact.code for fact in facts(state, name)}
        wins = fate_of(play_on(state, None, name), name) == "wins"
        assert wins or "wins_after_deal" not in codes, (name, state)
        said = codes & {"wins_after_deal", "wins_with_trick", "can_win_now"}
        assert said or not wins or "chicago_needed" in codes, (name, state)
        trick = LastTrick(player=name)
        if "wins_with_trick" in codes and can(state, trick):
            assert fate_of(play_on(state, trick, name), name) == "wins"


def ways_now(state: GameState, name: str) -> Iterator[Way]:
    """Yield the ways to win with a hand that is due now, or with the last trick."""
    deal = state.deal
    if deal.step in HAND_DUE and name not in deal.told:
        for hand in listed_hands(state.rules):
            way = hand_events(state, name, hand)[0]
            if can(state, way) and fate_of(play_on(state, way, name), name) == "wins":
                yield Way("nothing", hand, (deal.step,))
    trick = LastTrick(player=name)
    if can(state, trick) and fate_of(play_on(state, trick, name), name) == "wins":
        yield Way("trick")


def tells(told: Way, way: Way) -> bool:
    """Whether a card that tells of one way to win tells of another too."""
    if told.play not in ("nothing", way.play):
        return False
    if told.hand is None or way.hand is None:
        return told.hand is None
    step, least = way.steps[0], RISING.index(told.hand)
    return step in told.steps and least <= RISING.index(way.hand)


def expect_needs(state: GameState) -> None:
    """Check the ways to win that a player's sheet has against those that are open now."""
    for name in state.playing if not state.over else ():
        told, ways = needs(state, name).ways, [*ways_now(state, name)]
        for way in ways:
            assert any(tells(each, way) for each in told), (name, way, state)
        for each in told:
            now = each.play == "nothing" and state.deal.step in each.steps and each.hand
            assert not now or any(way.hand == each.hand for way in ways), (name, each, state)


def test_it_is_told_at_every_step_of_every_golden_game() -> None:
    """Each open cell says who wins and who is zeroed, just as it comes if it is booked."""
    told = Counter[str | None]()
    for _, states in golden_games():
        for state in states:
            told += expect_fates(state)
            expect_verdicts(state)
            expect_ways(state)
            expect_facts(state)
        expect_needs(states[-2 if len(states) > 1 else -1])
    assert min(told["now"], told["wins"], told["zeroed"], told[None]) > 100


@pytest.mark.parametrize("one", PERFT["sets"], ids=lambda one: f"{one['name']} {one['players']}")
def test_it_is_told_in_every_state_of_perft(one: Set) -> None:
    """What a cell or a sheet adds is the third event."""
    for state in reached(one, 2):
        expect_fates(state)
        expect_verdicts(state)
        expect_ways(state)
        expect_facts(state)
    for state in reached(one, 1) if one["players"] < MOST_NEEDY else ():
        expect_needs(state)


def golden_ends() -> Iterator[tuple[Set, GameState]]:
    """Yield a golden game for every way in which a last event ends one, and its end."""
    seen = set[object]()
    for game, states in golden_games():
        end = states[-1]
        key = (end.ended, len(end.winners), game.events and type(game.events[-1]))
        if len(states) == len(game.events) + 1 and end.over and key not in seen:
            seen.add(key)
            yield write_game(game), end


def test_the_preview_of_an_edit_tells_the_end_as_it_then_comes(seat: Seat, phone: Phone) -> None:
    """Where the last event of a golden game is put in, or taken out again."""
    for game, end in golden_ends():
        *events, last = game.pop("events")
        del game["format"]
        seat(phone, *events, **game)
        added = json.dumps([["insert", len(events), last]])
        told = plain(edit(phone, added, "look")).partition("The game would be over: ")[2]
        assert [name for name in end.players if name in told] == [*end.winners], game
        edit(phone, added, "save")
        taken = json.dumps([["remove", len(events)]])
        assert "Then the game is not over." in plain(edit(phone, taken, "look"))


def edit(phone: Phone, operations: str, do: str) -> Page:
    """Send an edit of the game so far."""
    form = {"seq": phone.home().seq, "operations": operations, "do": do}
    return phone.send(f"{phone.table}/games/1/edit", form)
