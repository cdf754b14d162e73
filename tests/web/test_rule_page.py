"""Rule pages say every rule in sentences, in every language, on one page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from app.i18n.house_rules import (
    PRESET_NAMES,
    differences,
    label,
    points_table,
    preset_label,
    sections,
    words_of,
)
from app.i18n.language import CODES, Language, get_language
from app.rules.hands import Hand
from app.rules.house import OPTIONS, HouseRules
from app.rules.presets import PRESETS, read_rules, write_value
from tests.rules.strategies import raw_rules
from tests.rules.test_rule_values import ALLOWED
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

ENGLISH = get_language("en")


def page_text(rules: HouseRules, spoken: Language = ENGLISH) -> str:
    """Return all texts of the page for these rules."""
    lines = [text for _title, said in sections(rules, spoken) for text in said]
    lines += [f"{line.hand} {line.points} {line.also}" for line in points_table(rules, spoken)]
    return "\n".join(lines)


# Other rules that a rule needs to apply at all.
BESIDES: dict[str, dict[str, object]] = {
    "suit_order": {"ties": "suits"},
    "zeroing_and_chicago": {"after_zeroing": "deal_goes_on"},
    "chicago_breaker": {"chicago_breaker_bonus": 8},
}


@pytest.mark.parametrize("code", CODES)
def test_every_rule_is_told(code: str) -> None:
    """Tables with different values of a rule have different texts on their page."""
    spoken = get_language(code)
    for field in OPTIONS:
        raws = [{**BESIDES.get(field, {}), field: value} for value in ALLOWED[field]]
        played = {str(write_value(getattr(read_rules(raw)[1], field))) for raw in raws}
        told = {page_text(read_rules(raw)[1], spoken) for raw in raws}
        assert len(told) == len(played), field


@settings(max_examples=20)
@given(raw_rules())
def test_any_rules_can_be_told(raw: dict[str, object]) -> None:
    """In every language there are whole sentences with every value filled in."""
    preset, rules = read_rules(raw)
    for code in CODES:
        spoken = get_language(code)
        texts = page_text(rules, spoken).splitlines()
        texts += differences(PRESETS[preset], rules, spoken)
        assert all(text.strip() and "%(" not in text for text in texts)


@pytest.mark.parametrize("code", CODES)
def test_every_rule_has_a_name_of_its_own(code: str) -> None:
    """No two house rules have the same name, and none has its name in the code."""
    spoken = get_language(code)
    names = [label(field, spoken) for field in OPTIONS]
    assert len(set(names)) == len(names)
    assert not [name for name in names if "_" in name]
    helps = {field: words_of(field).help for field in OPTIONS if words_of(field).help}
    assert all(spoken.gettext(text) != label(field, spoken) for field, text in helps.items())


# What a published set plays where its name says so, and only there.
NAMED: dict[str, Callable[[HouseRules], bool]] = {
    "no exchange stop": lambda rules: rules.exchange_stop is None,
    "chicago needed": lambda rules: rules.win_needs_chicago != "no",
    "four of a kind zeroes": lambda rules: Hand.FOUR_OF_A_KIND in rules.zeroing,
    "blind chicago": lambda rules: rules.blind_chicago is not None,
}


@pytest.mark.parametrize("code", CODES)
def test_published_sets_are_called_by_what_they_play(code: str) -> None:
    """No two names are equal, and each has its set's exchange stop and fits on a line."""
    names = {preset: preset_label(preset, get_language(code)) for preset in PRESETS}
    assert set(names) == set(PRESET_NAMES)
    assert len(set(names.values())) == len(names)
    for preset, name in names.items():
        stop = PRESETS[preset].exchange_stop
        assert stop is None or str(stop) in name
        assert code != "sv" or len(name) <= 42, name


@pytest.mark.parametrize("preset", PRESETS)
def test_a_set_is_called_by_nothing_that_it_does_not_play(preset: str) -> None:
    """What one name says is true of its set, and of no other set that does not say it."""
    name, rules = preset_label(preset, ENGLISH).lower(), PRESETS[preset]
    assert [words for words, plays in NAMED.items() if plays(rules)] == [
        words for words in NAMED if words in name
    ]


@pytest.mark.parametrize(
    ("who", "said", "unsaid"),
    [
        ("best", "If they are equal too, nobody scores.", "equal hands score each"),
        ("equal", "equal hands score each", "nobody scores"),
        ("everyone", "Four of a kind may zero instead of scoring.", "the other cards decide"),
    ],
)
def test_what_becomes_of_equal_hands_is_said_as_it_is_played(
    who: str, said: str, unsaid: str
) -> None:
    """Where everybody's own hand scores, none is held against another, nor has to be the best."""
    raw = {"preset": "vanlig", "scored_hands": {"1": who, "play": who}}
    text = page_text(read_rules(raw)[1])
    assert said in text
    assert unsaid not in text


def test_a_table_shows_what_it_plays(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """The menu of the table has it, for the keeper and for everybody with the link."""
    seat(phone, stake_ore=250, rules={"exchange_stop": 47, "target": 60})
    other = new_phone()
    for each in (phone, other):
        each.open(phone.table)
        each.follow("Menu")
        each.follow("The rules we play")
        assert each.answer.status_code == 200
        changed = "What we have changed Whoever has 47 points or more may not exchange."
        assert f"Our own rules {changed}" in each.page.text
        known = "Exchange stop 45, four of a kind zeroes, Chicago needed (Swedish main rules)"
        assert known in each.page.text
        assert "A point is worth 2,50 kr." in each.page.text.replace("2.50", "2,50")
    assert phone.page.has("Change the game")
    assert "The rules stand while a game is played" in other.page.text
