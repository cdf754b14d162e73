"""What a Chicago gives when it is made, and costs when it is broken."""

import pytest

from app.rules.events import ChicagoResult
from tests.rules.table import (
    Table,
    bid,
    broken,
    gets,
    made,
    play,
    to_the_play,
    trick,
)


def chicago(**rules: object) -> Table:
    """Let Bo, who has 20 points, bid Chicago."""
    return play(gets(Bo=20), *to_the_play(), bid("Bo"), **rules)


@pytest.mark.rule("chicago_points")
@pytest.mark.rule("chicago_penalty")
@pytest.mark.rule("chicago_with_two", None)
@pytest.mark.parametrize(
    ("rules", "event", "score"),
    [
        ({}, made(), 35),
        ({"chicago_points": 13}, made(), 33),
        ({}, broken(), 5),
        ({"chicago_penalty": 13}, broken(), 7),
        ({"chicago_with_two": None}, made("with_two"), 35),
        ({"chicago_with_two": 30}, made("with_two"), 50),
        ({"chicago_with_two": 30}, made(), 35),
    ],
)
def test_what_a_chicago_gives_and_costs(
    rules: dict[str, object], event: ChicagoResult, score: int
) -> None:
    """`chicago_points`, `chicago_penalty`, which is written positive, or `chicago_with_two`."""
    assert chicago(**rules).then(event).scores == {"Anna": 0, "Bo": score, "Cilla": 0}


@pytest.mark.rule("chicago_breaker_bonus")
def test_the_breaker_of_a_bonus_is_named_and_is_another() -> None:
    """With `chicago_breaker_bonus` set the breaker must be named and cannot be the declarer."""
    table = chicago(chicago_breaker_bonus=8)
    assert table.refusal(broken()) == "breaker_needed"
    assert table.refusal(broken("Bo")) == "breaker_is_declarer"


def test_a_result_needs_a_chicago_and_a_chicago_a_result() -> None:
    """No result is recorded without a bid, and no last trick in its place after one."""
    assert play(*to_the_play()).refusal(made()) == "no_chicago_played"
    assert chicago().refusal(trick("Anna")) == "no_trick_due"
