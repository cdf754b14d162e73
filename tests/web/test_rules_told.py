"""The sheet of rules says of each rule what is played, whatever the other rules are.

A sentence that holds with one value of another rule and not with the next is no sentence of its own
rule: these are the pairs of rules that have to know of each other.
"""

from __future__ import annotations

from itertools import product

import pytest

from app.i18n.house_rules import consequence, rule_sentence, sections
from app.i18n.language import CODES, get_language
from app.rules.house import HouseRules
from app.rules.presets import PRESETS, read_rules, write_rules
from app.web.rule_form import LEADING
from tests.rules.test_presets import PUBLISHED
from tests.rules.test_rule_values import ALLOWED

ENGLISH = get_language("en")
STILL = "Hands due before the play still score."
STRUCK = "sets the scores back to what they were before the deal"
SETS = [*(write_rules(key, rules) for key, rules in PRESETS.items()), *PUBLISHED]


def rules_with(**fields: object) -> HouseRules:
    """Return the usual rules with other values."""
    return read_rules(fields)[1]


def told(rules: HouseRules) -> str:
    """Return every sentence of the sheet."""
    return " ".join(text for _, said in sections(rules, ENGLISH) for text in said)


WAYS = [*product(ALLOWED["chicago_hand"], ALLOWED["chicago_when"])]


@pytest.mark.parametrize(("hand", "when"), WAYS)
def test_hands_due_after_an_early_bid_score_unless_the_bid_strikes(hand: str, when: str) -> None:
    """Readings 14 and 30; a bid that nothing goes before strikes nothing (32)."""
    said = told(rules_with(chicago_hand=hand, chicago_when=when))
    assert (STILL in said) == (hand != "struck" and when != "before_play")
    assert (STRUCK in said) == (hand == "struck" and when != "first_exchange")
    assert ("no hand scores" in said) == (hand in ("never", "struck"))


@pytest.mark.parametrize("moments", [{}, {"play": "best"}, {"3": "best", "play": "best"}])
def test_no_moment_is_told_that_no_deal_here_has(moments: dict[str, str]) -> None:
    """With two exchanges nothing comes after a third, and no hand is due after an early bid."""
    rules = rules_with(exchanges=2, scored_hands=moments, chicago_when="any_time")
    assert "third" not in told(rules)
    assert STILL not in told(rules)


@pytest.mark.parametrize("hand", ALLOWED["chicago_hand"])
def test_no_hand_after_the_play_is_told_of_where_none_scores(hand: str) -> None:
    """With a Chicago or without."""
    said = rule_sentence(
        "chicago_hand", rules_with(scored_hands={"1": "best"}, chicago_hand=hand), ENGLISH
    )
    assert hand == "struck" or said == "In a deal with a Chicago no hand scores after the play."


def test_the_usual_moments_of_a_single_exchange_are_one() -> None:
    """There is no exchange before the last."""
    said = rule_sentence("scored_hands", rules_with(exchanges=1), ENGLISH)
    assert said == "Only the best hand scores after the play."


@pytest.mark.parametrize("way", ALLOWED["win_when"])
@pytest.mark.parametrize("finish", ALLOWED["finish"])
def test_one_sentence_says_when_the_target_wins(way: str, finish: str) -> None:
    """Where a trick is needed no hand before the play wins (reading 10)."""
    said = told(rules_with(win_when=way, finish=finish))
    at_once = way == "every_booking" or (way == "at_once" and finish == "at_target")
    assert ("wins at once" in said) == at_once
    assert ("with a hand" in said) == (at_once and finish == "at_target")
    assert ("when the deal is over" in said or "When a deal is over" in said) == (
        way != "every_booking"
    )


@pytest.mark.parametrize("value", ALLOWED["zeroing_and_chicago"])
def test_a_zeroing_that_a_bid_strikes_waits_for_nothing(value: str) -> None:
    """Reading 30: it falls, whichever would come first."""
    rules = rules_with(
        zeroing_and_chicago=value, after_zeroing="deal_goes_on", chicago_hand="struck"
    )
    assert not rule_sentence("zeroing_and_chicago", rules, ENGLISH)


@pytest.mark.parametrize("value", [True, "suit_first"])
def test_no_suit_is_looked_at_where_the_same_kind_is_equal(value: object) -> None:
    """Reading 17."""
    assert "suit" not in told(rules_with(ties="same_type", flush_suits=value))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("raw", SETS)
def test_every_question_says_what_its_answer_comes_to_in_every_set(
    raw: dict[str, object], code: str
) -> None:
    """No answer is without its half a sentence."""
    _, rules = read_rules(raw)
    spoken = get_language(code)
    assert all(consequence(name, rules, spoken) for name in LEADING)


def test_the_hand_asked_about_is_the_one_told() -> None:
    """A royal flush that zeroes says nothing of four of a kind."""
    rules = rules_with(zeroing={"four_of_a_kind": None, "royal_flush": "always"})
    assert consequence("zeroing.four_of_a_kind", rules, ENGLISH) == "Four of a kind zeroes nobody."
