"""The published rule sets and scales by their names; tests/test_documents.py holds their values."""

import pytest

from app.rules.errors import BadFile
from app.rules.hands import Hand
from app.rules.house import BlindChicago
from app.rules.presets import DEFAULT_PRESET, PRESETS, SCALES, read_rules, write_rules, write_value


def test_there_are_six_rule_sets() -> None:
    """One rule set for each of the five texts, and one for what most have in common."""
    texts = ["gamerules", "huvudregler", "kortspelsregler", "pagat", "wikipedia"]
    assert sorted(PRESETS) == sorted([*texts, "vanlig"])


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rule_set_is_read_by_its_name(preset: str) -> None:
    """Its name alone is all of it; what it holds is written in the account of the rules."""
    assert read_rules({"preset": preset}) == (preset, PRESETS[preset])


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
        ({"preset": "poker"}, "unknown_preset"),
        ({"preset": ["pagat"]}, "unknown_preset"),
        ({"exchange_limit": 40}, "unknown_rule"),
    ],
)
def test_unknown_rule_sets_and_rules_are_refused(raw: object, code: str) -> None:
    """A rule set or a house rule that does not exist is named as such."""
    with pytest.raises(BadFile) as caught:
        read_rules(raw)
    assert (caught.value.code, caught.value.event) == (code, None)
