"""Which hands a table tells apart, and which it lays open before the play."""

import pytest

from app.rules.game import begin
from app.rules.gamefile import read_setup
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.outcome import announcements
from app.rules.presets import SCALES, read_rules, write_value

ALL_BUT_HEARTS = list(Hand)[:-1]


@pytest.mark.rule("hand_points")
def test_a_royal_flush_in_hearts_is_listed_only_where_it_differs() -> None:
    """Without a rule that names it, the royal flush in hearts is a royal flush."""
    assert listed_hands(read_rules({})[1]) == ALL_BUT_HEARTS


@pytest.mark.parametrize(
    "rules",
    [
        {"hand_points": {"royal_flush_hearts": 60}},
        {"zeroing": {"royal_flush_hearts": "choice"}},
        {"winning_hands": ["royal_flush_hearts"]},
        {"raising_hands": ["royal_flush_hearts"]},
    ],
)
def test_a_royal_flush_in_hearts_is_listed_where_a_rule_names_it(rules: dict[str, object]) -> None:
    """Points, zeroing, winning or raising of its own make it a hand to ask for."""
    assert listed_hands(read_rules({"preset": "pagat", **rules})[1]) == list(Hand)


def test_a_royal_flush_in_hearts_is_not_listed_where_it_is_named_with_the_same_value() -> None:
    """Named like the royal flush it is no hand of its own."""
    raw = {"hand_points": {"royal_flush": 20, "royal_flush_hearts": 20}}
    assert listed_hands(read_rules(raw)[1]) == ALL_BUT_HEARTS


def test_the_royal_flush_in_hearts_of_scale_4_is_listed() -> None:
    """In scale 4 it alone wins."""
    scale = SCALES[4]
    raw = {
        "hand_points": write_value(dict(scale.hand_points)),
        "winning_hands": write_value(scale.winning_hands),
    }
    assert listed_hands(read_rules({"preset": "pagat", **raw})[1]) == list(Hand)


@pytest.mark.reading(2)
@pytest.mark.parametrize(
    ("rules", "hands"),
    [
        ({"preset": "pagat"}, []),
        ({"preset": "huvudregler"}, ["four_of_a_kind", "straight_flush", "royal_flush"]),
        ({"preset": "vanlig"}, ["four_of_a_kind", "royal_flush"]),
        ({"preset": "pagat", "four_of_a_kind_ends_deal": True}, ["four_of_a_kind"]),
        ({"preset": "pagat", "zeroing": {"four_of_a_kind": "always"}}, []),
        ({"preset": "pagat", "raising_hands": ["royal_flush"]}, []),
    ],
)
def test_hands_laid_open_before_the_play(rules: dict[str, object], hands: list[str]) -> None:
    """Reading 2: those that win, zero by choice, or end the deal as four of a kind."""
    state = begin(read_setup({"players": ["Anna", "Bo"], "rules": {**rules, "exchanges": 1}}))
    assert list(dict.fromkeys(hand for hand, _ in announcements(state))) == hands
