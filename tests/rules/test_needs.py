"""The needs of a player to win in this deal, found by trying events on the state."""

from itertools import combinations

from hypothesis import given

from app.rules.ahead import INCLUDED, RISING, needs
from tests.rules.strategies import Played, games
from tests.rules.table import Rules, cases, play

BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}
ANY_HAND = "hand_1 hand_2 final_hand"


@cases(
    ("text", "rules", "missing", "ways"),
    [
        # Every play has the lowest sufficient hand.
        (
            "Anna 45",
            {},
            7,
            [f"nothing four_of_a_kind {ANY_HAND}", f"trick two_pairs {ANY_HAND}", "chicago"],
        ),
        ("Anna 49, no hands, Bo trick", {}, 3, ["nothing three_of_a_kind final_hand"]),
        # Without a bid a player wins only by a Chicago, or with a hand that wins at once.
        (
            "Anna 45",
            {"win_needs_chicago": "declared", "winning_hands": ["royal_flush"]},
            7,
            [f"nothing royal_flush {ANY_HAND}", "chicago"],
        ),
        ("Anna 60", {"finish": "trick_same_deal"}, 0, ["trick", "chicago"]),
        # A hand that suffices alone is not listed with a Chicago.
        ("", {"preset": "huvudregler"}, 52, [f"nothing straight_flush {ANY_HAND}"]),
        ("Anna 60", {}, 0, ["nothing"]),
        # A blind Chicago is left out where an ordinary one suffices; a two is harder still.
        ("nobody, nobody, Bo trick", BLIND, 52, ["nothing royal_flush final_hand"]),
        ("Anna 45, Bo 52, deal Bo", {}, 7, []),
        ("Anna leaves", {}, 52, []),
    ],
)
def test_the_ways_to_win(text: str, rules: Rules, missing: int, ways: list[str]) -> None:
    """The points to the target, and for each play the lowest hand with its possible steps."""
    found = needs(play(text, **rules).state, "Anna")
    assert found.missing == missing
    assert [" ".join((w.play, *([w.hand] if w.hand else []), *w.steps)) for w in found.ways] == ways


@cases(
    ("text", "plays"),
    [
        ("", ["blind_with_two"]),
        ("Anna 30", ["blind"]),
        ("Anna 40", []),
        ("nobody", []),
        ("Anna blind", ["blind_with_two"]),
    ],
)
def test_a_blind_chicago_is_a_way_where_no_easier_one_is(text: str, plays: list[str]) -> None:
    """With a two it wins even from zero, before the deal has begun."""
    ways = needs(play(text, **BLIND).state, "Anna").ways
    assert [way.play for way in ways if way.play.startswith("blind") and not way.hand] == plays


def test_a_blind_chicago_at_the_last_exchange_is_a_way_before_it() -> None:
    """Until its moment is over, unless another Chicago is bid by then."""
    last = {"points": 30, "penalty": 20, "with_two": 60, "when": "last_exchange"}
    agreed = {"blind_chicago": last, "chicago_when": "any_time", "chicago_minimum": None}
    for text, found in {"": True, "no hands": True, "Bo chicago": False, "deal Bo": True}.items():
        ways = needs(play(text, **agreed).state, "Anna").ways
        assert ("blind_with_two" in [way.play for way in ways]) == found, text


@given(games())
def test_no_way_is_covered_by_another(played: Played) -> None:
    """Of two ways with the same or an easier play, neither makes the other needless."""
    state = played.states[-1]
    for name in state.players:
        for easier, harder in combinations(needs(state, name).ways, 2):
            if easier.play in INCLUDED[harder.play]:
                assert easier.hand is not None
                needless = harder.hand is not None and RISING.index(easier.hand) <= RISING.index(
                    harder.hand
                )
                assert not (needless and set(easier.steps) & set(harder.steps))
