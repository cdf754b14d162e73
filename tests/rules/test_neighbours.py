"""What a doubted entry was most likely instead."""

from app.rules.edit import neighbours
from tests.rules.table import Rules, facts, play
from tests.told import told


@told
def test_what_was_most_likely_meant(
    happened: str, agreed: Rules, doubters: list[str], likely: str
) -> None:
    """The next hand up and down, the next players, nobody: as far as the rules allow it there."""
    game = play(happened, **agreed)
    assert neighbours(game.states[-2], game.events[-1], doubters) == [*facts(likely)]
