"""Every house rule has its texts: a name, its values, and a sentence for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.i18n.house_rules import GROUPS, WORDS
from app.i18n.rule_words import ANY, RuleWords
from app.rules.hands import Hand
from app.rules.house import OPTIONS
from app.web.rule_form import (
    Choices,
    Control,
    Flags,
    Moments,
    Parts,
    PerHand,
    WholeNumber,
    controls,
)


def test_every_rule_has_its_words() -> None:
    """The failure lists the texts that a new rule lacks, and their place."""
    missing = [
        f"{field} lacks {words}"
        for field, control in controls().items()
        for words in missing_words(WORDS.get(field), control)
    ]
    missing += [f"{field} is no rule any more" for field in WORDS if field not in OPTIONS]
    assert not missing, (
        "; ".join(missing) + ": write it in its row in rule_words.py or play_words.py"
    )


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
    if isinstance(control, Parts | Moments):
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
            return [value for value in values if not isinstance(value, bool | int | Hand)]
        case WholeNumber(nullable=True) | Flags(nullable=True):
            return [None]
        case Parts(nullable=True):
            return [None, "some"]
        case PerHand(hands=hands):
            return [*dict.fromkeys(value for each in hands.values() for value in named(each))]
    return []
