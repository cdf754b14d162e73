"""Whether the final hand and the last trick score in a deal with a Chicago."""

import pytest

from tests.rules.table import Table, bid, broken, gets, made, play, to_the_play

Where = tuple[int, str]


def chicago(**rules: object) -> Table:
    """Let Bo, who has 20 points, bid Chicago."""
    return play(gets(Bo=20), *to_the_play(), bid("Bo"), **rules)


def where(table: Table) -> Where:
    """Return the deal and what is recorded next."""
    return table.deal, table.step


OVER, HAND, TRICK = (2, "hand_1"), (1, "final_hand"), (1, "last_trick")


@pytest.mark.rule("chicago_hand", "if_won", "never", "always")
@pytest.mark.rule("hand_after_play", False)
@pytest.mark.rule("chicago_last_trick", "never", "if_lost", "if_won", "always")
@pytest.mark.parametrize(
    ("rules", "score", "after_made", "after_broken"),
    [
        ({"chicago_hand": "if_won"}, 35, HAND, OVER),
        ({"chicago_hand": "never"}, 35, OVER, OVER),
        ({"chicago_hand": "always"}, 35, HAND, HAND),
        ({"chicago_hand": "always", "hand_after_play": False}, 35, OVER, OVER),
        ({"chicago_last_trick": "never"}, 35, HAND, OVER),
        ({"chicago_last_trick": "if_lost"}, 35, HAND, TRICK),
        ({"chicago_last_trick": "if_won"}, 40, HAND, OVER),
        ({"chicago_last_trick": "always"}, 40, HAND, TRICK),
    ],
)
def test_what_is_recorded_after_a_chicago(
    rules: dict[str, object], score: int, after_made: Where, after_broken: Where
) -> None:
    """The last trick goes to who made it or is recorded; the final hand is due, or none."""
    table = chicago(**rules)
    won, lost = table.then(made()), table.then(broken())
    assert (won["Bo"], lost["Bo"]) == (score, 5)
    assert (where(won), where(lost)) == (after_made, after_broken)
