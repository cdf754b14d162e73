"""The figures of a game: what counts, for whom, and that a slow recount finds the same."""

import msgspec
from hypothesis import given

from app.rules.gamefile import Game, write_game
from app.rules.hands import Hand
from app.rules.statistics import pair_statistics, seat_statistics
from tests.rules.recount import recount
from tests.rules.strategies import TAKING_CHICAGOS, Played, ended_games, setups
from tests.rules.table import Rules, cases, golden_games, play

MAIN: Rules = {"preset": "huvudregler"}
ZEROES: Rules = {"zeroing": {"four_of_a_kind": "choice"}}


def assert_recounted(game: Game) -> None:
    """Hold a game's figures, and those between its players, against the slow recount."""
    people, met = recount(msgspec.json.encode(write_game(game)))
    seats = seat_statistics(game.states(), game.events)
    assert {f.name: msgspec.structs.asdict(f) for f in seats} == people
    assert {(p.name, p.other): (p.ahead, p.behind, p.ore) for p in pair_statistics(seats)} == met


def test_golden_games_have_the_figures_of_a_slow_recount() -> None:
    """Every game of the golden ones that ends says the same, however it is counted."""
    ended = [
        game
        for game, states in golden_games()
        if states[-1].over and len(states) > len(game.events)
    ]
    assert len(ended) > 50
    for game in ended:
        assert_recounted(game)


@given(ended_games() | ended_games(setups(TAKING_CHICAGOS)))
def test_any_game_has_the_figures_of_a_slow_recount(played: Played) -> None:
    """Whatever the house rules, and however the game goes."""
    assert_recounted(Game(played.setup, played.events))


@cases("text", ["Anna 5", "Anna 5, void"])
def test_a_game_without_a_result_has_no_figures(text: str) -> None:
    """Neither a game still played nor a void one counts for anything (reading 13)."""
    table = play(text)
    assert seat_statistics(table.states, table.events) == []


@cases(
    ("text", "rules", "figures"),
    [
        # A zeroing is given once and suffered by each, also by somebody at 0.
        (
            "Bo 9, Anna zeroes",
            ZEROES,
            {"zeroings_given": [1, 0, 0], "zeroings_suffered": [0, 1, 1]},
        ),
        # A fall for want of a Chicago is suffered and given by nobody.
        (
            "Bo 52, deal Bo",
            {**MAIN, "win_needs_chicago": "won"},
            {
                "score": [0, 0, 0],
                "falls": [0, 1, 0],
                "zeroings_suffered": [0, 1, 0],
                "zeroings_given": [0, 0, 0],
            },
        ),
        (
            "Bo 52, deal Bo",
            {**MAIN, "win_needs_chicago_unmet": "plays_on"},
            {"falls": [0, 0, 0], "zeroings_suffered": [0, 0, 0]},
        ),
        # What was mended by agreement is no swing.
        ("Bo 30, deal Bo", MAIN, {"biggest_swing": [0, 5, 0]}),
        # A deal between without the stop begins the count anew.
        (
            "Anna 46, deal Bo, deal Bo, deal Bo, Anna -20, deal Bo, Anna 20, deal Bo, deal Bo",
            {"exchange_stop": 45},
            {"longest_stop": [3, 0, 0], "deals": [7, 7, 7]},
        ),
    ],
)
def test_what_counts(text: str, rules: Rules, figures: dict[str, list[int]]) -> None:
    """For each player in seat order."""
    table = play(f"{text}, settled", **rules)
    seats = seat_statistics(table.states, table.events)
    assert {code: [getattr(seat, code) for seat in seats] for code in figures} == figures


def test_a_hand_counts_whether_it_scored_or_zeroed() -> None:
    """By its kind."""
    table = play("Anna zeroes, Anna four_of_a_kind, settled", **ZEROES)
    assert seat_statistics(table.states, table.events)[0].hands[Hand.FOUR_OF_A_KIND] == 2
