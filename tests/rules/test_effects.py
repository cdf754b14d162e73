"""Effects of an event: codes with player, cause and points."""

from msgspec import to_builtins
from msgspec.structs import astuple

from tests.rules.table import Rules, play
from tests.told import told


@told
def test_what_an_event_sets_off(text: str, rules: Rules, told: list[object]) -> None:
    """Every booking has an effect with the change of the score, and by whom and by which hand."""
    effects = play(text, **rules).state.effects
    assert to_builtins([[*filter(None, astuple(each))] for each in effects]) == told


@told
def test_why_a_game_is_over_or_goes_on(text: str, rules: Rules, why: str, players: str) -> None:
    """The end of the game, or the tie that delays it, is the last effect."""
    state = play(text, **rules).state
    assert (state.effects[-1].code, " ".join(state.effects[-1].players)) == (why, players)
    assert (state.ended, state.winners) == (
        (why, state.effects[-1].players) if state.over else (None, ())
    )
