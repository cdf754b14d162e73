"""What stands beside each player at each step: what matters now, the most urgent first."""

from __future__ import annotations

from typing import get_args

import pytest

from app.rules.codes import NoticeCode
from app.rules.events import Event
from app.rules.notices import notices
from tests.rules.table import (
    Happening,
    best,
    bid,
    blind,
    broken,
    broken_off,
    deal_with_trick_to,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
    trick,
    zero,
)

Shown = dict[str, list[str]]
Row = tuple[str, tuple[Happening, ...], dict[str, object], Shown]

NEXT_DEAL = deal_with_trick_to("Bo")
DECLARED: dict[str, object] = {"win_needs_chicago": "declared"}
MADE: dict[str, object] = {"win_needs_chicago": "won"}
PLAYS_ON: dict[str, object] = {**DECLARED, "win_needs_chicago_unmet": "plays_on"}
LAY_OPEN: dict[str, object] = {
    "zeroing": {"four_of_a_kind": "choice"},
    "after_zeroing": "deal_goes_on",
}
TIED: tuple[Event, ...] = (*gets(Anna=53, Bo=48), *deal_with_trick_to("Bo"))

# Why, what has happened, the house rules, and what stands beside whom; beside others nothing.
TABLE: list[Row] = [
    ("who may exchange is nothing to tell", (), {}, {}),
    ("at the limit the stop comes next deal", gets(Anna=46), {}, {"Anna": ["stopped_next_deal"]}),
    ("and then it holds", (gets(Anna=46), NEXT_DEAL), {}, {"Anna": ["stopped"]}),
    (
        "a stop that bites at once holds at once",
        gets(Anna=46),
        {"exchange_stop_when": "at_once"},
        {"Anna": ["stopped"]},
    ),
    ("without a stop nothing is stopped", gets(Anna=46), {"exchange_stop": None}, {}),
    ("what scored is shown before it is broken up", (pair("Bo"),), {}, {"Bo": ["must_show"]}),
    (
        "what tied too",
        (tie("flush", "Anna", "Bo"),),
        {},
        {"Anna": ["must_show"], "Bo": ["must_show"]},
    ),
    (
        "whom a trick brings to the target is warned while there is time, after the cards",
        gets(Anna=47),
        DECLARED,
        {"Anna": ["stopped_next_deal", "bid_before_target"]},
    ),
    ("further away nobody is", gets(Anna=44), {**DECLARED, "exchange_stop": None}, {}),
    (
        "at the target the zeroing is more urgent than the cards",
        (gets(Anna=52), pair("Anna")),
        DECLARED,
        {"Anna": ["bid_or_zeroed", "must_show"]},
    ),
    (
        "who is to be zeroed after the deal is not stopped in the next one",
        gets(Anna=52),
        DECLARED,
        {"Anna": ["bid_or_zeroed"]},
    ),
    (
        "nor is who must make a Chicago not to be",
        gets(Anna=52),
        MADE,
        {"Anna": ["make_or_zeroed"]},
    ),
    (
        "nor is whom nothing helps",
        (gets(Anna=52), to_the_play(), trick("Bo")),
        DECLARED,
        {"Anna": ["zeroed_after_deal"]},
    ),
    (
        "where nobody is zeroed the stop comes",
        gets(Anna=52),
        PLAYS_ON,
        {"Anna": ["chicago_needed", "stopped_next_deal"]},
    ),
    (
        "where a Chicago has to be made, a bid does not help",
        gets(Anna=52, Bo=48),
        {**MADE, "exchange_stop": None},
        {"Anna": ["make_or_zeroed"], "Bo": ["make_before_target"]},
    ),
    (
        "who has met the requirement is told so instead, near the target",
        (gets(Anna=36, Bo=15), to_the_play(), bid("Anna"), made(), nobody()),
        {**MADE, "target": 56, "exchange_stop": None},
        {"Anna": ["requirement_met"]},
    ),
    (
        "and further away nothing",
        (gets(Anna=34), to_the_play(), bid("Anna"), made(), nobody()),
        {**MADE, "target": 56, "exchange_stop": None},
        {},
    ),
    (
        "where nobody is zeroed the Chicago is still needed",
        gets(Anna=52, Bo=47),
        {**PLAYS_ON, "exchange_stop": None},
        {"Anna": ["chicago_needed"], "Bo": ["chicago_needed"]},
    ),
    (
        "at the play: who may bid, and how far the others are from it",
        (gets(Anna=15), to_the_play()),
        {},
        {"Anna": ["may_bid"], "Bo": ["points_to_bid"], "Cilla": ["points_to_bid"]},
    ),
    ("where nobody may bid, nobody is told how far it is", to_the_play(), {}, {}),
    (
        "without a minimum everybody may",
        to_the_play(),
        {"chicago_minimum": None},
        {"Anna": ["may_bid"], "Bo": ["may_bid"], "Cilla": ["may_bid"]},
    ),
    (
        "once and no more",
        (to_the_play(), bid("Anna"), broken(), to_the_play()),
        {"chicago_minimum": None, "chicago_once": True},
        {"Anna": ["bid_already"], "Bo": ["may_bid"], "Cilla": ["may_bid"]},
    ),
    (
        "at the play the last exchange is still to come",
        (gets(Anna=46, Bo=15), NEXT_DEAL, nobody(), pair("Bo")),
        {},
        {
            "Anna": ["may_bid", "stopped"],
            "Bo": ["may_bid", "must_show"],
            "Cilla": ["points_to_bid"],
        },
    ),
    (
        "unless a hand has scored after it",
        (gets(Anna=46), NEXT_DEAL, nobody(), pair("Bo")),
        {"exchanges": 2, "scored_exchanges": [1, 2], "chicago_minimum": 100},
        {"Anna": ["stopped_next_deal"]},
    ),
    (
        "or something has been laid open",
        (to_the_play(), zero("Bo")),
        {**LAY_OPEN, "chicago_minimum": 1},
        {},
    ),
    (
        "who is urged to bid is not told besides that it is allowed",
        (gets(Anna=52), NEXT_DEAL, to_the_play()),
        {**DECLARED, "win_needs_chicago_unmet": "zeroed", "target": 57},
        {
            "Anna": ["bid_before_target", "stopped"],
            "Bo": ["points_to_bid"],
            "Cilla": ["points_to_bid"],
        },
    ),
    (
        "at the target and the play",
        (gets(Anna=47), NEXT_DEAL, nobody(), best("Anna", "flush")),
        DECLARED,
        {
            "Anna": ["bid_or_zeroed", "stopped", "must_show"],
            "Bo": ["points_to_bid"],
            "Cilla": ["points_to_bid"],
        },
    ),
    (
        "after the last exchange nobody needs to know of cards to be shown or a stop that holds",
        (gets(Anna=46), NEXT_DEAL, nobody(), pair("Bo"), trick("Cilla")),
        {},
        {"Anna": ["stopped_next_deal"]},
    ),
    (
        "a Chicago is somebody's, and for others it is too late",
        (gets(Anna=15, Bo=52, Cilla=48), to_the_play(), bid("Anna")),
        {**DECLARED, "exchange_stop": None},
        {"Anna": ["declarer"], "Bo": ["zeroed_after_deal"], "Cilla": ["zeroed_at_target"]},
    ),
    (
        "a Chicago bid early is played beside the hands",
        (bid("Anna"), pair("Anna")),
        {"chicago_when": "any_time", "chicago_minimum": None},
        {"Anna": ["declarer", "must_show"]},
    ),
    (
        "a blind one too",
        (blind("Anna"),),
        {"blind_chicago": {"points": 30, "penalty": 20}},
        {"Anna": ["declarer"]},
    ),
    (
        "at the final hand it is too late to bid",
        (gets(Anna=52), to_the_play(), trick("Bo")),
        {**DECLARED, "exchange_stop": None},
        {"Anna": ["zeroed_after_deal"]},
    ),
    (
        "at the target the trick is lacking",
        gets(Anna=52),
        {"finish": "trick_same_deal", "exchange_stop": None},
        {"Anna": ["wins_with_trick"]},
    ),
    (
        "once it is taken, by whomever, it is lacking no more",
        (gets(Anna=52), to_the_play(), trick("Bo")),
        {"finish": "trick_same_deal", "exchange_stop": None},
        {},
    ),
    (
        "who is out, and who waits for the end of a tie-break",
        (leaves("Cilla"), TIED),
        {"tied_winners": "tie_break", "players": "Anna Bo Cilla Dan"},
        {
            "Anna": ["stopped"],
            "Bo": ["stopped"],
            "Cilla": ["out"],
            "Dan": ["sits_out"],
        },
    ),
    ("after the game nothing is to be done", (gets(Anna=52), broken_off("settled")), DECLARED, {}),
]


@pytest.mark.parametrize(
    ("happened", "rules", "shown"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_what_stands_beside_whom(
    happened: tuple[Happening, ...], rules: dict[str, object], shown: Shown
) -> None:
    """Beside each player stands what matters now and nothing that is ordinary."""
    assert told(happened, rules) == shown


def test_every_notice_is_given() -> None:
    """There is no notice that the table above does not show."""
    given = {code for row in TABLE for codes in row[3].values() for code in codes}
    assert given == set(get_args(NoticeCode))


def test_notices_tell_numbers_and_hands() -> None:
    """How many points are lacking, which target is meant, what has to be shown."""
    state = play(gets(Anna=47, Bo=15), pair("Cilla"), nobody(), **DECLARED).state
    assert notices(state, "Anna")[0].values == {"target": 52}
    assert [notice.values for notice in notices(state, "Cilla")] == [
        {"missing": 14},
        {"hands": ("pair",)},
    ]


def told(happened: tuple[Happening, ...], rules: dict[str, object]) -> Shown:
    """Return the codes of what stands beside each player who has anything."""
    state = play(*happened, **rules).state
    beside = {n: [notice.code for notice in notices(state, n)] for n in state.players}
    return {name: [str(code) for code in codes] for name, codes in beside.items() if codes}
