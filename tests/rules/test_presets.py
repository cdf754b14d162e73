"""Published rule sets: reading and writing; tests/test_documents.py holds their values."""

import json
from pathlib import Path

import pytest

from app.rules.codes import BadFile
from app.rules.hands import Hand
from app.rules.house import BlindChicago
from app.rules.presets import DEFAULT_PRESET, PRESETS, read_rules, write_rules
from tests.golden.test_golden import as_text, score
from tests.rules.table import GOLDEN
from tests.told import told

PUBLISHED = json.loads(Path(__file__).with_name("published.json").read_text("utf-8"))


@pytest.mark.parametrize(("number", "rules"), [*enumerate(PUBLISHED, 1)])
def test_a_golden_game_shows_what_a_published_set_has_of_its_own(
    number: int, rules: dict[str, object]
) -> None:
    """It is played by the rules of the set, and comes out otherwise by those of a new table."""
    [game] = [GOLDEN[name]["game"] for name in GOLDEN if name.startswith(f"published-{number:02}-")]
    assert read_rules(game["rules"]) == read_rules(rules)
    assert as_text(score(game)) != as_text(score({**game, "rules": {}}))


def test_a_table_that_names_no_rule_set_plays_huvudregler() -> None:
    """The default rule set of a file is that of a new table."""
    assert DEFAULT_PRESET == "huvudregler"
    assert read_rules({}) == ("huvudregler", PRESETS["huvudregler"])
    preset, rules = read_rules({"target": 51})
    assert (preset, rules.target, rules.exchange_stop) == ("huvudregler", 51, 45)


def test_lists_and_objects_of_another_rule_are_replaced() -> None:
    """Hand points and zeroing are merged; any other list or object replaces the rule set's."""
    raw = {"winning_hands": ["royal_flush"], "blind_chicago": {"points": 25, "penalty": 10}}
    _, rules = read_rules({"preset": "wikipedia", **raw})
    assert rules.winning_hands == {Hand.ROYAL_FLUSH}
    assert rules.blind_chicago == BlindChicago(points=25, penalty=10, with_two=None, minimum=None)


def test_rules_are_written_as_what_differs() -> None:
    """A file has the rule set's name and the differing fields, merged ones with their changes."""
    raw = {
        "preset": "huvudregler",
        "hand_points": {"straight_flush": 10, "royal_flush_hearts": 60},
        "zeroing": {"four_of_a_kind": None, "straight_flush": "choice"},
        "target": 51,
    }
    written = write_rules(*read_rules({**raw, "exchanges": 3}))
    assert written == raw
    assert write_rules(*read_rules({})) == {"preset": "huvudregler"}


@told
def test_unknown_rule_sets_and_rules_are_refused(raw: object, code: str) -> None:
    """The error names the kind of fault: a rule set or a house rule that does not exist."""
    with pytest.raises(BadFile) as caught:
        read_rules(raw)
    assert (caught.value.code, caught.value.event) == (code, None)
