"""Contradictions between house rules: each is found in its case, and in no other."""

import pytest

from app.rules.contradictions import contradictions
from app.rules.hands import Hand
from app.rules.presets import PRESETS, SCALES, read_rules

FOUR = {"zeroing": {"four_of_a_kind": "choice"}}
BLIND = {"points": 30, "penalty": 20}

CASES: dict[str, dict[str, object]] = {
    "scored_beyond": {"exchanges": 2, "scored_exchanges": [1, 3]},
    "no_hand_scores": {"scored_exchanges": [], "hand_after_play": False},
    "no_stop": {"exchange_stop": None, "illegal_exchange": "zeroed"},
    "stop_above_target": {"exchange_stop": 52},
    "points_fall": {"hand_points": {"full_house": 4}},
    "winning_hand_falls_short": {"winning_hands": ["straight_flush"]},
    "same_type_before_suits": {"ties": "same_type", "flush_suits": True},
    "nobody_zeroes": {"zeroing_victims": "one"},
    "deal_ends_first": {**FOUR, "zeroing_and_chicago": "zeroing_last"},
    "no_zeroing_waits": {
        "zeroing": {"royal_flush": "always"},
        "after_zeroing": "deal_goes_on",
        "zeroing_and_chicago": "zeroing_last",
    },
    "four_has_no_choice": {
        "zeroing": {"royal_flush": "always"},
        "zeroing_after_scoring": False,
    },
    "four_ends_deal_first": {
        **FOUR,
        "four_of_a_kind_ends_deal": True,
        "zeroing_after_scoring": False,
    },
    "chicagos_only_counted": {**FOUR, "zeroing_takes_chicagos": True},
    "two_worth_less": {"last_trick_with_two": 4},
    "minimum_above_target": {"chicago_minimum": 52},
    "nobody_may_bid": {"chicago_maximum": 15},
    "penalty_cut_short": {"chicago_minimum": 14},
    "made_only_counted": {"lost_chicago_takes_won": True},
    "once_and_won": {"chicago_once": True, "win_needs_chicago": "won"},
    "no_requirement": {"win_needs_chicago_unmet": "plays_on"},
    "requirement_of_nobody": {"win_needs_chicago": "won", "win_needs_chicago_players": []},
    "at_once_and_trick": {"win_when": "at_once", "finish": "trick_same_deal"},
    "nothing_before_play": {"win_when": "at_once", "exchanges": 1},
    "nobody_below_zero": {"negative_pays_double": True},
}


@pytest.mark.parametrize("preset", PRESETS)
def test_no_published_set_contradicts_itself(preset: str) -> None:
    """A table with a published set gets no warning."""
    assert contradictions(PRESETS[preset]) == []


@pytest.mark.parametrize("scale", SCALES)
def test_no_scale_contradicts_the_main_rules(scale: int) -> None:
    """A named scale sets all the rules that it needs."""
    chosen = SCALES[scale]
    raw: dict[str, object] = {
        "hand_points": dict(chosen.hand_points),
        "winning_hands": list(chosen.winning_hands),
        "zeroing": {Hand.ROYAL_FLUSH: None, **chosen.zeroing},
    }
    assert contradictions(read_rules(raw)[1]) == []


@pytest.mark.parametrize("code", CASES)
def test_each_is_found_by_itself(code: str) -> None:
    """Every contradiction has a case that shows it and no other."""
    found = contradictions(read_rules({"preset": "pagat", **CASES[code]})[1])
    assert [each.code for each in found] == [code]
    changed = set(CASES[code]) - {"winning_hands"}
    assert changed <= {*found[0].fields, "after_zeroing", "zeroing"}


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"blind_chicago": BLIND}, ["penalty_cut_short"]),
        ({"blind_chicago": {**BLIND, "minimum": 20}}, []),
        ({"blind_chicago": {**BLIND, "minimum": 60}}, ["minimum_above_target"]),
        ({"blind_chicago": {**BLIND, "minimum": 20, "with_two": 29}}, ["two_worth_less"]),
        ({"blind_chicago": BLIND, "negative_scores": True}, []),
        ({"chicago_minimum": None, "negative_scores": True}, []),
        ({"chicago_with_two": 14}, ["two_worth_less"]),
        ({"winning_hands": ["straight_flush"], "raising_hands": ["straight_flush"]}, []),
        ({"hand_points": {"four_of_a_kind": 5}, **FOUR}, []),
        ({"zeroing_takes_chicagos": True}, ["nobody_zeroes"]),
        ({**FOUR, "zeroing_takes_chicagos": True, "win_needs_chicago": "declared"}, []),
        ({**FOUR, "zeroing_takes_chicagos": True, "chicago_once": True}, []),
        ({"lost_chicago_takes_won": True, "win_needs_chicago": "won"}, []),
        (
            {"lost_chicago_takes_won": True, "win_needs_chicago": "declared"},
            ["made_only_counted"],
        ),
    ],
)
def test_the_bounds_of_what_contradicts(changes: dict[str, object], codes: list[str]) -> None:
    """A contradiction that another rule resolves is none."""
    found = contradictions(read_rules({"preset": "pagat", **changes})[1])
    assert [each.code for each in found] == codes
