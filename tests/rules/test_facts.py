"""Notices beside each player: the exchange, and all else that matters, most urgent first."""

from __future__ import annotations

from typing import get_args

from app.rules.codes import NoticeCode
from app.rules.hands import COMMON_HANDS
from app.rules.facts import URGENCY, exchange_notice, notices
from tests.rules.table import Rules, cases, play

FAR: Rules = {"target": 100}
DECLARED: Rules = {"win_needs_chicago": "declared", "exchange_stop": None}
MADE: Rules = {"win_needs_chicago": "won", "exchange_stop": None}
PLAYS_ON: Rules = {**DECLARED, "win_needs_chicago_unmet": "plays_on"}
LAY_OPEN: Rules = {
    "zeroing": {"four_of_a_kind": "choice"},
    "after_zeroing": "deal_goes_on",
}
SPECIAL: Rules = {
    **DECLARED,
    "winning_hands": ["full_house"],
    "raising_hands": ["flush"],
    "zeroing": {"straight": "choice"},
}
BREAKER: Rules = {"chicago_breaker_bonus": 8, "chicago_hand": "never"}
TRICK: Rules = {"finish": "trick_same_deal", "exchange_stop": None}
EARLY: Rules = {"chicago_when": "any_time", "chicago_minimum": None}
BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20}}
FOUR: Rules = {
    "tied_winners": "tie_break",
    "players": "Anna Bo Cilla Dan",
    "exchange_stop": None,
}

# The reason, the events, the house rules, and the notices of each player who has any.
TABLE: list[tuple[str, str, Rules, str]] = [
    ("who may exchange, bid and win as usual is nothing to tell", "", {}, ""),
    (
        "whoever reaches the limit in a deal is stopped from the next",
        "nobody, Anna 46",
        FAR,
        "Anna: stopped_next_deal",
    ),
    ("who is stopped is told so by the exchange alone", "Anna 46, deal Bo", FAR, ""),
    (
        "a stop that bites at once holds at once",
        "nobody, Anna 46",
        {**FAR, "exchange_stop_when": "at_once"},
        "",
    ),
    ("without a stop nothing is stopped", "nobody, Anna 46", {**FAR, "exchange_stop": None}, ""),
    ("what scored is shown before it is broken up", "Bo pair", {}, "Bo: must_show"),
    ("what tied too", "tie flush Anna Bo", {}, "Anna: must_show; Bo: must_show"),
    ("who is stopped shows nothing", "Anna 46, deal Bo, Anna pair", FAR, ""),
    (
        "the Chicago that winning takes is asked for as soon as the deal may lead to the target",
        "Anna 29, Bo 28",
        DECLARED,
        "Anna: bid_before_target",
    ),
    (
        "with two hands and the trick to come that is nearer",
        "nobody, Anna 35, Bo 34",
        DECLARED,
        "Anna: bid_before_target",
    ),
    (
        "at the play there are the trick and a hand",
        "no hands, Anna 41, Bo 40",
        DECLARED,
        "Anna: bid_before_target, may_bid; Bo: may_bid; Cilla: points_to_bid",
    ),
    (
        "after the trick a hand, and no bid",
        "no hands, Cilla trick, Anna 46, Bo 45",
        DECLARED,
        "Anna: zeroed_at_target",
    ),
    (
        "hands that win, raise or zero are not counted on",
        "Anna 31, Bo 32",
        SPECIAL,
        "",
    ),
    (
        "so with three of a kind as the best",
        "Anna 38, Bo 37",
        SPECIAL,
        "Anna: bid_before_target",
    ),
    (
        "where common hands do nothing but zero, the trick is left",
        "Anna 47, Bo 46",
        {**DECLARED, "zeroing": dict.fromkeys(COMMON_HANDS, "choice")},
        "Anna: bid_before_target",
    ),
    (
        "who has too few points for a bid may come to have them",
        "Anna 9",
        {**DECLARED, "target": 30},
        "Anna: bid_before_target",
    ),
    (
        "but not at the play any more",
        "no hands, Anna 14, Bo 15",
        {**DECLARED, "target": 25},
        (
            "Anna: zeroed_at_target, points_to_bid; Bo: bid_before_target, may_bid;"
            " Cilla: points_to_bid"
        ),
    ),
    (
        "at the target the zeroing is more urgent than the cards",
        "Anna 52, Anna pair",
        DECLARED,
        "Anna: bid_or_zeroed, must_show",
    ),
    (
        "who is to be zeroed after the deal is not stopped in the next one",
        "nobody, Anna 52",
        {"win_needs_chicago": "declared"},
        "Anna: bid_or_zeroed",
    ),
    (
        "nor is whom nothing helps",
        "no hands, Bo trick, Anna 52",
        {"win_needs_chicago": "declared"},
        "Anna: zeroed_after_deal",
    ),
    (
        "where nobody is zeroed the stop comes",
        "nobody, Anna 52",
        {**PLAYS_ON, "exchange_stop": 46},
        "Anna: chicago_needed, stopped_next_deal",
    ),
    (
        "where a Chicago has to be made, a bid does not help",
        "Anna 52, Bo 48",
        MADE,
        "Anna: make_or_zeroed; Bo: make_before_target",
    ),
    (
        "and who plays it has it to make",
        "Anna 67, Bo 15, no hands, Anna chicago",
        MADE,
        "Anna: declarer, make_or_zeroed",
    ),
    (
        "who has bid is told so instead",
        "Anna 36, Bo 15, no hands, Anna chicago, broken, Anna 20",
        DECLARED,
        "Anna: can_win_now, requirement_met",
    ),
    (
        "and who has made a Chicago",
        "Anna 30, Bo 15, no hands, Anna chicago, made, nobody",
        MADE,
        "Anna: can_win_now, requirement_made",
    ),
    (
        "further away nothing",
        "Anna 28, Bo 15, no hands, Anna chicago, made, nobody",
        {**MADE, "target": 68},
        "",
    ),
    (
        "where nobody is zeroed the Chicago is still needed",
        "Anna 52, Bo 29",
        PLAYS_ON,
        "Anna: chicago_needed; Bo: chicago_needed",
    ),
    (
        "who has the target and the lead wins if nothing more comes",
        "nobody, Anna 53, Bo 52",
        {},
        "Anna: wins_after_deal; Bo: can_win_now, stopped_next_deal",
    ),
    (
        "of two the trick goes to one or the other",
        "nobody, Anna 53, Bo 50",
        {"players": "Anna Bo", "exchange_stop": None},
        "Anna: can_win_now; Bo: can_win_now",
    ),
    (
        "who shares the lead shares the win",
        "nobody, Anna 53, Bo 53",
        {},
        "Anna: wins_after_deal; Bo: wins_after_deal",
    ),
    (
        "whose points a zeroing is to take does not win as it stands",
        "no hands, Anna 53, Bo zeroes",
        {**LAY_OPEN, "zeroing_and_chicago": "zeroing_last", "chicago_minimum": 100},
        "Anna: stopped_next_deal",
    ),
    (
        "who is ahead in a tie-break wins as it stands",
        "Anna 53, Bo 53, deal Bo, Anna pair",
        {"tied_winners": "tie_break", "players": "Anna Bo", "last_trick": 0},
        "Anna: wins_after_deal",
    ),
    ("the best that is common may be enough to win", "Anna 41, Bo 40", {}, "Anna: can_win_now"),
    (
        "somebody who plays a Chicago may win with it",
        "no hands, Anna 37, Bo 36, Anna chicago",
        {"chicago_hand": "never"},
        "Anna: declarer, can_win_now",
    ),
    (
        "but may not when it is not enough",
        "no hands, Anna 36, Bo 15, Anna chicago",
        {"chicago_hand": "never"},
        "Anna: declarer",
    ),
    (
        "breaking it may be enough to win",
        "no hands, Anna 15, Bo 44, Cilla 43, Anna chicago",
        BREAKER,
        "Anna: declarer; Bo: can_win_now",
    ),
    (
        "the hand after it, too",
        "no hands, Anna 15, Bo 46, Cilla 45, Anna chicago",
        {"chicago_hand": "if_won", "exchange_stop": None},
        "Anna: declarer; Bo: can_win_now",
    ),
    (
        "at the play: who may bid, and how far the others are from it",
        "Anna 15, no hands",
        {},
        "Anna: may_bid; Bo: points_to_bid; Cilla: points_to_bid",
    ),
    ("where nobody may bid, nobody is told how far it is", "no hands", {}, ""),
    (
        "without a minimum everybody may",
        "no hands",
        {"chicago_minimum": None},
        "Anna: may_bid; Bo: may_bid; Cilla: may_bid",
    ),
    (
        "from the maximum on nobody bids",
        "Anna 32, Bo 15, no hands",
        {"chicago_maximum": 32},
        "Anna: too_high_to_bid; Bo: may_bid; Cilla: points_to_bid",
    ),
    (
        "once and no more",
        "no hands, Anna chicago, broken, no hands",
        {"chicago_minimum": None, "chicago_once": True},
        "Anna: bid_already; Bo: may_bid; Cilla: may_bid",
    ),
    (
        "at the play the last exchange is still to come",
        "Anna 46, Bo 15, deal Bo, nobody, Bo pair",
        FAR,
        "Anna: may_bid; Bo: must_show, may_bid; Cilla: points_to_bid",
    ),
    (
        "unless something has been laid open",
        "no hands, Bo zeroes",
        {**LAY_OPEN, "chicago_minimum": 1},
        "",
    ),
    (
        "who is urged to bid is not told besides that it is allowed",
        "no hands, Anna 52",
        DECLARED,
        "Anna: bid_or_zeroed; Bo: points_to_bid; Cilla: points_to_bid",
    ),
    (
        "at the target and the play",
        "Anna 47, nobody, Anna flush",
        DECLARED,
        "Anna: bid_or_zeroed, must_show; Bo: points_to_bid; Cilla: points_to_bid",
    ),
    (
        "after the last exchange nobody needs to know of cards to be shown",
        "nobody, Bo pair, Cilla trick",
        {},
        "",
    ),
    (
        "a Chicago is somebody's, and for others it is too late",
        "Anna 15, Bo 52, Cilla 48, no hands, Anna chicago",
        DECLARED,
        "Anna: declarer; Bo: zeroed_after_deal; Cilla: zeroed_at_target",
    ),
    (
        "a Chicago bid early is played beside the hands",
        "Anna chicago, Anna pair",
        EARLY,
        "Anna: declarer, must_show",
    ),
    (
        "a blind one too",
        "Anna blind",
        BLIND,
        "Anna: declarer",
    ),
    (
        "and it may win the game",
        "Anna 22, Bo 21, Anna blind",
        BLIND,
        "Anna: declarer, can_win_now",
    ),
    ("at the target the trick is lacking", "Anna 52", TRICK, "Anna: wins_with_trick"),
    (
        "once it is taken, by whomever, it is lacking no more",
        "Anna 52, no hands, Bo trick",
        TRICK,
        "",
    ),
    (
        "who is out, and who waits for the end of a tie-break",
        "Cilla leaves, Anna 53, Bo 48, deal Bo",
        FOUR,
        "Cilla: out; Dan: sits_out",
    ),
    ("after the game nothing is to be done", "Anna 52, settled", DECLARED, ""),
]

ALL = "Anna: exchanges; Bo: exchanges; Cilla: exchanges"
# The reason, the events, the house rules, and the exchange notices.
EXCHANGE: list[tuple[str, str, Rules, str]] = [
    ("all exchange", "", {}, ALL),
    (
        "but who is stopped",
        "Anna 46, deal Bo",
        FAR,
        "Anna: stopped; Bo: exchanges; Cilla: exchanges",
    ),
    ("whoever reaches the limit in a deal still does", "nobody, Anna 46", FAR, ALL),
    (
        "unless the stop bites at once",
        "nobody, Anna 46",
        {**FAR, "exchange_stop_when": "at_once"},
        "Anna: stopped; Bo: exchanges; Cilla: exchanges",
    ),
    (
        "where six cards are dealt instead, that is said",
        "Anna 46, deal Bo",
        {**FAR, "exchange_stop_style": "six_cards"},
        "Anna: six_cards; Bo: exchanges; Cilla: exchanges",
    ),
    ("the last exchange comes before the play", "no hands", {}, ALL),
    (
        "unless a hand has scored after it",
        "no hands",
        {"exchanges": 2, "scored_exchanges": [1, 2]},
        "",
    ),
    ("or something has been laid open", "no hands, Bo zeroes", LAY_OPEN, ""),
    ("a Chicago bid early leaves it to come", "Anna chicago, no hands", EARLY, ALL),
    ("one bid at the play does not", "no hands, Anna chicago", EARLY, ""),
    (
        "nor does it when an early bid has gone with its player",
        "Cilla chicago, Cilla leaves, no hands, Anna chicago",
        EARLY,
        "",
    ),
    ("nobody exchanges in the play", "no hands, Bo trick", {}, ""),
    (
        "nor is who does not play told of it",
        "Cilla leaves, Anna 53, Bo 48, deal Bo",
        FOUR,
        "Anna: exchanges; Bo: exchanges",
    ),
    ("nor is anybody after the game", "void", {}, ""),
]


@cases(("text", "rules", "shown"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_what_stands_beside_whom(text: str, rules: Rules, shown: str) -> None:
    """A player's notices matter now, the most urgent first; ordinary rights are not among them."""
    state = play(text, **rules).state
    beside = {name: ", ".join(n.code for n in notices(state, name)) for name in state.players}
    assert "; ".join(f"{name}: {codes}" for name, codes in beside.items() if codes) == shown


@cases(("text", "rules", "told"), [row[1:] for row in EXCHANGE], ids=[row[0] for row in EXCHANGE])
def test_what_is_told_of_the_exchange(text: str, rules: Rules, told: str) -> None:
    """One slot is for the exchange alone: exchanges, is stopped, or gets six cards."""
    state = play(text, **rules).state
    beside = {name: exchange_notice(state, name) for name in state.players}
    assert "; ".join(f"{name}: {n.code}" for name, n in beside.items() if n) == told


def test_every_notice_is_given() -> None:
    """The tables above show every notice."""
    shown = " ".join(row[3] for row in (*TABLE, *EXCHANGE)).replace(",", " ").replace(";", " ")
    assert {word for word in shown.split() if ":" not in word} == set(get_args(NoticeCode))


def test_the_order_is_what_zeroes_what_wins_the_cards_and_the_bid() -> None:
    """A coming stop and missing points are the least urgent."""
    urgent = ["declarer", "bid_or_zeroed", "zeroed_at_target", "bid_before_target"]
    urgent += ["wins_after_deal", "can_win_now", "must_show", "may_bid", "stopped_next_deal"]
    assert [code for code in URGENCY if code in urgent] == urgent


def test_notices_tell_numbers_and_hands() -> None:
    """They have the missing points, the target, and the hands to show."""
    state = play("Anna 47, Bo 15, Cilla pair, nobody", **DECLARED).state
    told = [notice.values for name in ("Anna", "Cilla") for notice in notices(state, name)]
    assert told[0] == {"target": 52}
    assert told[-2:] == [{"hands": ("pair",)}, {"missing": 14}]
