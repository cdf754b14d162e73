"""Values of every house rule, as a game file writes them: in `rule_values.json`, or yes and no."""

from typing import Any

import pytest

from app.rules.codes import BadFile
from app.rules.house import FIELD_TYPES, OPTIONS
from app.rules.presets import read_rules, write_value
from tests.told import read_tables, told

YES_OR_NO: dict[str, list[object]] = {"allowed": [True, False], "refused": [None, 0, 1]}
VALUES: dict[str, dict[str, list[object]]] = {
    **dict.fromkeys((field for field, kind in FIELD_TYPES.items() if kind is bool), YES_OR_NO),
    **read_tables(__file__)["values"],
}
ALLOWED = {field: values["allowed"] for field, values in VALUES.items()}
# Besides the values of JUNK that the rule does not allow.
REFUSED = {field: values["refused"] for field, values in VALUES.items()}
JUNK: list[object] = [[], {}, "", "5", "null", 1.0, 5.0, -1, 10**30, [None], "Pair"]


@pytest.mark.parametrize("values", [ALLOWED, REFUSED])
def test_every_house_rule_is_tried(values: dict[str, list[object]]) -> None:
    """Both lists of values name every house rule."""
    assert sorted(values) == sorted(OPTIONS)
    assert all(values.values())


@pytest.mark.parametrize("field", OPTIONS)
def test_a_value_within_the_rule_is_read_as_it_is_written(field: str) -> None:
    """Every allowed value is read, and the rules then have it, with what an object leaves out."""
    for value in ALLOWED[field]:
        _, rules = read_rules({"preset": "pagat", "zeroing": {"flush": "always"}, field: value})
        written: Any = write_value(getattr(rules, field))
        if isinstance(value, dict):
            assert [written.get(key) for key in value] == [*value.values()]
        else:
            assert written == value


@pytest.mark.parametrize("field", OPTIONS)
def test_a_value_outside_the_rule_is_refused(field: str) -> None:
    """Every other value is refused; the error names the house rule and the value."""
    own = [(type(value), value) for value in ALLOWED[field]]
    junk = [value for value in JUNK if (type(value), value) not in own]
    for value in REFUSED[field] + junk:
        with pytest.raises(BadFile) as caught:
            read_rules({"preset": "pagat", field: value})
        assert caught.value.code in {"wrong_rule_value", "repeated_rule_value"}
        assert caught.value.values == {"field": field, "value": value}
        assert caught.value.event is None


@told
def test_old_words_are_read_as_the_new_one(
    old: dict[str, object], new: dict[str, str] | None
) -> None:
    """`scored_exchanges` and `hand_after_play` are `scored_hands` with the best hand."""
    _, rules = read_rules({"preset": "pagat", **old})
    assert rules.scored_hands == new


@told
def test_old_words_are_refused_as_before_and_beside_the_new_one(
    old: dict[str, object], code: str
) -> None:
    """An exchange named twice is a repetition; old and new together say two things."""
    with pytest.raises(BadFile, match=code):
        read_rules(old)
