"""House rules in words: every rule has its texts, says what is played, and is taught."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import given

from app.i18n.house_rules import (
    CHAPTERS,
    EXAMPLES,
    GROUPS,
    PRESET_NAMES,
    WORDS,
    consequence,
    differences,
    example_hands,
    how_to_play,
    label,
    points_table,
    preset_label,
    rule_sentence,
    sections,
    value_words,
    words_of,
)
from app.i18n.language import CODES, Language, get_language
from app.i18n.rule_words import ANY, RuleWords
from app.rules.hands import Hand, name_hand, parse_cards
from app.rules.house import OPTIONS, HouseRules
from app.rules.presets import PRESETS, read_rules, write_rules, write_value
from app.web.rule_form import (
    LEADING,
    Choices,
    Control,
    Flags,
    Moments,
    Parts,
    WholeNumber,
    controls,
)
from tests.rules.strategies import raw_rules
from tests.rules.test_presets import PUBLISHED
from tests.rules.test_rule_values import ALLOWED
from tests.told import told

ENGLISH = get_language("en")
SETS = [*(write_rules(key, rules) for key, rules in PRESETS.items()), *PUBLISHED]
Rules = dict[str, object]
UNTAUGHT = {
    *("hand_points", "winning_hands", "raising_hands", "suit_order", "flush_suits"),
    *("zeroing_after_scoring", "zeroing_and_chicago", "zeroing_takes_chicagos"),
    *("illegal_exchange", "chicago_priority", "chicago_breaker", "lay_aside", "first_dealer_by"),
}


def rules_with(**fields: object) -> HouseRules:
    """Return the usual rules with other values."""
    return read_rules(fields)[1]


def all_said(rules: HouseRules, spoken: Language = ENGLISH) -> str:
    """Return all texts of the page for these rules."""
    lines = [text for _title, said in sections(rules, spoken) for text in said]
    lines += [f"{line.hand} {line.points} {line.also}" for line in points_table(rules, spoken)]
    return "\n".join(lines)


@told
def test_a_value_in_words(rule: str, value: object, words: str) -> None:
    """A value of several parts says each of them."""
    rules = rules_with(**{rule: value})
    assert value_words(rule, getattr(rules, rule), ENGLISH) == words


@told
def test_a_rule_says_how_it_is_played(rule: str, rules: Rules, sentence: str) -> None:
    """One sentence, without what other rules rule out."""
    assert rule_sentence(rule, rules_with(**rules), ENGLISH) == sentence


@told
def test_what_is_played_is_said_and_nothing_else(
    rules: Rules, said: str, unsaid: list[str]
) -> None:
    """In no rule's sentence."""
    text = all_said(rules_with(**rules))
    assert said in text
    assert [each for each in unsaid if each in text] == []


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("raw", SETS)
def test_every_question_says_what_its_answer_comes_to_in_every_set(raw: Rules, code: str) -> None:
    """No answer is without its half a sentence."""
    _, rules = read_rules(raw)
    spoken = get_language(code)
    assert all(consequence(name, rules, spoken) for name in LEADING)


def test_the_hand_asked_about_is_the_one_told() -> None:
    """A royal flush that zeroes says nothing of four of a kind."""
    rules = rules_with(zeroing={"four_of_a_kind": None, "royal_flush": "always"})
    assert consequence("zeroing.four_of_a_kind", rules, ENGLISH) == "Four of a kind zeroes nobody."


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
        texts = {all_said(read_rules(raw)[1], spoken) for raw in raws}
        assert len(texts) == len(played), field


@given(raw=raw_rules())
def test_any_rules_are_told_and_taught_in_whole_sentences(raw: Rules) -> None:
    """In every language there are titles and texts, with every value filled in."""
    preset, rules = read_rules(raw)
    for spoken in map(get_language, CODES):
        texts = all_said(rules, spoken).splitlines() + differences(PRESETS[preset], rules, spoken)
        texts += [text for chapter in how_to_play(rules, spoken) for text in chapter]
        assert all(text.strip() and "%(" not in text for text in texts)
        assert len(example_hands(rules, spoken)) >= len(Hand) - 1


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


@told
def test_what_a_table_does_not_play_is_not_taught(rules: Rules, silent: str) -> None:
    """Without a stop, zeroing or hands that score, the explanation leaves them out."""
    taught = how_to_play(rules_with(**rules), ENGLISH)
    text = "\n".join(f"{title}: {text}" for title, text in taught)
    assert silent not in text
    assert "Zeroing" not in text


def test_learners_are_told_of_every_rule_but_a_few() -> None:
    """Those that the table of hands says, and those that hardly any table comes to ask."""
    taught = {field for chapter in CHAPTERS for field in chapter.fields}
    assert {*OPTIONS} - taught == UNTAUGHT, "add it to CHAPTERS in app/i18n/house_rules.py"


def test_every_example_is_the_hand_it_stands_for() -> None:
    """Each example has five cards, and the engine names them by that hand."""
    named = {hand: name_hand(parse_cards(cards)) for hand, cards in EXAMPLES.items()}
    assert named == {hand: hand for hand in Hand}


def test_every_rule_has_its_words() -> None:
    """The failure lists the texts that a new rule lacks, and their place."""
    missing = [
        f"{field} lacks {words}"
        for field, control in controls().items()
        for words in missing_words(WORDS.get(field), control)
    ]
    missing += [f"{field} is no rule any more" for field in WORDS if field not in OPTIONS]
    assert not missing, "; ".join(missing) + ": write it in its row in app/i18n"


def test_every_group_has_its_title() -> None:
    """A new group needs a heading, and no heading is left over."""
    groups = {option.group for option in OPTIONS.values()}
    assert groups == set(GROUPS), "write it in GROUPS in app/i18n/house_rules.py"


def missing_words(words: RuleWords | None, control: Control) -> Iterator[str]:
    """Yield the texts that a rule lacks."""
    if words is None:
        yield "its row"
        return
    yield from (f"words for {value!r}" for value in named(control) if value not in words.values)
    if isinstance(control, Parts | Moments) and control.kind != "per_hand":
        yield from (f"words for its {part}" for part in control.parts if part not in words.parts)
    if words.sentence is None:
        yield "a sentence"
    elif isinstance(words.sentence, Mapping) and ANY not in words.sentence:
        values = control.values if isinstance(control, Choices) else ("ANY",)
        yield from (f"a sentence for {value}" for value in values if value not in words.sentence)


def named(control: Control) -> list[object]:
    """Return the values that need texts; yes and no, hands and numbers have their own."""
    match control:
        case Choices(values=values) | Moments(values=values):
            # An order of suits is told by their signs.
            return [
                value
                for value in values
                if not isinstance(value, bool | int | Hand) and {*str(value)} != {*"hsdc"}
            ]
        case WholeNumber(nullable=True) | Flags(nullable=True):
            return [None]
        case Parts(nullable=True):
            return [None, "some"]
        case Parts(kind="per_hand", parts=hands):
            return [*dict.fromkeys(value for each in hands.values() for value in named(each))]
    return []
