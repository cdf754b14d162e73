"""Effects of an event: codes with player, cause and points."""

from tests.rules.table import Rules, play
from tests.told import told

GOES_ON: Rules = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}


@told
def test_what_an_event_sets_off(text: str, rules: Rules, told: str) -> None:
    """Every booking has an effect with the change of the score."""
    effects = play(text, **rules).state.effects
    assert ", ".join(f"{e.code} {e.player} {e.points}" for e in effects) == told


def test_an_effect_tells_by_whom_and_that_the_score_stopped_at_zero() -> None:
    """A zeroing names its player and hand; only a score that would fall below 0 is clamped."""
    zeroed = play("Bo 9, Anna zeroes", **GOES_ON).state.effects[1]
    assert (zeroed.player, zeroed.by, zeroed.hand) == ("Bo", "Anna", "four_of_a_kind")
    joined = play("Dan joins Cilla -1").state.effects[0]
    assert (joined.code, joined.by, joined.clamped) == ("joins", "Cilla", True)
    for points, clamped in ((-3, False), (-4, True)):
        assert play(f"Bo 3, Bo {points}").state.effects[0].clamped == clamped


@told
def test_why_a_game_is_over_or_goes_on(text: str, rules: Rules, why: str, players: str) -> None:
    """The end of the game, or the tie that delays it, is the last effect."""
    state = play(text, **rules).state
    assert (state.effects[-1].code, " ".join(state.effects[-1].players)) == (why, players)
    assert (state.ended, state.winners) == (
        (why, state.effects[-1].players) if state.over else (None, ())
    )
