"""The sample game: played by the engine under any rules, and showing what they have to teach."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from app.i18n.language import CODES, get_language
from app.i18n.lessons import describe
from app.rules.events import BestHand
from app.rules.game import apply
from app.rules.hands import Hand
from app.rules.house import HouseRules, hands_that_zero
from app.rules.presets import PRESETS, read_rules
from app.rules.sample import Lesson, play_sample
from tests.rules.strategies import raw_rules

MOST_LESSONS = 40


def sample(**changes: object) -> tuple[Lesson, ...]:
    """Return the sample game of a table's rules."""
    return play_sample(*read_rules({"preset": "vanlig", **changes}), 100)


def codes(lessons: tuple[Lesson, ...]) -> list[str]:
    """Return what the lessons are, in order."""
    return [lesson.code for lesson in lessons]


def effects(lessons: tuple[Lesson, ...]) -> set[str]:
    """Return everything that the events of the lessons set off."""
    return {effect.code for lesson in lessons if lesson.event for effect in lesson.after.effects}


@given(raw=raw_rules())
def test_any_rules_have_a_sample_game(raw: dict[str, object]) -> None:
    """It is one game, step by step, which the engine accepts; each step has its why in words."""
    preset, rules = read_rules(raw)
    lessons = play_sample(preset, rules, 100)
    assert 2 <= len(lessons) <= MOST_LESSONS  # a game to one point is over at once
    assert lessons[-1].after.over or lessons[-1].code == "goes_on"
    assert all(one.after is other.before for one, other in pairwise(lessons))
    for lesson in lessons:
        if lesson.event is not None:
            assert apply(lesson.before, lesson.event) == lesson.after
        for code in CODES:
            words = describe(lesson, get_language(code))
            told = [words.text, *words.gives, *words.whys, *(rule.text for rule in words.rules)]
            assert words.whys or words.rules
            assert all(told)
            assert not any("%" in text for text in told)


def test_the_same_rules_give_the_same_sample_game() -> None:
    """There is no chance in it, so that an address always shows the same step."""
    assert sample() == sample()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_published_rule_set_is_taught_to_the_end(preset: str) -> None:
    """A hand, the last trick, a Chicago made and one broken, and somebody wins, in two minutes."""
    rules = PRESETS[preset]
    lessons = play_sample(preset, rules, 100)
    assert {"hand", "tie", "trick", "final_hand", "bid", "made", "broken"} <= set(codes(lessons))
    assert ("bid_refused" in codes(lessons)) == (rules.chicago_minimum is not None)
    assert ("stopped" in codes(lessons)) == (rules.exchange_stop is not None)
    assert ("choice" in codes(lessons)) == bool(hands_that_zero(rules, "choice"))
    assert ("requirement_unmet" in effects(lessons)) == (rules.win_needs_chicago != "no")
    assert lessons[-1].after.status == "finished"
    assert len(lessons) <= 30


def test_who_asks_is_answered_as_the_engine_answers() -> None:
    """A bid with too few points is refused and later allowed; who is stopped may not exchange."""
    answers = {lesson.code: lesson.answer for lesson in sample() if lesson.answer}
    assert {code: answer.code for code, answer in answers.items()} == {
        "bid_refused": "chicago_minimum",
        "bid": "may_bid_from",
        "stopped": "exchange_stop",
    }


def test_equal_hands_are_no_lesson_where_the_suit_decides() -> None:
    """Where no two hands are equal, nobody goes without points for it."""
    assert "tie" not in codes(sample(ties="suits"))


def test_a_hand_that_always_zeroes_is_no_choice() -> None:
    """It is booked as the best hand, and zeroes."""
    lessons = sample(zeroing={"four_of_a_kind": "always"})
    assert "zeroing" in codes(lessons)
    assert "choice" not in codes(lessons)


@pytest.mark.parametrize(
    ("rules", "choices"),
    [({}, 1), ({"raising_hands": ["four_of_a_kind"]}, 1), ({"exchanges": 1}, 0)],
)
def test_a_choice_is_one_that_the_engine_leaves(rules: dict[str, object], choices: int) -> None:
    """The points are those it would book; before the play there is nothing to do but zero."""
    lessons = sample(preset="huvudregler", **rules)
    assert "zeroed" in effects(lessons)
    found = [lesson for lesson in lessons if lesson.code == "choice"]
    assert len(found) == choices
    for lesson in found:
        scored = apply(lesson.before, BestHand(player=lesson.player, hand=Hand.FOUR_OF_A_KIND))
        points = scored.score(lesson.player) - lesson.before.score(lesson.player)
        assert f"may score {points} or zero" in describe(lesson, get_language("en")).text


def test_a_requirement_that_holds_for_three_is_taught_with_three() -> None:
    """Otherwise nobody would see what it does."""
    rules: dict[str, object] = {"win_needs_chicago": "declared", "win_needs_chicago_players": [3]}
    lessons = sample(**rules)
    assert len(lessons[0].after.players) == 3
    assert "requirement_unmet" in effects(lessons)


def test_a_game_that_nobody_can_win_is_left_as_it_stands() -> None:
    """With no points to be had it only says how it would go on."""
    nothing = dict.fromkeys(Hand, 0)
    rules: dict[str, object] = {"hand_points": nothing, "last_trick": 0, "chicago_points": 0}
    assert codes(sample(**rules, winning_hands=[], zeroing={"four_of_a_kind": None}))[-1] == (
        "goes_on"
    )


def test_the_longest_way_to_the_target_is_bounded() -> None:
    """What is played out of sight is worked out in no time, whatever the target."""
    rules: HouseRules = read_rules({"preset": "pagat", "target": 1000, "exchange_stop": 999})[1]
    assert len(play_sample("pagat", rules, 100)) <= MOST_LESSONS
