"""The lettered variants of the main rules, and the rules that OPTIONS says they come from."""

import re
from string import ascii_uppercase

import pytest

from app.rules.house import OPTIONS
from app.rules.presets import PRESETS
from app.rules.variants import VARIANTS, letters_of_field, letters_of_value


def test_there_is_one_for_every_letter() -> None:
    """The text goes from A to Z."""
    assert "".join(VARIANTS) == ascii_uppercase


@pytest.mark.parametrize("letter", VARIANTS)
def test_a_letter_means_rules_that_name_it_as_their_source(letter: str) -> None:
    """Letters and OPTIONS say the same, and each value is one that the rule can have."""
    for field, values in VARIANTS[letter].items():
        letters = re.findall(r"\b[A-Z]\b", OPTIONS[field].source)
        assert letter in letters, field
        for value in values:
            if field != "zeroing":
                assert OPTIONS[field].check(value) == value


@pytest.mark.parametrize("letter", sorted(set(VARIANTS) - set("BCDVMR")))
def test_a_variant_differs_from_the_main_rules(letter: str) -> None:
    """What the main rules play is no variant of them."""
    main = PRESETS["huvudregler"]
    assert all(getattr(main, f) not in values for f, values in VARIANTS[letter].items())


def test_true_is_not_one() -> None:
    """A number is never taken for a yes."""
    assert letters_of_value("chicago_once", True) == "S"
    assert letters_of_value("chicago_once", 1) == ""
    assert letters_of_field("exchange_stop") == "V"
