"""Winning may need a Chicago."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    bid,
    broken,
    deal_with_trick_to,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    to_the_play,
)

LOSES_A_CHICAGO: tuple[Event, ...] = (gets(Anna=15)[0], *to_the_play(), bid("Anna"), broken())
MAKES_A_CHICAGO: tuple[Event, ...] = (
    gets(Anna=15)[0],
    *to_the_play(),
    bid("Anna"),
    made(),
    nobody(),
)


AT_TARGET: tuple[Event, ...] = (*gets(Anna=52), *deal_with_trick_to("Bo"))
DECLARED: dict[str, object] = {"win_needs_chicago": "declared"}
WON: dict[str, object] = {"win_needs_chicago": "won"}
OF_THREE: dict[str, object] = {**DECLARED, "win_needs_chicago_players": [3]}
TWO, FOUR = {"players": "Anna Bo"}, {"players": "Anna Bo Cilla Dan"}


@pytest.mark.rule("win_needs_chicago", "no", "declared", "won")
@pytest.mark.rule("win_needs_chicago_unmet", "zeroed", "plays_on")
@pytest.mark.rule("win_needs_chicago_players", None)
@pytest.mark.reading(7)
@pytest.mark.parametrize(
    ("happened", "rules", "wins", "score"),
    [
        pytest.param(AT_TARGET, {"win_needs_chicago": "no"}, True, 52, id="not needed"),
        pytest.param(AT_TARGET, DECLARED, False, 0, id="not declared"),
        pytest.param((*LOSES_A_CHICAGO, *AT_TARGET), DECLARED, True, 52, id="declared and lost"),
        pytest.param((*LOSES_A_CHICAGO, *AT_TARGET), WON, False, 0, id="only lost"),
        pytest.param(
            (*MAKES_A_CHICAGO, *gets(Anna=-30), *AT_TARGET), WON, True, 52, id="made"
        ),
        pytest.param(
            (*gets(Anna=60, Bo=20), *to_the_play(), bid("Bo"), broken()),
            DECLARED, False, 0, id="another player's",
        ),
        pytest.param(AT_TARGET, {**DECLARED, **TWO}, False, 0, id="needed of two"),
        pytest.param(AT_TARGET, {**DECLARED, **FOUR}, False, 0, id="needed of four"),
        pytest.param(AT_TARGET, {**OF_THREE, **TWO}, True, 52, id="of three, not of two"),
        pytest.param(AT_TARGET, OF_THREE, False, 0, id="of three"),
        pytest.param(AT_TARGET, {**OF_THREE, **FOUR}, True, 52, id="of three, not of four"),
        pytest.param(
            (leaves("Cilla"), *AT_TARGET), {**OF_THREE, **FOUR}, True, 52,
            id="not where four become three",
        ),
        pytest.param(
            AT_TARGET, {**DECLARED, "win_needs_chicago_unmet": "plays_on"}, False, 52,
            id="unmet, plays on",
        ),
        pytest.param(
            (*gets(Anna=51), pair("Anna")), DECLARED, False, 52, id="judged after the deal"
        ),
    ],
)  # fmt: skip
def test_what_winning_needs_at_the_target(
    happened: tuple[Event, ...], rules: dict[str, object], score: int, *, wins: bool
) -> None:
    """Who meets `win_needs_chicago` wins; who does not is zeroed or, if agreed, plays on."""
    table = play(*happened, **rules)
    assert (table.winners, table["Anna"]) == (("Anna",) if wins else (), score)
