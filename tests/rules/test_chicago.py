"""Chicago: the right to bid it, its points and its penalty, and the steps after it."""

from app.rules.events import EVENTS
from tests.rules.table import Rules, cases, play, reading, rule

ANY_TIME: Rules = {"chicago_when": "any_time"}
BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}
BREAKER: Rules = {"chicago_breaker_bonus": 8}
BID_BEFORE = "Anna 40, Bo 40, no hands, Bo chicago, broken, no hands"


@rule("chicago_minimum")
@rule("chicago_maximum", None)
@rule("chicago_when", "before_play", "any_time")
@rule("chicago_once", True, False)
@rule("blind_chicago", None)
@rule("chicago_breaker_bonus")
@rule("chicago_priority", "overbid")
@reading(14, 18)
@cases(
    ("before", "rules", "fact", "refusal"),
    [
        ("Bo 14, no hands", {}, "Bo chicago", "chicago_minimum"),
        ("Bo 15, no hands", {}, "Bo chicago", None),
        ("Bo 32, no hands", {"chicago_maximum": 32}, "Bo chicago", "chicago_maximum"),
        ("Bo 31, no hands", {"chicago_maximum": 32}, "Bo chicago", None),
        ("Bo 51, no hands", {"chicago_maximum": None}, "Bo chicago", None),
        ("Bo 40", {**BLIND, "chicago_maximum": 32}, "Bo blind", None),
        ("Bo 20, nobody", {"chicago_when": "before_play"}, "Bo chicago", "chicago_before_play"),
        ("Bo 20", ANY_TIME, "Bo chicago", None),
        ("Bo 20, nobody", ANY_TIME, "Bo chicago", None),
        ("Bo 20, no hands", ANY_TIME, "Bo chicago", None),
        ("Bo 20, no hands, Anna trick", ANY_TIME, "Bo chicago", "chicago_too_late"),
        ("Bo 20, Anna 20, Bo chicago", ANY_TIME, "Anna chicago", "chicago_already_bid"),
        ("Bo 20, Bo chicago", ANY_TIME, "Bo chicago", "chicago_already_bid"),
        (
            "Bo 20, Anna 20, no hands, Bo chicago",
            {"chicago_priority": "overbid"},
            "Anna chicago",
            "chicago_already_bid",
        ),
        (BID_BEFORE, {"chicago_once": True}, "Bo chicago", "chicago_once"),
        (BID_BEFORE, {"chicago_once": False}, "Bo chicago", None),
        (BID_BEFORE, {"chicago_once": True}, "Anna chicago", None),
        ("", {"blind_chicago": None}, "Bo blind", "no_blind_chicago"),
        ("Anna 20", BLIND, "Bo blind", None),
        ("nobody", BLIND, "Bo blind", "blind_too_late"),
        ("Anna 20, Anna chicago", {**BLIND, **ANY_TIME}, "Bo blind", "blind_too_late"),
        ("Anna trick", {**BLIND, "exchanges": 1}, "Bo blind", "blind_too_late"),
        ("Anna 20, Anna chicago, Anna leaves", {**BLIND, **ANY_TIME}, "Bo blind", "blind_too_late"),
        ("Anna 20, Bo blind", {**BLIND, **ANY_TIME}, "Anna chicago", "chicago_already_bid"),
        ("Bo 20, no hands, Bo chicago", BREAKER, "broken", "breaker_needed"),
        ("Bo 20, no hands, Bo chicago", BREAKER, "broken Bo", "breaker_is_declarer"),
        ("no hands", {}, "made", "no_chicago_played"),
        ("Bo 20, no hands, Bo chicago", {}, "Anna trick", "no_trick_due"),
    ],
)
def test_what_may_be_recorded_of_a_chicago(
    before: str, rules: Rules, fact: str, refusal: str | None
) -> None:
    """One Chicago is bid in a deal, by a player with enough points, and a blind one first of all.

    Objections and overbids are settled aloud; only their outcome is recorded (reading 18).
    """
    assert play(before, **rules).refusal(fact) == refusal


@reading(14)
def test_nobody_may_bid_after_the_chicago_in_the_same_deal() -> None:
    """No bid is allowed at the final hand, even after the declarer has left."""
    table = play("Anna 20, Bo 20, no hands, Bo chicago, made")
    for after in (table, table.then("Bo leaves")):
        assert after.refusal("Anna chicago") == "chicago_already_bid"


@rule("chicago_points")
@rule("chicago_penalty")
@rule("chicago_with_two", None)
@rule("chicago_hand", "if_won", "never", "always")
@rule("scored_hands", "best")
@rule("chicago_last_trick", "never", "if_lost", "if_won", "always")
@rule("blind_chicago")
@cases(
    ("rules", "made", "with_two", "broken"),
    [
        ({}, "1 final_hand: 35", "1 final_hand: 35", "2 hand_1: 5"),
        ({"chicago_points": 13}, "1 final_hand: 33", "1 final_hand: 33", "2 hand_1: 5"),
        ({"chicago_penalty": 13}, "1 final_hand: 35", "1 final_hand: 35", "2 hand_1: 7"),
        ({"chicago_with_two": None}, "1 final_hand: 35", "1 final_hand: 35", "2 hand_1: 5"),
        ({"chicago_with_two": 30}, "1 final_hand: 35", "1 final_hand: 50", "2 hand_1: 5"),
        ({"chicago_hand": "if_won"}, "1 final_hand: 35", "1 final_hand: 35", "2 hand_1: 5"),
        ({"chicago_hand": "never"}, "2 hand_1: 35", "2 hand_1: 35", "2 hand_1: 5"),
        ({"chicago_hand": "always"}, "1 final_hand: 35", "1 final_hand: 35", "1 final_hand: 5"),
        (
            {"scored_hands": {"1": "best", "2": "best"}},
            "2 hand_1: 35",
            "2 hand_1: 35",
            "2 hand_1: 5",
        ),
        ({"chicago_last_trick": "never"}, "1 final_hand: 35", "1 final_hand: 35", "2 hand_1: 5"),
        (
            {"chicago_last_trick": "if_lost"},
            "1 final_hand: 35",
            "1 final_hand: 35",
            "1 last_trick: 5",
        ),
        ({"chicago_last_trick": "if_won"}, "1 final_hand: 40", "1 final_hand: 40", "2 hand_1: 5"),
        (
            {"chicago_last_trick": "always"},
            "1 final_hand: 40",
            "1 final_hand: 40",
            "1 last_trick: 5",
        ),
        # An ordinary Chicago keeps its own points at a table with blind ones.
        (BLIND, "1 final_hand: 35", "1 final_hand: 35", "2 hand_1: 5"),
    ],
)
def test_what_a_chicago_gives_and_costs(
    rules: Rules, made: str, with_two: str, broken: str
) -> None:
    """The declarer gets the points, and a final hand or a last trick may still be due."""
    table = play("Bo 20, no hands, Bo chicago", players="Bo Anna Cilla", **rules)
    results = [table.then(how).stands for how in ("made", "made with_two", "broken")]
    assert results == [f"{each} 0 0" for each in (made, with_two, broken)]


@reading(18)
def test_only_outcomes_can_be_recorded() -> None:
    """No event stands for an objection or an overbid Chicago."""
    assert " ".join(sorted(EVENTS)) == (
        "best_hand break_off chicago chicago_result correction false_claim illegal_exchange"
        " joins last_trick leaves no_best_hand rules"
    )
