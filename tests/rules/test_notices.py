"""What stands beside each player: the exchange, and what else matters, most urgent first."""

from __future__ import annotations

from typing import get_args

import pytest

from app.rules.codes import NoticeCode
from app.rules.events import Event
from app.rules.notices import URGENCY, exchange_notice, notices
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
FAR: dict[str, object] = {"target": 100}
DECLARED: dict[str, object] = {"win_needs_chicago": "declared", "exchange_stop": None}
MADE: dict[str, object] = {"win_needs_chicago": "won", "exchange_stop": None}
PLAYS_ON: dict[str, object] = {**DECLARED, "win_needs_chicago_unmet": "plays_on"}
LAY_OPEN: dict[str, object] = {
    "zeroing": {"four_of_a_kind": "choice"},
    "after_zeroing": "deal_goes_on",
}
BREAKER: dict[str, object] = {"chicago_breaker_bonus": 8}
TRICK: dict[str, object] = {"finish": "trick_same_deal", "exchange_stop": None}
EARLY: dict[str, object] = {"chicago_when": "any_time", "chicago_minimum": None}
TIED: tuple[Event, ...] = (*gets(Anna=53, Bo=48), *deal_with_trick_to("Bo"))
FOUR = "Anna Bo Cilla Dan"


def later(**points: int) -> tuple[Event, ...]:
    """Give points by agreement when a hand has been recorded in the deal."""
    return nobody(), *gets(**points)


# Why, what has happened, the house rules, and what stands beside whom; beside others nothing.
TABLE: list[Row] = [
    ("who may exchange, bid and win as usual is nothing to tell", (), {}, {}),
    (
        "whoever reaches the limit in a deal is stopped from the next",
        later(Anna=46),
        FAR,
        {"Anna": ["stopped_next_deal"]},
    ),
    ("who is stopped is told so by the exchange alone", (gets(Anna=46), NEXT_DEAL), FAR, {}),
    (
        "a stop that bites at once holds at once",
        later(Anna=46),
        {**FAR, "exchange_stop_when": "at_once"},
        {},
    ),
    ("without a stop nothing is stopped", later(Anna=46), {**FAR, "exchange_stop": None}, {}),
    ("what scored is shown before it is broken up", (pair("Bo"),), {}, {"Bo": ["must_show"]}),
    (
        "what tied too",
        (tie("flush", "Anna", "Bo"),),
        {},
        {"Anna": ["must_show"], "Bo": ["must_show"]},
    ),
    ("who is stopped shows nothing", (gets(Anna=46), NEXT_DEAL, pair("Anna")), FAR, {}),
    (
        "the Chicago that winning takes is asked for as soon as the deal may lead to the target",
        gets(Anna=29, Bo=28),
        DECLARED,
        {"Anna": ["bid_before_target"]},
    ),
    (
        "with two hands and the trick to come that is nearer",
        later(Anna=35, Bo=34),
        DECLARED,
        {"Anna": ["bid_before_target"]},
    ),
    (
        "at the play there are the trick and a hand",
        (to_the_play(), gets(Anna=41, Bo=40)),
        DECLARED,
        {
            "Anna": ["bid_before_target", "may_bid"],
            "Bo": ["may_bid"],
            "Cilla": ["points_to_bid"],
        },
    ),
    (
        "after the trick a hand, and no bid",
        (to_the_play(), trick("Cilla"), gets(Anna=46, Bo=45)),
        DECLARED,
        {"Anna": ["zeroed_at_target"]},
    ),
    (
        "hands that win, raise or zero are not counted on",
        gets(Anna=31, Bo=32),
        {
            **DECLARED,
            "winning_hands": ["full_house"],
            "raising_hands": ["flush"],
            "zeroing": {"straight": "choice"},
        },
        {},
    ),
    (
        "so with three of a kind as the best",
        gets(Anna=38, Bo=37),
        {
            **DECLARED,
            "winning_hands": ["full_house"],
            "raising_hands": ["flush"],
            "zeroing": {"straight": "choice"},
        },
        {"Anna": ["bid_before_target"]},
    ),
    (
        "where common hands do nothing but zero, the trick is left",
        gets(Anna=47, Bo=46),
        {
            **DECLARED,
            "zeroing": dict.fromkeys(
                ("pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house"),
                "choice",
            ),
        },
        {"Anna": ["bid_before_target"]},
    ),
    (
        "who has too few points for a bid may come to have them",
        gets(Anna=9),
        {**DECLARED, "target": 30},
        {"Anna": ["bid_before_target"]},
    ),
    (
        "but not at the play any more",
        (to_the_play(), gets(Anna=14, Bo=15)),
        {**DECLARED, "target": 25},
        {
            "Anna": ["zeroed_at_target", "points_to_bid"],
            "Bo": ["bid_before_target", "may_bid"],
            "Cilla": ["points_to_bid"],
        },
    ),
    (
        "at the target the zeroing is more urgent than the cards",
        (gets(Anna=52), pair("Anna")),
        DECLARED,
        {"Anna": ["bid_or_zeroed", "must_show"]},
    ),
    (
        "who is to be zeroed after the deal is not stopped in the next one",
        later(Anna=52),
        {"win_needs_chicago": "declared"},
        {"Anna": ["bid_or_zeroed"]},
    ),
    (
        "nor is whom nothing helps",
        (to_the_play(), trick("Bo"), gets(Anna=52)),
        {"win_needs_chicago": "declared"},
        {"Anna": ["zeroed_after_deal"]},
    ),
    (
        "where nobody is zeroed the stop comes",
        later(Anna=52),
        {**PLAYS_ON, "exchange_stop": 46},
        {"Anna": ["chicago_needed", "stopped_next_deal"]},
    ),
    (
        "where a Chicago has to be made, a bid does not help",
        gets(Anna=52, Bo=48),
        MADE,
        {"Anna": ["make_or_zeroed"], "Bo": ["make_before_target"]},
    ),
    (
        "and who plays it has it to make",
        (gets(Anna=67, Bo=15), to_the_play(), bid("Anna")),
        MADE,
        {"Anna": ["declarer", "make_or_zeroed"]},
    ),
    (
        "who has bid is told so instead",
        (gets(Anna=36, Bo=15), to_the_play(), bid("Anna"), broken(), gets(Anna=20)),
        DECLARED,
        {"Anna": ["can_win_now", "requirement_met"]},
    ),
    (
        "and who has made a Chicago",
        (gets(Anna=30, Bo=15), to_the_play(), bid("Anna"), made(), nobody()),
        MADE,
        {"Anna": ["can_win_now", "requirement_made"]},
    ),
    (
        "further away nothing",
        (gets(Anna=28, Bo=15), to_the_play(), bid("Anna"), made(), nobody()),
        {**MADE, "target": 68},
        {},
    ),
    (
        "where nobody is zeroed the Chicago is still needed",
        gets(Anna=52, Bo=29),
        PLAYS_ON,
        {"Anna": ["chicago_needed"], "Bo": ["chicago_needed"]},
    ),
    (
        "who has the target and the lead wins if nothing more comes",
        later(Anna=53, Bo=52),
        {},
        {"Anna": ["wins_after_deal"], "Bo": ["can_win_now", "stopped_next_deal"]},
    ),
    (
        "of two the trick goes to one or the other",
        later(Anna=53, Bo=50),
        {"players": "Anna Bo", "exchange_stop": None},
        {"Anna": ["can_win_now"], "Bo": ["can_win_now"]},
    ),
    (
        "who shares the lead shares the win",
        later(Anna=53, Bo=53),
        {},
        {"Anna": ["wins_after_deal"], "Bo": ["wins_after_deal"]},
    ),
    (
        "whose points a zeroing is to take does not win as it stands",
        (to_the_play(), gets(Anna=53), zero("Bo")),
        {**LAY_OPEN, "zeroing_and_chicago": "zeroing_last", "chicago_minimum": 100},
        {"Anna": ["stopped_next_deal"]},
    ),
    (
        "who is ahead in a tie-break wins as it stands",
        (gets(Anna=53, Bo=53), NEXT_DEAL, pair("Anna")),
        {"tied_winners": "tie_break", "players": "Anna Bo", "last_trick": 0},
        {"Anna": ["wins_after_deal"]},
    ),
    (
        "the best that is common may be enough to win",
        gets(Anna=41, Bo=40),
        {},
        {"Anna": ["can_win_now"]},
    ),
    (
        "somebody who plays a Chicago may win with it",
        (to_the_play(), gets(Anna=37, Bo=36), bid("Anna")),
        {"chicago_hand": "never"},
        {"Anna": ["declarer", "can_win_now"]},
    ),
    (
        "but may not when it is not enough",
        (to_the_play(), gets(Anna=36, Bo=15), bid("Anna")),
        {"chicago_hand": "never"},
        {"Anna": ["declarer"]},
    ),
    (
        "breaking it may be enough to win",
        (to_the_play(), gets(Anna=15, Bo=44, Cilla=43), bid("Anna")),
        {**BREAKER, "chicago_hand": "never"},
        {"Anna": ["declarer"], "Bo": ["can_win_now"]},
    ),
    (
        "the hand after it, too",
        (to_the_play(), gets(Anna=15, Bo=46, Cilla=45), bid("Anna")),
        {"chicago_hand": "if_won", "exchange_stop": None},
        {"Anna": ["declarer"], "Bo": ["can_win_now"]},
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
        "from the maximum on nobody bids",
        (gets(Anna=32, Bo=15), to_the_play()),
        {"chicago_maximum": 32},
        {"Anna": ["too_high_to_bid"], "Bo": ["may_bid"], "Cilla": ["points_to_bid"]},
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
        FAR,
        {"Anna": ["may_bid"], "Bo": ["must_show", "may_bid"], "Cilla": ["points_to_bid"]},
    ),
    (
        "unless something has been laid open",
        (to_the_play(), zero("Bo")),
        {**LAY_OPEN, "chicago_minimum": 1},
        {},
    ),
    (
        "who is urged to bid is not told besides that it is allowed",
        (to_the_play(), gets(Anna=52)),
        DECLARED,
        {"Anna": ["bid_or_zeroed"], "Bo": ["points_to_bid"], "Cilla": ["points_to_bid"]},
    ),
    (
        "at the target and the play",
        (gets(Anna=47), nobody(), best("Anna", "flush")),
        DECLARED,
        {
            "Anna": ["bid_or_zeroed", "must_show"],
            "Bo": ["points_to_bid"],
            "Cilla": ["points_to_bid"],
        },
    ),
    (
        "after the last exchange nobody needs to know of cards to be shown",
        (nobody(), pair("Bo"), trick("Cilla")),
        {},
        {},
    ),
    (
        "a Chicago is somebody's, and for others it is too late",
        (gets(Anna=15, Bo=52, Cilla=48), to_the_play(), bid("Anna")),
        DECLARED,
        {"Anna": ["declarer"], "Bo": ["zeroed_after_deal"], "Cilla": ["zeroed_at_target"]},
    ),
    (
        "a Chicago bid early is played beside the hands",
        (bid("Anna"), pair("Anna")),
        EARLY,
        {"Anna": ["declarer", "must_show"]},
    ),
    (
        "a blind one too",
        (blind("Anna"),),
        {"blind_chicago": {"points": 30, "penalty": 20}},
        {"Anna": ["declarer"]},
    ),
    (
        "and it may win the game",
        (gets(Anna=22, Bo=21), blind("Anna")),
        {"blind_chicago": {"points": 30, "penalty": 20}},
        {"Anna": ["declarer", "can_win_now"]},
    ),
    (
        "at the target the trick is lacking",
        gets(Anna=52),
        TRICK,
        {"Anna": ["wins_with_trick"]},
    ),
    (
        "once it is taken, by whomever, it is lacking no more",
        (gets(Anna=52), to_the_play(), trick("Bo")),
        TRICK,
        {},
    ),
    (
        "who is out, and who waits for the end of a tie-break",
        (leaves("Cilla"), TIED),
        {"tied_winners": "tie_break", "players": FOUR},
        {"Cilla": ["out"], "Dan": ["sits_out"]},
    ),
    ("after the game nothing is to be done", (gets(Anna=52), broken_off("settled")), DECLARED, {}),
]

NO_EXCHANGE: dict[str, str] = {}
ALL_EXCHANGE = dict.fromkeys(("Anna", "Bo", "Cilla"), "exchanges")
ANNA_STOPPED = {**ALL_EXCHANGE, "Anna": "stopped"}
# Why, what has happened, the house rules, and what is told of the exchange.
EXCHANGE: list[tuple[str, tuple[Happening, ...], dict[str, object], dict[str, str]]] = [
    ("all exchange", (), {}, ALL_EXCHANGE),
    ("but who is stopped", (gets(Anna=46), NEXT_DEAL), FAR, ANNA_STOPPED),
    ("whoever reaches the limit in a deal still does", later(Anna=46), FAR, ALL_EXCHANGE),
    (
        "unless the stop bites at once",
        later(Anna=46),
        {**FAR, "exchange_stop_when": "at_once"},
        ANNA_STOPPED,
    ),
    (
        "where six cards are dealt instead, that is said",
        (gets(Anna=46), NEXT_DEAL),
        {**FAR, "exchange_stop_style": "six_cards"},
        {**ALL_EXCHANGE, "Anna": "six_cards"},
    ),
    ("the last exchange comes before the play", to_the_play(), {}, ALL_EXCHANGE),
    (
        "unless a hand has scored after it",
        to_the_play(),
        {"exchanges": 2, "scored_exchanges": [1, 2]},
        NO_EXCHANGE,
    ),
    ("or something has been laid open", (to_the_play(), zero("Bo")), LAY_OPEN, NO_EXCHANGE),
    ("a Chicago bid early leaves it to come", (bid("Anna"), to_the_play()), EARLY, ALL_EXCHANGE),
    ("one bid at the play does not", (to_the_play(), bid("Anna")), EARLY, NO_EXCHANGE),
    (
        "nor does it when an early bid has gone with its player",
        (bid("Cilla"), leaves("Cilla"), to_the_play(), bid("Anna")),
        EARLY,
        NO_EXCHANGE,
    ),
    ("nobody exchanges in the play", (to_the_play(), trick("Bo")), {}, NO_EXCHANGE),
    (
        "nor is who does not play told of it",
        (leaves("Cilla"), TIED),
        {"tied_winners": "tie_break", "players": FOUR, "exchange_stop": None},
        {"Anna": "exchanges", "Bo": "exchanges"},
    ),
    ("nor is anybody after the game", (broken_off("void"),), {}, NO_EXCHANGE),
]


@pytest.mark.parametrize(
    ("happened", "rules", "shown"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_what_stands_beside_whom(
    happened: tuple[Happening, ...], rules: dict[str, object], shown: Shown
) -> None:
    """Beside each player stands what matters now, the most urgent first, and nothing ordinary."""
    state = play(*happened, **rules).state
    beside = {n: [str(notice.code) for notice in notices(state, n)] for n in state.players}
    assert {name: codes for name, codes in beside.items() if codes} == shown


@pytest.mark.parametrize(
    ("happened", "rules", "told"), [row[1:] for row in EXCHANGE], ids=[row[0] for row in EXCHANGE]
)
def test_what_is_told_of_the_exchange(
    happened: tuple[Happening, ...], rules: dict[str, object], told: dict[str, str]
) -> None:
    """One slot belongs to the exchange alone: who exchanges, who does not, who gets six cards."""
    state = play(*happened, **rules).state
    beside = {name: exchange_notice(state, name) for name in state.players}
    assert {name: notice.code for name, notice in beside.items() if notice} == told


def test_every_notice_is_given() -> None:
    """There is no notice that the tables above do not show."""
    given = {code for row in TABLE for codes in row[3].values() for code in codes}
    assert given | {code for row in EXCHANGE for code in row[3].values()} == set(
        get_args(NoticeCode)
    )


def test_the_order_is_what_zeroes_what_wins_the_cards_and_the_bid() -> None:
    """A stop to come and points still missing are the least of it."""
    urgent = ["declarer", "bid_or_zeroed", "zeroed_at_target", "bid_before_target"]
    urgent += ["wins_after_deal", "can_win_now", "must_show", "may_bid", "stopped_next_deal"]
    assert [code for code in URGENCY if code in urgent] == urgent


def test_notices_tell_numbers_and_hands() -> None:
    """How many points are lacking, which target is meant, what has to be shown."""
    state = play(gets(Anna=47, Bo=15), pair("Cilla"), nobody(), **DECLARED).state
    assert notices(state, "Anna")[0].values == {"target": 52}
    assert [notice.values for notice in notices(state, "Cilla")] == [
        {"hands": ("pair",)},
        {"missing": 14},
    ]
