"""Words of the core's codes: every code has them, with the values that they name."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

import pytest

from app.i18n.cards import HAND_LABELS, hand_name
from app.i18n.effects import EFFECTS, effect_text, explain_effects
from app.i18n.errors import SENTENCES, error_text
from app.i18n.game import (
    BESTS,
    EPISODES,
    FACTS,
    MARKS,
    QUESTIONS,
    head_text,
    own_text,
    sheet_text,
    why_text,
)
from app.i18n.language import CODES, get_language
from app.rules.codes import (
    BadFile,
    BadHand,
    BestCode,
    ChicagoError,
    CourseCode,
    EffectCode,
    MarkCode,
    NotAllowed,
    ReasonCode,
)
from app.rules.facts import FactCode, facts, may_exchange_now
from app.rules.gamefile import read_game
from app.rules.hands import Hand, parse_cards
from app.rules.rights import (
    Verdict,
    can_win,
    chicago_step,
    may_bid,
    may_bid_blind,
    may_exchange,
    may_join,
    why_not,
)
from app.rules.state import Effect, GameState, Step
from app.services.figures import OUTSIDE_PLAY
from tests.checkout import ROOT
from tests.rules.strategies import all_candidates
from tests.rules.table import GOLDEN, golden_games
from tests.told import told

# The code of a reason, and the names of its values.
Given = tuple[str, frozenset[str]]
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
LANGUAGES = [get_language(code) for code in CODES]
TEXTS = ["", "\x1b\x00\n", "%s %(x)s", "\ud800", "x" * 10_000, 0, -1, 10**20, -(10**20), "–"]
# Values of a file are passed on unchecked; the core has checked all others.
ANYTHING = [None, True, 1.5, [[[]]], {"a": {"b": None}}, object(), Hand.PAIR, *TEXTS[:3]]


def test_every_code_has_its_words() -> None:
    """Every code, hand and step has words."""
    for codes, words in (
        (EffectCode, EFFECTS),
        (ReasonCode, SENTENCES),
        (FactCode, FACTS),
        (BestCode, BESTS),
        (MarkCode, MARKS),
        (CourseCode, EPISODES),
    ):
        assert {*get_args(codes)} == {*words}
    assert ({*HAND_LABELS}, {*QUESTIONS}) == ({*Hand}, {*Step})


def test_every_effect_happens_and_is_told_with_its_why() -> None:
    """The golden games together have every effect, and each explanation has its values.

    What moves a score in the play is a reason for a swing.
    """
    happened: set[str] = set()
    for before, after in (pair for _, states in golden_games() for pair in pairwise(states)):
        happened |= {effect.code for effect in after.effects}
        moved = {effect.code for effect in after.effects if effect.points and effect.player}
        assert all(EFFECTS[code].reason for code in moved - {*OUTSIDE_PLAY})
        for language in LANGUAGES:
            assert len(explain_effects(before, after, language)) >= len(after.effects)
    assert happened == {*EFFECTS}


def test_every_fact_has_the_values_its_words_name() -> None:
    """Each fact in a golden game has words in every language, on a head, a sheet and a card."""
    states = (state for _, states in golden_games() for state in states)
    # Each is tested once with the same values.
    each = (fact for state in states for name in state.players for fact in facts(state, name))
    told = {repr(fact): fact for fact in each}
    assert {fact.code for fact in told.values()} == {*FACTS}
    for fact in told.values():
        for language in LANGUAGES:
            heads = [head_text(fact, narrow, language=language) for narrow in (False, True)]
            own = own_text(fact, language)
            texts = [*heads, own, sheet_text(fact, language), why_text(fact, language)]
            assert own
            assert "%" not in "".join(texts)


def test_every_reason_is_given_with_the_values_its_sentence_names() -> None:
    """Every reason with a sentence occurs somewhere, with all values of its sentence."""
    said = {(each.code, frozenset(each.values)) for each in reasons_in_games()}
    given = said | {*reasons_in_the_sources()}
    assert {code for code, _ in given} == {*SENTENCES}
    named = {str(code): {*PLACEHOLDER.findall(text)} for code, text in SENTENCES.items()}
    assert [(code, values) for code, values in given if not named[code] <= values] == []


@told
def test_reasons_are_said_with_their_numbers(
    code: ReasonCode, values: dict[str, object], swedish: str, english: str
) -> None:
    """A reason is one sentence with the name and the number, in either language."""
    hand = {"hand": Hand(str(values["hand"]))} if "hand" in values else {}
    said = [error_text(ChicagoError(code, **values | hand), language) for language in LANGUAGES]
    assert said[:2] == [swedish, english]


def test_any_value_fits_in_a_sentence() -> None:
    """A value of any type is written, cut to a readable length."""
    for code, text in SENTENCES.items():
        for checked, unchecked in zip(TEXTS, ANYTHING, strict=True):
            values = dict.fromkeys(PLACEHOLDER.findall(text), checked)
            values |= {"value": unchecked} if "value" in values else {}
            for language in LANGUAGES:
                assert 0 < len(error_text(ChicagoError(code, **values), language)) < 500, code


def test_effects_are_told_with_hands_and_points() -> None:
    """The sentence has the player, the cause and the points; the hand's name fits into it."""
    effect = Effect("zeroed", "Bo", -12, by="Anna", hand=Hand.FOUR_OF_A_KIND)
    assert [effect_text(effect, language) for language in LANGUAGES] == [
        "Bo nollas av Anna (fyrtal): −12",
        "Bo is zeroed by Anna (four of a kind): −12",
        "Bo nollataan (Anna, neloset): −12",
    ]
    assert hand_name(Hand.ROYAL_FLUSH_HEARTS, LANGUAGES[0]) == "royal i hjärter"


def reasons_in_games() -> Iterator[ChicagoError | Verdict]:
    """Yield the faults of golden games and of some hands, and what is said of all players."""
    for each in GOLDEN.values():
        try:
            read_game(each["game"])
        except BadFile as fault:
            yield fault
    for cards in ("Ah Kh", "Ah Ah Kh Qh Jh"):
        with pytest.raises(BadHand) as bad:
            parse_cards(cards)
        yield bad.value
    for _, states in golden_games():
        for state in states:
            yield from reasons(state)


def reasons(state: GameState) -> Iterator[NotAllowed | Verdict]:
    """Yield the reasons why events are refused now, and the verdicts on every player."""
    yield from (chicago_step(state), may_join(state))
    asked = (may_exchange, may_exchange_now, may_bid, may_bid_blind, can_win)
    yield from (ask(state, name) for name in state.players for ask in asked)
    yield from filter(None, (why_not(state, each) for each in all_candidates(state.players[:2])))


def reasons_in_the_sources() -> Iterator[Given]:
    """Yield every reason raised in the sources with a literal code and literal values."""
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Raise(exc=ast.Call(args=[ast.Constant(value=code)], keywords=keywords)):
                    values = frozenset(str(keyword.arg) for keyword in keywords)
                    if code in SENTENCES and "None" not in values:
                        yield str(code), values
                # A quota of app/services/tables.py.
                case ast.Call(
                    func=ast.Attribute(attr="check") | ast.Name(id="check"),
                    args=[ast.Constant(value=code), _, _],
                ):
                    yield str(code), frozenset(["limit"])
