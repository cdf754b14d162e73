"""The figures of a game: what counts, for whom, and that a slow recount finds the same."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from app.rules.gamefile import Game, read_game, write_game
from app.rules.hands import Hand
from app.rules.statistics import SeatStatistics, pair_statistics, seat_statistics
from tests.rules.recount import recount
from tests.rules.strategies import TAKING_CHICAGOS, Played, ended_games, setups

Raw = dict[str, object]

GOLDEN = Path(__file__).parents[1] / "golden"
VOID: Raw = {"event": "break_off", "settle": False}
NOBODY: Raw = {"event": "no_best_hand"}
TRICK: Raw = {"event": "last_trick", "player": "Bo"}
SETTLED: Raw = {"event": "break_off", "settle": True}


def ended() -> list[Game]:
    """Return every golden game that ends, void or not."""
    raw = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(GOLDEN.glob("*.json"))]
    over = [each for each in raw if each["result"].get("status") in ("finished", "broken_off")]
    return [read_game(each["game"]) for each in over]


def assert_recounted(game: Game) -> None:
    """Hold a game's figures, and those between its players, against the slow recount."""
    states = game.states()
    people, met = recount(msgspec.json.encode(write_game(game)))
    seats = seat_statistics(states, game.events)
    assert {f.name: msgspec.structs.asdict(f) for f in seats} == people
    assert {(p.name, p.other): (p.ahead, p.behind, p.ore) for p in pair_statistics(seats)} == met


def of(rules: Raw, *events: Raw) -> dict[str, SeatStatistics]:
    """Return the figures of a game of three with these rules and events."""
    raw = {"format": "chicago-game/1", "players": ["Anna", "Bo", "Cilla"], "rules": rules}
    game = read_game({**raw, "events": list(events)})
    return {each.name: each for each in seat_statistics(game.states(), game.events)}


def correct(player: str, points: int) -> Raw:
    """Return the event that points are corrected."""
    return {"event": "correction", "player": player, "points": points}


def test_golden_games_have_the_figures_of_a_slow_recount() -> None:
    """Every game of the golden ones that ends says the same, however it is counted."""
    games = ended()
    assert len(games) > 50
    for game in games:
        assert_recounted(game)


@given(ended_games() | ended_games(setups(TAKING_CHICAGOS)))
def test_any_game_has_the_figures_of_a_slow_recount(played: Played) -> None:
    """Whatever the house rules, and however the game goes."""
    assert_recounted(Game(played.setup, played.events))


@pytest.mark.parametrize("events", [[], [VOID]], ids=["still played", "void"])
def test_a_game_without_a_result_has_no_figures(events: list[Raw]) -> None:
    """Neither a game still played nor a void one counts for anything (reading 13)."""
    assert of({}, correct("Anna", 5), *events) == {}


def test_a_zeroing_is_given_once_and_suffered_by_each() -> None:
    """Whoever zeroes all others has given one zeroing; somebody at 0 has suffered it too."""
    zeroing: Raw = {"zeroing": {"four_of_a_kind": "choice"}}
    hand = "four_of_a_kind"
    zero: Raw = {"event": "best_hand", "player": "Anna", "hand": hand, "choose": "zero"}
    found = of(zeroing, correct("Bo", 9), zero, SETTLED)
    assert [found[name].zeroings_given for name in found] == [1, 0, 0]
    assert [found[name].zeroings_suffered for name in found] == [0, 1, 1]
    assert found["Anna"].hands[Hand.FOUR_OF_A_KIND] == 1


def test_a_fall_for_want_of_a_chicago_is_suffered_and_given_by_nobody() -> None:
    """Losing everything at the target counts as zeroed, and as a fall besides."""
    rules: Raw = {"win_needs_chicago": "won", "win_needs_chicago_unmet": "zeroed"}
    found = of(
        {"preset": "huvudregler", **rules},
        correct("Bo", 52),
        NOBODY,
        NOBODY,
        TRICK,
        NOBODY,
        SETTLED,
    )
    assert found["Bo"].score == 0
    assert [found[name].zeroings_suffered for name in found] == [0, 1, 0]
    assert [found[name].falls for name in found] == [0, 1, 0]
    assert not any(each.zeroings_given for each in found.values())


def test_who_is_passed_over_for_want_of_a_chicago_has_not_fallen() -> None:
    """Who plays on at the target has lost nothing."""
    rules: Raw = {"preset": "huvudregler", "win_needs_chicago_unmet": "plays_on"}
    found = of(rules, correct("Bo", 52), NOBODY, NOBODY, TRICK, NOBODY, SETTLED)
    assert not any(each.zeroings_suffered or each.falls for each in found.values())


def test_corrections_are_no_swing() -> None:
    """The biggest swing is of what happened in a deal, not of what was mended by agreement."""
    found = of({}, correct("Bo", 30), NOBODY, NOBODY, TRICK, NOBODY, SETTLED)
    assert [found[name].biggest_swing for name in found] == [0, 5, 0]


def test_the_exchange_stop_is_counted_in_deals_in_a_row() -> None:
    """A deal counts that a player began under the stop, and one between begins the count anew."""
    deal = (NOBODY, NOBODY, TRICK, NOBODY)
    start, down, up = (correct("Anna", points) for points in (46, -20, 20))
    first = (start, *deal, *deal, *deal, down, *deal)
    found = of({"exchange_stop": 45}, *first, up, *deal, *deal, SETTLED)
    assert found["Anna"].longest_stop == 3
    assert found["Cilla"].longest_stop == 0
    assert found["Cilla"].deals == 7
