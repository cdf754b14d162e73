"""Figures, swings and the course of a game: told in `figures.json`, and recounted slowly."""

from typing import Any

import msgspec
import pytest
from hypothesis import given

from app.rules.gamefile import Game, write_game
from app.rules.protocol import Episode, ProtocolDeal, assemble
from app.rules.state import GameState
from app.services.figures import (
    MOST_SWINGS,
    OUTSIDE_PLAY,
    add_along,
    describe_game,
    describe_lead,
    find_swings,
    has_statistics,
    score_curve,
    seat_statistics,
)
from tests.rules.recount import recount
from tests.rules.strategies import TAKING_CHICAGOS, Played, ended_games, setups
from tests.rules.table import golden_games, play
from tests.told import read_tables, told

STORIES = read_tables(__file__)["a game is told of"]


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_game_is_told_of(story: dict[str, Any]) -> None:
    """Figures by seat, swings with the largest first, and episodes."""
    states = play(story["facts"], **story.get("rules", {})).states
    seats = seat_statistics(states)
    told = {
        "figures": {code: [seat[code] for seat in seats] for code in story.get("figures", ())},
        "swings": [[m.deal, [*m.players], m.points, m.why.code] for m in find_swings(7, states)],
        "episodes": tell(describe_game(states)),
    }
    assert {**story, **{key: told[key] for key in told if key in story}} == story


def tell(episodes: list[Episode]) -> list[object]:
    """Return episodes as JSON."""
    return [[each.code, [*each.players], each.value, each.step] for each in episodes]


def assert_recounted(game: Game) -> None:
    """Compare a game's figures with the slow recount."""
    people = recount(msgspec.json.encode(write_game(game)))
    assert {seat["name"]: seat for seat in seat_statistics(game.states())} == people


@given(ended_games() | ended_games(setups(TAKING_CHICAGOS)))
def test_any_game_has_the_figures_of_a_slow_recount(played: Played) -> None:
    """The game has any house rules and any course."""
    assert_recounted(Game(played.setup, played.events))


def test_golden_games_are_told_of_as_slow_recounts_do() -> None:
    """Figures, the largest changes of a deal's columns, its scores, and who leads."""
    ended = 0
    for game, states in golden_games():
        deals = assemble(states, game.events)
        check_course(states, [deal for deal in deals if deal.lines])
        if has_statistics(states[-1]):
            check_swings(states, deals)
            # Else its last event is refused.
            if len(states) > len(game.events):
                assert_recounted(game)
                ended += 1
    assert ended > 50


def check_swings(states: list[GameState], deals: list[ProtocolDeal]) -> None:
    """Compare a game's found with its score deal, corrections aside."""
    swings = {
        deal.number: {
            name: sum(each.points for each in deal.effects(name) if each.code not in OUTSIDE_PLAY)
            for name in deal.scores
        }
        for deal in deals
    }
    found = find_swings(1, states)
    for each in found:
        assert {swings[each.deal][name] for name in each.players} == {each.points}
        assert each.why.points * each.points > 0
    largest = sorted((max(map(abs, each.values())) for each in swings.values()), reverse=True)
    assert [abs(each.points) for each in found] == [*filter(None, largest[:MOST_SWINGS])]


def check_course(states: list[GameState], deals: list[ProtocolDeal]) -> None:
    """Compare a game's course with its score deals; a latecomer has a score one step earlier."""
    steps, end = score_curve(states), states[-1]
    for step, deal in zip(steps[1:], deals, strict=True):
        assert {n: s for n, s in step.items() if n in deal.scores} == deal.scores
    for first in describe_game(states)[:1]:
        most = max(end.score(name) for name in end.playing)
        best = tuple(name for name in end.playing if end.score(name) == most)
        assert first.players == (end.winners or best)
        assert (first.code == "won", first.step) == (bool(end.winners), len(steps) - 1)


@told
def test_sums_go_on_from_evening_to_evening(
    changes: list[dict[str, int]], steps: list[dict[str, int]], told: list[object]
) -> None:
    """So do who leads, and whether that was so throughout."""
    assert add_along(changes) == steps
    assert tell(describe_lead(steps)) == told
