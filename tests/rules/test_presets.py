"""The published rule sets, held against what their texts say."""

import pytest

from app.rules.errors import BadFile
from app.rules.hands import Hand
from app.rules.house import BlindChicago, HouseRules
from app.rules.presets import DEFAULT_PRESET, PRESETS, SCALES, read_rules, write_rules, write_value

PAGAT: dict[str, object] = {
    "exchanges": 3,
    "scored_exchanges": None,
    "hand_after_play": True,
    "hand_points": {
        "pair": 1,
        "two_pairs": 2,
        "three_of_a_kind": 3,
        "straight": 4,
        "flush": 5,
        "full_house": 6,
        "four_of_a_kind": 7,
        "straight_flush": 8,
        "royal_flush": 52,
    },
    "winning_hands": [],
    "raising_hands": [],
    "ties": "kickers",
    "suit_order": "hdsc",
    "flush_suits": False,
    "zeroing": {},
    "zeroing_victims": "others",
    "after_zeroing": "deal_ends",
    "four_of_a_kind_ends_deal": False,
    "zeroing_after_scoring": True,
    "zeroing_and_chicago": "zeroing_first",
    "zeroing_takes_chicagos": False,
    "last_trick": 5,
    "last_trick_with_two": None,
    "chicago_points": 15,
    "chicago_penalty": 15,
    "chicago_minimum": 15,
    "chicago_with_two": None,
    "chicago_breaker_bonus": 0,
    "chicago_hand": "if_won",
    "chicago_last_trick": "never",
    "chicago_when": "before_play",
    "chicago_once": False,
    "lost_chicago_takes_won": False,
    "blind_chicago": None,
    "negative_scores": False,
    "exchange_stop": 46,
    "exchange_stop_when": "deal_end",
    "illegal_exchange": "refused",
    "target": 52,
    "win_needs_chicago": "no",
    "win_needs_chicago_players": None,
    "win_needs_chicago_unmet": "zeroed",
    "finish": "at_target",
    "win_when": "deal_end",
    "tied_winners": "share",
    "negative_pays_double": False,
    "false_claim_loses": True,
    "exchange_stop_style": "no_exchange",
    "max_exchange": 5,
    "chicago_lead": "eldest",
    "chicago_priority": "eldest_first",
    "chicago_breaker": "taker",
    "open_card": False,
    "redeal_low_hand": None,
    "lay_aside": False,
    "first_dealer_by": "random",
}

DIFFERENCES: dict[str, dict[str, object]] = {
    "pagat": {},
    "gamerules": {
        "exchange_stop": None,
        "chicago_hand": "always",
        "tied_winners": "tie_break",
        "first_dealer_by": "lowest_card",
        "false_claim_loses": False,
    },
    "wikipedia": {
        "exchanges": 2,
        "hand_points": {"royal_flush": 20},
        "exchange_stop": 42,
        "exchange_stop_style": "six_cards",
        "chicago_minimum": None,
        "chicago_when": "any_time",
        "chicago_hand": "always",
        "blind_chicago": {"points": 30, "penalty": 20, "with_two": 60, "minimum": None},
        "negative_scores": True,
        "open_card": True,
        "false_claim_loses": False,
    },
    "kortspelsregler": {"winning_hands": ["royal_flush"], "false_claim_loses": False},
    "huvudregler": {
        "hand_points": {"four_of_a_kind": 8, "straight_flush": 52},
        "winning_hands": ["straight_flush", "royal_flush"],
        "zeroing": {"four_of_a_kind": "choice", "royal_flush": "always"},
        "suit_order": "hsdc",
        "flush_suits": True,
        "chicago_hand": "never",
        "chicago_lead": "declarer",
        "chicago_breaker": "first_over",
        "exchange_stop": 45,
        "win_needs_chicago": "declared",
        "false_claim_loses": False,
    },
    "vanlig": {
        "winning_hands": ["royal_flush"],
        "zeroing": {"four_of_a_kind": "choice"},
        "chicago_lead": "declarer",
        "open_card": True,
        "false_claim_loses": False,
    },
}


def as_written(rules: HouseRules) -> dict[str, object]:
    """Return all fields as a game file would write their values."""
    return {field: write_value(getattr(rules, field)) for field in rules.__struct_fields__}


def test_the_first_text_is_the_base() -> None:
    """The rule set `pagat` has every value of the first text."""
    assert as_written(PRESETS["pagat"]) == PAGAT


def test_there_are_six_rule_sets() -> None:
    """One rule set for each of the five texts, and one for what most have in common."""
    assert sorted(PRESETS) == sorted(DIFFERENCES)


@pytest.mark.parametrize("preset", DIFFERENCES)
def test_a_rule_set_differs_from_the_first_where_its_text_does(preset: str) -> None:
    """Every rule set is `pagat` with what its own text says otherwise."""
    _, expected = read_rules({"preset": "pagat", **DIFFERENCES[preset]})
    assert as_written(PRESETS[preset]) == as_written(expected)
    assert read_rules({"preset": preset}) == (preset, expected)


def test_a_table_that_names_no_rule_set_plays_huvudregler() -> None:
    """Left out, the rule set is the default for a new table."""
    assert DEFAULT_PRESET == "huvudregler"
    assert read_rules({}) == ("huvudregler", PRESETS["huvudregler"])
    preset, rules = read_rules({"target": 51})
    assert (preset, rules.target, rules.exchange_stop) == ("huvudregler", 51, 45)


def test_lists_and_objects_of_another_rule_are_replaced() -> None:
    """Only hand points and zeroing are merged; a list or an object replaces the rule set's."""
    raw = {"winning_hands": ["royal_flush"], "blind_chicago": {"points": 25, "penalty": 10}}
    _, rules = read_rules({"preset": "wikipedia", **raw})
    assert rules.winning_hands == {Hand.ROYAL_FLUSH}
    assert rules.blind_chicago == BlindChicago(points=25, penalty=10, with_two=None, minimum=None)


@pytest.mark.parametrize(
    ("number", "points", "winning", "zeroing"),
    [
        (1, [8, 52, 52], ["straight_flush", "royal_flush"],
         {"four_of_a_kind": "choice", "royal_flush": "always"}),
        (2, [7, 8, 52], ["royal_flush"], {"four_of_a_kind": "choice"}),
        (3, [8, 11, 52], ["royal_flush"], {"four_of_a_kind": "choice"}),
        (4, [8, 11, 20, 52], ["royal_flush_hearts"], {"four_of_a_kind": "choice"}),
    ],
)  # fmt: skip
def test_a_scale_sets_points_winning_hands_and_zeroing(
    number: int, points: list[int], winning: list[str], zeroing: dict[str, str]
) -> None:
    """Below four of a kind every scale is 1 to 6; above it each has its own values."""
    scale = SCALES[number]
    assert [scale.hand_points[hand] for hand in list(Hand)[:6]] == [1, 2, 3, 4, 5, 6]
    assert [scale.hand_points[h] for h in list(Hand)[6:] if h in scale.hand_points] == points
    assert write_value(scale.winning_hands) == winning
    assert write_value(dict(scale.zeroing)) == zeroing


def test_there_are_four_scales() -> None:
    """Scale 1 is that of the default rule set."""
    assert sorted(SCALES) == [1, 2, 3, 4]
    assert SCALES[1].hand_points == PRESETS["huvudregler"].hand_points


def test_rules_are_written_as_what_differs() -> None:
    """A file holds the rule set's name and the fields that differ, merged ones by what changed."""
    raw = {
        "preset": "huvudregler",
        "hand_points": {"straight_flush": 10, "royal_flush_hearts": 60},
        "zeroing": {"four_of_a_kind": None, "straight_flush": "choice"},
        "target": 51,
    }
    written = write_rules(*read_rules({**raw, "exchanges": 3}))
    assert written == raw
    assert write_rules(*read_rules({})) == {"preset": "huvudregler"}


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ([], "not_an_object"),
        (None, "not_an_object"),
        ("pagat", "not_an_object"),
        ({"preset": "poker"}, "unknown_preset"),
        ({"preset": "Pagat"}, "unknown_preset"),
        ({"preset": None}, "unknown_preset"),
        ({"preset": ["pagat"]}, "unknown_preset"),
        ({"exchange_limit": 40}, "unknown_rule"),
        ({"Target": 40}, "unknown_rule"),
        ({"preset": "pagat", "name": "ours"}, "unknown_rule"),
    ],
)
def test_unknown_rule_sets_and_rules_are_refused(raw: object, code: str) -> None:
    """A rule set or a house rule that does not exist is named as such."""
    with pytest.raises(BadFile) as caught:
        read_rules(raw)
    assert (caught.value.code, caught.value.event) == (code, None)
