"""Words of the core's codes: every code has them, with the values that they name."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, get_args

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
from app.rules.game import fold
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
from app.services.figures import AGREED
from tests.rules.strategies import all_candidates

ROOT = Path(__file__).resolve().parent.parent
# The code of a reason, and the names of its values.
Given = tuple[str, frozenset[str]]
PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def test_things_of_the_game_have_names() -> None:
    """Every hand and step has a name."""
    assert set(HAND_LABELS) == set(Hand)
    assert set(QUESTIONS) == set(Step)


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (EffectCode, EFFECTS),
        (ReasonCode, SENTENCES),
        (FactCode, FACTS),
        (BestCode, BESTS),
        (MarkCode, MARKS),
        (CourseCode, EPISODES),
    ],
    ids=(
        "effects",
        "reasons",
        "facts",
        "records",
        "marks",
        "course",
    ),
)
def test_every_code_has_its_words(codes: object, words: Mapping[str, object]) -> None:
    """Every code of the core has words; the type checker covers the rest."""
    assert set(get_args(codes)) == set(words)


def test_effects_on_a_player_have_a_line_in_the_protocol() -> None:
    """Exactly the effects on a player are rows of the protocol."""
    for words in EFFECTS.values():
        assert bool(words.row) == ("player" in PLACEHOLDER.findall(words.sentence))
        assert words.row or not words.cell


def test_every_effect_happens_and_is_told_with_its_why() -> None:
    """The golden games together have every effect, and each explanation has its values.

    What moves a score in the play is a reason for a swing.
    """
    happened: set[str] = set()
    for states in golden_games():
        for before, after in pairwise(states):
            happened |= {effect.code for effect in after.effects}
            moved = {effect.code for effect in after.effects if effect.points and effect.player}
            assert all(EFFECTS[code].reason for code in moved - {*AGREED})
            for code in CODES:
                assert len(explain_effects(before, after, get_language(code))) >= len(after.effects)
    assert happened == set(EFFECTS)


def test_every_fact_has_the_values_its_words_name() -> None:
    """Each fact in a golden game has words in every language, on a head, a sheet and a card.

    Each is tested once with the same values.
    """
    states = (state for states in golden_games() for state in states)
    told = {
        repr(fact): fact
        for state in states
        for name in state.players
        for fact in facts(state, name)
    }
    assert {fact.code for fact in told.values()} == {*FACTS}
    for fact in told.values():
        for language in map(get_language, CODES):
            on_head = head_text(fact, language=language) + head_text(fact, True, language=language)
            texts = sheet_text(fact, language), own_text(fact, language), why_text(fact, language)
            assert own_text(fact, language)
            assert "%" not in "".join((on_head, *texts))


def test_every_reason_is_given_with_the_values_its_sentence_names() -> None:
    """Every reason with a sentence occurs somewhere, with all values of its sentence."""
    given = {*reasons_in_golden_games(), *reasons_for_bad_hands(), *reasons_in_the_sources()}
    assert {code for code, _ in given} == set(SENTENCES)
    named = {str(code): set(PLACEHOLDER.findall(text)) for code, text in SENTENCES.items()}
    assert [(code, values) for code, values in given if not named[code] <= values] == []


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
            "Åke may exchange at most 1 card: 1 point, exchange stop at 45.",
        ),
        (
            Verdict(
                True, "below_exchange_stop", {"player": "Åke", "score": 1, "limit": 45, "cards": 5}
            ),
            "Åke får köpa: 1 poäng, köpstopp vid 45.",
            "Åke may exchange: 1 point, exchange stop at 45.",
        ),
        (
            NotAllowed("always_zeroes", player="Bo", hand=Hand.ROYAL_FLUSH),
            "Royal ger alltid poäng och nollar; det finns inget att välja.",
            "Royal flush always scores and zeroes; there is nothing to choose.",
        ),
        (
            NotAllowed("player_out", player="anna"),
            "anna är ute ur partiet.",
            "anna is out of the game.",
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


TEXTS = ["", "\x1b\x00\n", "%s %(x)s", "\ud800", "x" * 10_000, 0, -1, 10**20, -(10**20), "–"]
# Values of a file are passed on unchecked; the core has checked all others.
ANYTHING = [None, True, 1.5, [[[]]], {"a": {"b": None}}, object(), Hand.PAIR, *TEXTS[:3]]


@pytest.mark.parametrize("lang", CODES)
def test_any_value_fits_in_a_sentence(lang: str) -> None:
    """A value of any type is written, cut to a readable length."""
    for code, text in SENTENCES.items():
        for checked, unchecked in zip(TEXTS, ANYTHING, strict=True):
            values = dict.fromkeys(PLACEHOLDER.findall(text), checked)
            values |= {"value": unchecked} if "value" in values else {}
            sentence = error_text(ChicagoError(code, **values), get_language(lang))
            assert 0 < len(sentence) < 500, code


def test_effects_are_told_with_hands_and_points() -> None:
    """The sentence has the player, the cause and the points; the hand's name fits into it."""
    effect = Effect("zeroed", "Bo", -12, by="Anna", hand=Hand.FOUR_OF_A_KIND)
    assert effect_text(effect, get_language("sv")) == "Bo nollas av Anna (fyrtal): −12"
    assert effect_text(effect, get_language("en")) == "Bo is zeroed by Anna (four of a kind): −12"
    assert effect_text(effect, get_language("fi")) == "Bo nollataan (Anna, neloset): −12"
    assert hand_name(Hand.ROYAL_FLUSH_HEARTS, get_language("sv")) == "royal i hjärter"


def golden_cases() -> list[dict[str, Any]]:
    """Return the raw game of every golden file."""
    paths = sorted((ROOT / "tests" / "golden").glob("*.json"))
    return [json.loads(path.read_text(encoding="utf-8"))["game"] for path in paths]


def golden_games() -> Iterator[list[GameState]]:
    """Yield the states of every golden game, those of a refused one as far as it goes."""
    for raw in golden_cases():
        with suppress(BadFile):
            game = read_game(raw)
            yield fold(game.setup, game.events)[0]


def reasons_in_golden_games() -> Iterator[Given]:
    """Yield the faults of bad golden games, and the verdicts on all players in the others."""
    for raw in golden_cases():
        try:
            read_game(raw)
        except BadFile as fault:
            yield fault.code, frozenset(fault.values)
    for state in chain.from_iterable(golden_games()):
        for said in reasons(state):
            yield said.code, frozenset(said.values)


def reasons(state: GameState) -> Iterator[NotAllowed | Verdict]:
    """Yield the reasons why events are refused now, and the verdicts on every player."""
    yield from (chicago_step(state), may_join(state))
    for name in state.players:
        asked = (may_exchange, may_exchange_now, may_bid, may_bid_blind, can_win)
        yield from (ask(state, name) for ask in asked)
    for event in all_candidates(state.players[:2]):
        if (refusal := why_not(state, event)) is not None:
            yield refusal


def reasons_for_bad_hands() -> Iterator[Given]:
    """Yield the reasons for too few cards and for a repeated card."""
    for cards in ("Ah Kh", "Ah Ah Kh Qh Jh"):
        with pytest.raises(BadHand) as caught:
            parse_cards(cards)
        yield caught.value.code, frozenset(caught.value.values)


def reasons_in_the_sources() -> Iterator[Given]:
    """Yield every reason raised in the sources with a literal code and literal values."""
    for path in sorted((ROOT / "app").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Raise(exc=ast.Call(args=[ast.Constant(value=code)], keywords=keywords)):
                    values = frozenset(str(keyword.arg) for keyword in keywords)
                    if code in SENTENCES and "None" not in values:
                        yield str(code), values
                # A quota of app/services/bounds.py.
                case ast.Call(
                    func=ast.Attribute(attr="check") | ast.Name(id="check"),
                    args=[ast.Constant(value=code), _, _],
                ):
                    yield str(code), frozenset(["limit"])
