"""The needs of a player to win in this deal, found by trying events on the state."""

from itertools import combinations

from hypothesis import given

from app.rules.ahead import INCLUDED, RISING, needs
from tests.rules.strategies import Played, games
from tests.rules.table import Rules, play
from tests.told import told


@told
def test_the_ways_to_win(text: str, rules: Rules, missing: int, ways: list[str]) -> None:
    """The points to the target, and for each play the lowest hand with its possible steps."""
    found = needs(play(text, **rules).state, "Anna")
    assert found.missing == missing
    assert [" ".join((w.play, *([w.hand] if w.hand else []), *w.steps)) for w in found.ways] == ways


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
