"""The figures of a game: their rules, their players, and a slow recount that matches."""

import msgspec
from hypothesis import given

from app.rules.gamefile import Game, write_game
from app.rules.hands import Hand
from app.rules.protocol import assemble
from app.services.figures import AGREED, MOMENTS, find_moments, has_statistics, seat_statistics
from tests.rules.recount import recount
from tests.rules.strategies import TAKING_CHICAGOS, Played, ended_games, setups
from tests.rules.table import Rules, cases, golden_games, play

MAIN: Rules = {"preset": "huvudregler"}
ZEROES: Rules = {"zeroing": {"four_of_a_kind": "choice"}}


def assert_recounted(game: Game) -> None:
    """Compare a game's figures with the slow recount."""
    people, _ = recount(msgspec.json.encode(write_game(game)))
    seats = seat_statistics(game.states())
    assert {f.name: msgspec.structs.asdict(f) for f in seats} == people


def test_golden_games_have_the_figures_of_a_slow_recount() -> None:
    """Every golden game that ends has the figures of the recount."""
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
    """The game has any house rules and any course."""
    assert_recounted(Game(played.setup, played.events))


@cases("text", ["Anna 5", "Anna 5, void"])
def test_a_game_without_a_result_has_no_figures(text: str) -> None:
    """Neither a current game nor a void one counts (reading 13)."""
    table = play(text)
    assert seat_statistics(table.states) == []


NO_HANDS = dict.fromkeys(Hand, 0)


@cases(
    ("text", "rules", "figures"),
    [
        # A zeroing is given once and suffered by each, also by a player at 0.
        (
            "Bo 9, Anna zeroes",
            ZEROES,
            {"zeroings_given": [1, 0, 0], "zeroings_suffered": [0, 1, 1]},
        ),
        # A fall for lack of a Chicago is suffered, and given by nobody.
        (
            "Bo 52, deal Bo",
            {**MAIN, "win_needs_chicago": "won"},
            {
                "score": [0, 0, 0],
                "busts": [0, 1, 0],
                "zeroings_suffered": [0, 1, 0],
                "zeroings_given": [0, 0, 0],
            },
        ),
        (
            "Bo 52, deal Bo",
            {**MAIN, "win_needs_chicago_unmet": "plays_on"},
            {"busts": [0, 0, 0], "zeroings_suffered": [0, 0, 0]},
        ),
        # Equal hands that scored are hands of theirs.
        (
            "tie pair Anna Bo, tie pair Anna Bo, Bo trick",
            {"scored_hands": {"1": "equal", "2": "best"}},
            {"hands": [{**NO_HANDS, Hand.PAIR: 1}] * 2 + [NO_HANDS]},
        ),
        # A correction is no swing.
        ("Bo 30, deal Bo", MAIN, {"biggest_swing": [0, 5, 0]}),
        # A deal without the stop restarts the count.
        (
            "Anna 46, deal Bo, deal Bo, deal Bo, Anna -20, deal Bo, Anna 20, deal Bo, deal Bo",
            {"exchange_stop": 45},
            {"longest_stop": [3, 0, 0], "deals": [7, 7, 7]},
        ),
    ],
)
def test_what_counts(text: str, rules: Rules, figures: dict[str, list[object]]) -> None:
    """The figures are listed for each player in seat order."""
    table = play(f"{text}, settled", **rules)
    seats = seat_statistics(table.states)
    assert {code: [getattr(seat, code) for seat in seats] for code in figures} == figures


def test_moments_are_read_off_the_score_sheet() -> None:
    """Those of a golden game are the largest changes of a deal's columns, corrections aside."""
    ended = [game for game in golden_games() if has_statistics(game[1][-1])]
    assert len(ended) > 50
    for game, states in ended:
        swings = {
            deal.number: {
                name: sum(cell.points for cell in deal.cells(name) if cell.code not in AGREED)
                for name in deal.scores
            }
            for deal in assemble(states, game.events)
        }
        moments = find_moments(1, states)
        for moment in moments:
            moved = [name for name, swing in swings[moment.deal].items() if swing == moment.points]
            assert {*moment.players} <= {*moved}
            assert moment.why.points * moment.points > 0
        largest = sorted((max(map(abs, each.values())) for each in swings.values()), reverse=True)
        assert [abs(moment.points) for moment in moments] == [*filter(None, largest[:MOMENTS])]


@cases(
    ("text", "moments"),
    [
        ("Anna 40, nobody", []),
        (
            "deal Bo, Anna 40, deal Cilla",
            [(1, ("Bo",), 5, "last_trick"), (2, ("Cilla",), 5, "last_trick")],
        ),
        # A zeroing takes what the deal has given, too.
        (
            "Bo 40, Cilla 40, deal Anna, Bo pair, Anna zeroes",
            [(2, ("Bo", "Cilla"), -40, "zeroed"), (1, ("Anna",), 5, "last_trick")],
        ),
        # Of several reasons the one that did most, the way the score went.
        (
            "Bo 20, Bo flush, nobody, Bo chicago, broken",
            [(1, ("Bo",), -10, "chicago_lost")],
        ),
    ],
)
def test_a_moment_is_the_largest_swing_of_its_deal(
    text: str, moments: list[tuple[int, tuple[str, ...], int, str]]
) -> None:
    """It goes up or down, and names everybody whom the same moved as far; the largest is first."""
    told = find_moments(7, play(f"{text}, settled", **ZEROES).states)
    assert {each.game for each in told} <= {7}
    assert [(each.deal, each.players, each.points, each.why.code) for each in told] == moments
    assert find_moments(7, play(text, **ZEROES).states) == []
    assert find_moments(7, play(f"{text}, void", **ZEROES).states) == []
