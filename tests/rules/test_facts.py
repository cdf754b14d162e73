"""Facts beside each player: whatever matters now, most urgent first."""

from __future__ import annotations

from typing import get_args

from app.rules.facts import URGENCY, FactCode, facts
from app.rules.hands import COMMON_HANDS
from tests.rules.table import Rules, cases, play

FAR: Rules = {"target": 100}
AT_ONCE: Rules = {**FAR, "exchange_stop_when": "at_once"}
FREE: Rules = {"exchange_stop": None}
DECLARED: Rules = {**FREE, "win_needs_chicago": "declared"}
MADE: Rules = {**FREE, "win_needs_chicago": "won"}
PLAYS_ON: Rules = {**DECLARED, "win_needs_chicago_unmet": "plays_on"}
LAY_OPEN: Rules = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}
WAITS: Rules = {**LAY_OPEN, "zeroing_and_chicago": "zeroing_last", "chicago_minimum": 40}
SPECIAL: Rules = {
    **DECLARED,
    "winning_hands": ["full_house"],
    "raising_hands": ["flush"],
    "zeroing": {"straight": "choice"},
}
ONLY_ZERO: Rules = {**DECLARED, "zeroing": dict.fromkeys(COMMON_HANDS, "choice")}
BREAKER: Rules = {**FREE, "chicago_breaker_bonus": 8, "chicago_hand": "never"}
TRICK: Rules = {**FREE, "finish": "trick_same_deal"}
EARLY: Rules = {"chicago_when": "any_time", "chicago_minimum": None}
BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20}}
TIE: Rules = {**FREE, "tied_winners": "tie_break", "players": "Anna Bo Cilla Dan"}
TIE_OF_TWO: Rules = {"tied_winners": "tie_break", "players": "Anna Bo", "last_trick": 0}

# The reason, the events, the house rules, and all facts of the players that it is about.
TABLE: list[tuple[str, str, Rules, str]] = [
    (
        "who deals and who begins, and all exchange",
        "",
        {},
        "Anna: exchanges, begins; Bo: exchanges; Cilla: exchanges, deals",
    ),
    ("once the deal has begun its dealer is no news", "nobody", {}, "Cilla: exchanges"),
    (
        "nobody begins once the trick is taken",
        "no hands, Bo trick",
        {},
        "Anna: nothing; Bo: nothing; Cilla: nothing",
    ),
    (
        "who plays a Chicago begins, and the others know who has bid",
        "Bo 15, no hands, Bo chicago",
        {},
        "Anna: begins, bid_by; Bo: declarer",
    ),
    (
        "where eldest hand leads to it, that is who begins",
        "Bo 15, no hands, Bo chicago",
        {"chicago_lead": "eldest"},
        "Anna: begins, bid_by; Bo: declarer",
    ),
    (
        "a Chicago bid early is played beside the hands",
        "Anna chicago, Anna pair",
        EARLY,
        "Anna: declarer, exchanges, begins, must_show; Bo: exchanges, bid_by",
    ),
    (
        "one that is bid at the first exchange only is nobody's right after it",
        "nobody",
        {"chicago_when": "first_exchange", "chicago_minimum": None},
        "Anna: exchanges, begins; Bo: exchanges; Cilla: exchanges",
    ),
    (
        "a blind one is played at once, without an exchange",
        "Anna blind",
        BLIND,
        "Anna: declarer, begins; Bo: bid_by",
    ),
    (
        "who is out, and who waits for the end of a tie-break",
        "Cilla leaves, Anna 53, Bo 48, deal Bo",
        TIE,
        "Anna: can_win_now, exchanges, deals, may_bid; Cilla: out; Dan: sits_out",
    ),
    (
        "after the game nothing is to be done",
        "Anna 52, settled",
        {},
        "Anna: nothing; Bo: nothing; Cilla: nothing",
    ),
    (
        "who is stopped neither exchanges nor shows",
        "Anna 46, deal Bo, Anna pair",
        FAR,
        "Anna: stopped, may_bid; Bo: exchanges, begins",
    ),
    (
        "where six cards are dealt instead, that is said",
        "Anna 46, deal Bo",
        {**FAR, "exchange_stop_style": "six_cards"},
        "Anna: six_cards, deals, may_bid",
    ),
    (
        "whoever reaches the limit in a deal is stopped from the next",
        "nobody, Anna 46",
        FAR,
        "Anna: exchanges_last, begins, may_bid, stopped_next_deal; Bo: exchanges",
    ),
    (
        "and knows it when the exchanges are over",
        "no hands, Bo trick, Anna 46",
        FAR,
        "Anna: stopped_next_deal",
    ),
    (
        "a stop that bites at once has nothing ahead",
        "nobody, Anna 46",
        AT_ONCE,
        "Anna: stopped, begins, may_bid",
    ),
    (
        "without a stop nobody is stopped",
        "nobody, Anna 46",
        {**FAR, "exchange_stop": None},
        "Anna: exchanges, begins, may_bid",
    ),
    (
        "who is to be zeroed is not stopped",
        "nobody, Anna 52",
        {"win_needs_chicago": "declared"},
        "Anna: bid_or_zeroed, exchanges, begins",
    ),
    (
        "where nobody is zeroed the stop comes",
        "nobody, Anna 52",
        {**PLAYS_ON, "exchange_stop": 45},
        "Anna: exchanges_last, begins, may_bid, chicago_needed, stopped_next_deal",
    ),
    (
        "nor does it where somebody wins before",
        "nobody, Anna 53, Bo 52",
        {},
        "Anna: wins_after_deal, exchanges, begins, may_bid; Bo: can_win_now, exchanges, may_bid",
    ),
    ("the last exchange comes before the play", "no hands", {}, "Bo: exchanges"),
    (
        "unless a hand has scored after it",
        "no hands",
        {"exchanges": 2, "scored_exchanges": [1, 2]},
        "Bo: nothing",
    ),
    ("or something has been laid open", "no hands, Bo zeroes", LAY_OPEN, "Bo: nothing"),
    (
        "a Chicago bid early leaves it to come",
        "Anna chicago, no hands",
        EARLY,
        "Bo: exchanges, bid_by",
    ),
    ("one bid at the play does not", "no hands, Anna chicago", EARLY, "Bo: bid_by"),
    (
        "nor does it when an early bid has gone with its player",
        "Cilla chicago, Cilla leaves, no hands, Anna chicago",
        EARLY,
        "Bo: bid_by",
    ),
    (
        "what scored is shown before it is broken up, each hand for itself",
        "Bo pair, Bo flush",
        {},
        "Bo: exchanges, must_show, must_show",
    ),
    (
        "what tied too",
        "tie flush Anna Bo",
        {},
        "Anna: exchanges, begins, must_show; Bo: exchanges, must_show",
    ),
    (
        "after the last exchange nothing is to be shown",
        "nobody, Bo pair, Cilla trick",
        {},
        "Bo: nothing",
    ),
    (
        "who may bid is told so from the first exchange on, who is halfway there how far it is",
        "Anna 15, Bo 8, Cilla 7",
        {},
        "Anna: exchanges, begins, may_bid; Bo: exchanges, points_to_bid; Cilla: exchanges, deals",
    ),
    (
        "at the play too",
        "Anna 15, Bo 8, Cilla 7, no hands",
        {},
        "Anna: exchanges, begins, may_bid; Bo: exchanges, points_to_bid; Cilla: exchanges",
    ),
    (
        "not after it",
        "Anna 15, Bo 8, Cilla 7, no hands, Cilla trick",
        {},
        "Anna: nothing; Bo: nothing; Cilla: nothing",
    ),
    (
        "without a minimum everybody may",
        "no hands",
        {"chicago_minimum": None},
        "Cilla: exchanges, may_bid",
    ),
    (
        "from the maximum on nobody bids",
        "Anna 32, no hands",
        {"chicago_maximum": 32},
        "Anna: exchanges, begins, too_high_to_bid",
    ),
    (
        "once and no more",
        "no hands, Anna chicago, broken, no hands",
        {"chicago_minimum": None, "chicago_once": True},
        "Anna: exchanges, bid_already; Bo: exchanges, begins, may_bid",
    ),
    (
        "the Chicago that winning takes is asked for when one hand reaches the target",
        "Anna 46, Bo 45",
        DECLARED,
        "Anna: bid_before_target, exchanges, begins, may_bid; Bo: exchanges, may_bid",
    ),
    (
        "at the play when the trick does",
        "no hands, Anna 47, Bo 46",
        DECLARED,
        "Anna: bid_before_target, exchanges, begins, may_bid; Bo: exchanges, may_bid",
    ),
    (
        "after the trick a hand, and it is too late for a bid",
        "no hands, Cilla trick, Anna 46, Bo 45",
        DECLARED,
        "Anna: zeroed_at_target; Bo: nothing",
    ),
    (
        "hands that win, raise or zero are not counted on",
        "Anna 49, Bo 48",
        SPECIAL,
        "Anna: bid_before_target, exchanges, begins, may_bid; Bo: exchanges, may_bid",
    ),
    (
        "where common hands do nothing but zero, the trick alone tells",
        "Anna 51",
        ONLY_ZERO,
        "Anna: exchanges, begins, may_bid",
    ),
    (
        "who has too few points for a bid may come to have them",
        "Anna 14",
        {**DECLARED, "target": 20},
        "Anna: bid_before_target, exchanges, begins, points_to_bid",
    ),
    (
        "but not at the play any more",
        "no hands, Anna 14, Bo 15",
        {**DECLARED, "target": 19},
        (
            "Anna: zeroed_at_target, exchanges, begins, points_to_bid;"
            " Bo: bid_before_target, exchanges, may_bid"
        ),
    ),
    (
        "at the target it is asked for before all else, and includes that it is allowed",
        "Anna 52, Anna pair",
        DECLARED,
        "Anna: bid_or_zeroed, exchanges, begins, must_show",
    ),
    ("when nothing helps", "no hands, Bo trick, Anna 52", DECLARED, "Anna: zeroed_after_deal"),
    (
        "another's Chicago leaves no time for it",
        "Anna 15, Bo 52, Cilla 46, no hands, Anna chicago",
        {**DECLARED, "chicago_breaker_bonus": 8},
        "Anna: declarer, begins; Bo: zeroed_after_deal, bid_by; Cilla: zeroed_at_target, bid_by",
    ),
    (
        "where it has to be made, a bid does not help",
        "Anna 52, Bo 46",
        MADE,
        "Anna: make_or_zeroed, exchanges, begins; Bo: make_before_target, exchanges, may_bid",
    ),
    (
        "who plays it has it to make",
        "Anna 67, Bo 15, no hands, Anna chicago",
        MADE,
        "Anna: declarer, make_or_zeroed, begins",
    ),
    (
        "where nobody is zeroed it is needed to win",
        "Anna 52, Bo 46",
        PLAYS_ON,
        "Anna: exchanges, begins, may_bid, chicago_needed; Bo: exchanges, may_bid, chicago_needed",
    ),
    (
        "who has bid is told so once it matters",
        "Anna 36, no hands, Anna chicago, broken, Anna 25",
        DECLARED,
        "Anna: can_win_now, exchanges, deals, may_bid, requirement_met",
    ),
    (
        "and who has made one",
        "Anna 31, no hands, Anna chicago, made, nobody",
        MADE,
        "Anna: can_win_now, exchanges, deals, may_bid, requirement_made",
    ),
    (
        "further away nothing",
        "Anna 28, no hands, Anna chicago, made, nobody",
        MADE,
        "Anna: exchanges, deals, may_bid",
    ),
    (
        "who has the target and the lead wins if nothing more comes",
        "nobody, Anna 53, Bo 52",
        FREE,
        "Anna: wins_after_deal, exchanges, begins, may_bid; Bo: can_win_now, exchanges, may_bid",
    ),
    (
        "who shares the lead shares the win",
        "nobody, Anna 53, Bo 53",
        FREE,
        (
            "Anna: wins_after_deal, exchanges, begins, may_bid;"
            " Bo: wins_after_deal, exchanges, may_bid"
        ),
    ),
    (
        "of two the trick goes to the other, who wins by it",
        "nobody, Anna 53, Bo 50",
        {"players": "Anna Bo", "exchange_stop": None},
        "Anna: can_win_now, exchanges, begins, may_bid; Bo: exchanges, may_bid",
    ),
    (
        "who is ahead in a tie-break wins as it stands",
        "Anna 53, Bo 53, deal Bo, Anna pair",
        TIE_OF_TWO,
        "Anna: wins_after_deal, stopped, may_bid; Bo: can_win_now, stopped, begins, may_bid",
    ),
    (
        "the best common hand may win",
        "Anna 46, Bo 45",
        FREE,
        "Anna: can_win_now, exchanges, begins, may_bid; Bo: exchanges, may_bid",
    ),
    (
        "the last trick may",
        "no hands, Anna 47, Bo 46",
        FREE,
        "Anna: can_win_now, exchanges, begins, may_bid; Bo: exchanges, may_bid",
    ),
    (
        "the Chicago that is played may",
        "no hands, Anna 37, Bo 36, Anna chicago",
        {"chicago_hand": "never", "exchange_stop": None},
        "Anna: declarer, can_win_now, begins; Bo: bid_by",
    ),
    (
        "not when it is not enough",
        "no hands, Anna 36, Anna chicago",
        {"chicago_hand": "never"},
        "Anna: declarer, begins",
    ),
    (
        "to break it may",
        "no hands, Anna 15, Bo 44, Cilla 43, Anna chicago",
        BREAKER,
        "Bo: can_win_now, bid_by; Cilla: bid_by",
    ),
    ("a blind one may", "Anna 22, Anna blind", BLIND, "Anna: declarer, can_win_now, begins"),
    (
        "where the trick wins, it is lacking at the target",
        "Anna 52",
        TRICK,
        "Anna: wins_with_trick, exchanges, begins, may_bid",
    ),
    (
        "once it is taken it is lacking no more",
        "Anna 52, no hands, Bo trick",
        TRICK,
        "Anna: nothing",
    ),
    ("and who has taken it wins", "Anna 52, no hands, Anna trick", TRICK, "Anna: wins_after_deal"),
    (
        "whose points a waiting zeroing is to take neither wins nor is stopped",
        "no hands, Anna 53, Bo zeroes",
        WAITS,
        "Anna: zeroing_waits, begins, may_bid; Bo: nothing; Cilla: nothing",
    ),
]
# The events, the house rules, whose fact, its code, and the values that its words need.
VALUES: list[tuple[str, Rules, str, FactCode, Rules]] = [
    ("Anna 46, deal Bo", FAR, "Anna", "stopped", {"score": 46, "limit": 46, "deal": 3}),
    ("nobody, Anna 46", FAR, "Anna", "stopped_next_deal", {"score": 46, "limit": 46, "deal": 2}),
    ("Bo pair", {}, "Bo", "must_show", {"hand": "pair"}),
    ("Bo 8", {}, "Bo", "points_to_bid", {"missing": 7}),
    ("Bo 15, no hands, Bo chicago", {}, "Anna", "bid_by", {"player": "Anna", "by": "Bo"}),
    ("Anna 46", DECLARED, "Anna", "bid_before_target", {"target": 52, "missing": 6}),
]


@cases(("text", "rules", "shown"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_what_is_told_of_whom(text: str, rules: Rules, shown: str) -> None:
    """All facts of a player matter now, and come by their urgency."""
    state = play(text, **rules).state
    names = [each.split(":")[0] for each in shown.split("; ")]
    told = {name: ", ".join(fact.code for fact in facts(state, name)) for name in names}
    assert "; ".join(f"{name}: {codes or 'nothing'}" for name, codes in told.items()) == shown


def test_every_fact_is_given() -> None:
    """The table shows every fact."""
    told = " ".join(row[3] for row in TABLE).replace(",", "").replace(";", "").split()
    assert {word for word in told if ":" not in word} - {"nothing"} == set(get_args(FactCode))


def test_danger_comes_before_chances_cards_and_bids() -> None:
    """Whoever has room for one fact only tells what costs most."""
    urgent = ["declarer", "bid_or_zeroed", "zeroed_at_target", "bid_before_target"]
    urgent += ["wins_after_deal", "can_win_now", "exchanges", "must_show", "may_bid"]
    urgent += ["stopped_next_deal", "points_to_bid"]
    assert [code for code in URGENCY if code in urgent] == urgent


@cases(("text", "rules", "name", "code", "values"), VALUES)
def test_facts_have_the_values_of_their_words(
    text: str, rules: Rules, name: str, code: FactCode, values: Rules
) -> None:
    """They tell scores, limits, hands, and how many points are missing."""
    told = {fact.code: fact.values for fact in facts(play(text, **rules).state, name)}
    assert told[code] == values
