"""The sample game: the engine plays it under any rules, so that it shows their lessons."""

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
    """Return the sample game for a table's rules."""
    return play_sample(*read_rules({"preset": "vanlig", **changes}), 100)


def codes(lessons: tuple[Lesson, ...]) -> list[str]:
    """Return the codes of the lessons, in order."""
    return [lesson.code for lesson in lessons]


def effects(lessons: tuple[Lesson, ...]) -> set[str]:
    """Return the codes of all effects in the lessons."""
    return {effect.code for lesson in lessons if lesson.event for effect in lesson.after.effects}


@given(raw=raw_rules())
def test_any_rules_have_a_sample_game(raw: dict[str, object]) -> None:
    """The engine accepts every step of it, and each step has a reason in words."""
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
    """It involves no chance, so that an address always shows the same step."""
    assert sample() == sample()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_published_rule_set_is_taught_to_the_end(preset: str) -> None:
    """It has a hand, a last trick, a Chicago made and one broken, and a winner, in two minutes."""
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
    """A bid with too few points is refused and later allowed; a stopped player may not exchange."""
    answers = {lesson.code: lesson.answer for lesson in sample() if lesson.answer}
    assert {code: answer.code for code, answer in answers.items()} == {
        "bid_refused": "chicago_minimum",
        "bid": "may_bid_from",
        "stopped": "exchange_stop",
    }


def test_equal_hands_are_no_lesson_where_the_suit_decides() -> None:
    """Without equal hands nobody goes without points for a tie."""
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
    """The points are those of the engine; before the play the only option is to zero."""
    lessons = sample(preset="huvudregler", **rules)
    assert "zeroed" in effects(lessons)
    found = [lesson for lesson in lessons if lesson.code == "choice"]
    assert len(found) == choices
    for lesson in found:
        scored = apply(lesson.before, BestHand(player=lesson.player, hand=Hand.FOUR_OF_A_KIND))
        points = scored.score(lesson.player) - lesson.before.score(lesson.player)
        assert f"may score {points} or zero" in describe(lesson, get_language("en")).text


def test_a_requirement_that_holds_for_three_is_taught_with_three() -> None:
    """With another number of players the rule would have no effect."""
    rules: dict[str, object] = {"win_needs_chicago": "declared", "win_needs_chicago_players": [3]}
    lessons = sample(**rules)
    assert len(lessons[0].after.players) == 3
    assert "requirement_unmet" in effects(lessons)


def test_a_game_that_nobody_can_win_is_left_as_it_stands() -> None:
    """Without points to be had, the last lesson says how the game would go on."""
    nothing = dict.fromkeys(Hand, 0)
    rules: dict[str, object] = {"hand_points": nothing, "last_trick": 0, "chicago_points": 0}
    assert codes(sample(**rules, winning_hands=[], zeroing={"four_of_a_kind": None}))[-1] == (
        "goes_on"
    )


def test_the_longest_way_to_the_target_is_bounded() -> None:
    """The hidden part of the game is bounded for any target."""
    rules: HouseRules = read_rules({"preset": "pagat", "target": 1000, "exchange_stop": 999})[1]
    assert len(play_sample("pagat", rules, 100)) <= MOST_LESSONS
