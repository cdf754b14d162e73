"""Every code of the core has its words, with the values they name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from app.i18n.errors import SENTENCES, error_text
from app.i18n.game import CELLS, EFFECTS, HANDS, ROWS, STEPS, WHY, effect_text, hand_name
from app.i18n.language import get_language
from app.i18n.rule_summary import PRESET_LABELS
from app.rules.errors import BadHand, NotAllowed
from app.rules.hands import Hand
from app.rules.house import HouseRules
from app.rules.presets import PRESETS
from app.rules.rights import Verdict
from app.rules.state import Effect, Step

ROOT = Path(__file__).resolve().parent.parent
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
# Where a call carries a code: the position of that argument.
REASON_CODES = {
    **dict.fromkeys(("BadFile", "BadHand", "NotAllowed", "NotFound", "NoPen", "Stale"), 0),
    "KeyReused": 0,
    "Verdict": 1,
}
EFFECT_CODES = {"Effect": 0, "book": 1, "set_score": 1, "win": 2}
# What hands on a code that was written elsewhere, and how it is called there.
HANDED_ON = ("code", "why", "fault", "verdict.code")


def test_things_of_the_game_have_names() -> None:
    """Every hand, step and rule set is called something."""
    assert set(HANDS) == set(Hand)
    assert set(STEPS) == set(Step)
    assert set(PRESET_LABELS) == set(PRESETS)


def test_every_reason_has_its_sentence_and_every_sentence_its_reason() -> None:
    """What the sources refuse or allow can be said, and nothing is kept that is never said."""
    given = {code for code, _ in reasons()}
    assert given == set(SENTENCES)


def test_every_effect_has_its_sentence_and_every_sentence_its_effect() -> None:
    """What an event sets off can be told, and nothing is kept that is never told."""
    given = {code for path in sources("app/rules") for code, _ in coded(path, EFFECT_CODES)}
    assert given == set(EFFECTS)


def test_every_effect_has_its_why() -> None:
    """Whatever an event sets off, the rule behind it can be told."""
    assert set(WHY) == set(EFFECTS)


def test_effects_on_a_player_have_a_line_in_the_protocol() -> None:
    """What happens to a player is a row of the protocol, and rows are of effects."""
    theirs = {code for code, text in EFFECTS.items() if "player" in PLACEHOLDER.findall(text)}
    assert set(ROWS) == theirs | {"nobody", "tied"}
    assert set(CELLS) <= set(ROWS)


def test_refusals_give_the_values_their_sentences_name() -> None:
    """Where code refuses with values written out, they are those the sentence needs."""
    lacking = [
        (code, missing)
        for code, given in reasons()
        if given is not None and (missing := set(PLACEHOLDER.findall(SENTENCES[code])) - given)
    ]
    assert lacking == []


@pytest.mark.parametrize(
    ("said", "swedish", "english"),
    [
        (
            Verdict(False, "chicago_minimum", {"player": "Bo", "score": 12, "minimum": 15}),
            "Bo får inte ropa chicago än: 12 poäng, 15 behövs.",
            "Bo may not bid Chicago: 12 points, 15 needed.",
        ),
        (
            Verdict(False, "exchange_stop", {"player": "Anna", "score": 47, "limit": 45}),
            "Anna får inte köpa: 47 poäng, köpstopp vid 45.",
            "Anna may not exchange: 47 points, exchange stop at 45.",
        ),
        (
            Verdict(
                True, "below_exchange_stop", {"player": "Åke", "score": 1, "limit": 45, "cards": 1}
            ),
            "Åke får köpa högst 1 kort: 1 poäng, köpstopp vid 45.",
            "Åke may exchange up to 1 card: 1 point, exchange stop at 45.",
        ),
        (
            NotAllowed("always_zeroes", player="Bo", hand=Hand.ROYAL_FLUSH),
            "Royal ger alltid poäng och nollar; det finns inget att välja.",
            "Royal flush always scores and zeroes; there is nothing to choose.",
        ),
        (
            BadHand("not_five_cards", count=2, cards="Ah Kh", player="bo"),
            "En hand är fem kort, inte 2: Ah Kh.",
            "A hand is five cards, not 2: Ah Kh.",
        ),
    ],
)
def test_reasons_are_said_with_their_numbers(
    said: Verdict | NotAllowed | BadHand, swedish: str, english: str
) -> None:
    """A reason is one sentence with the name and the number, in either language."""
    assert error_text(said, get_language("sv")) == swedish
    assert error_text(said, get_language("en")) == english


def test_effects_are_told_with_hands_and_points() -> None:
    """An effect tells who, with what and how much; the hand's name stands within the sentence."""
    effect = Effect("zeroed", "Bo", -12, by="Anna", hand=Hand.FOUR_OF_A_KIND)
    assert effect_text(effect, get_language("sv")) == "Bo nollas av Anna (fyrtal): −12"
    assert effect_text(effect, get_language("en")) == "Bo is zeroed by Anna (four of a kind): −12"
    assert hand_name(Hand.ROYAL_FLUSH_HEARTS, get_language("sv")) == "royal i hjärter"


def sources(under: str) -> list[Path]:
    """Return every Python file in a folder of the project."""
    return sorted((ROOT / under).rglob("*.py"))


def reasons() -> Iterator[tuple[str, set[str] | None]]:
    """Yield every code of a refusal or a verdict in the sources, with the values it is given."""
    for path in sources("app"):
        yield from coded(path, REASON_CODES)


def coded(path: Path, positions: dict[str, int]) -> Iterator[tuple[str, set[str] | None]]:
    """Yield every code that a file's calls carry, with the names of its values where written."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in positions:
                named = {keyword.arg for keyword in node.keywords}
                values = None if None in named or name == "Verdict" else {str(arg) for arg in named}
                for code in literals(node.args[positions[name]]):
                    yield code, values
            case ast.FunctionDef(name="fault", returns=ast.BinOp()) if "BadFile" in positions:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and inner.value is not None:
                        yield from ((code, set()) for code in literals(inner.value))
            case ast.Assign(targets=[ast.Name(id="why")], value=value) if "win" in positions:
                yield from ((code, None) for code in literals(value))


def literals(node: ast.expr) -> Iterator[str]:
    """Yield the codes an expression may be; one that cannot be told is a failure."""
    match node:
        case ast.Constant(value=str(code)):
            yield code
        case ast.Constant(value=None):
            return
        case ast.IfExp(body=body, orelse=orelse):
            yield from literals(body)
            yield from literals(orelse)
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), ast.FormattedValue(value=rule)]):
            yield from (start + choice for choice in choices(rule))
        case _:
            assert ast.unparse(node) in HANDED_ON


def choices(rule: ast.expr) -> list[str]:
    """Return what a house rule may be, `no` aside, which gives no code."""
    assert isinstance(rule, ast.Attribute)
    return [value for value in get_args(get_type_hints(HouseRules)[rule.attr]) if value != "no"]
