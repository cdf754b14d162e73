"""The needs of a player to win in this deal, found by trying events on the state."""

from itertools import combinations

from hypothesis import given

from app.rules.ahead import INCLUDED, RISING, needs
from tests.rules.strategies import Played, games
from tests.rules.table import Rules, play
from tests.told import told

BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}


@told
def test_the_ways_to_win(text: str, rules: Rules, missing: int, ways: list[str]) -> None:
    """The points to the target, and for each play the lowest hand with its possible steps."""
    found = needs(play(text, **rules).state, "Anna")
    assert found.missing == missing
    assert [" ".join((w.play, *([w.hand] if w.hand else []), *w.steps)) for w in found.ways] == ways


@told
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
