"""Sentences of the error codes: every code has one, and no value can break it."""

import re
from collections.abc import Iterator

import pytest

from app.i18n.errors import SENTENCES, error_text
from app.i18n.language import CODES, get_language
from app.rules.codes import ChicagoError, ReasonCode
from app.rules.hands import Hand

TEXTS = ["", "\x1b\x00\n", "%s %(x)s", "\ud800", "x" * 10_000]
NUMBERS = [0, -1, 10**20, -(10**20)]
ANYTHING = [*TEXTS, *NUMBERS, None, True, 1.5, [[[]]], {"a": {"b": None}}, object(), Hand.PAIR]
# Values of a file are passed on unchecked; the core has checked all others.
FROM_FILES = {"value"}
COUNTED = {"score", "points", "limit", "target", "minimum", "count"}


def odd_values(code: ReasonCode) -> Iterator[dict[str, object]]:
    """Yield odd values of every kind for all placeholders of the code's sentence."""
    keys = re.findall(r"%\((\w+)\)s", SENTENCES[code])
    for number in range(len(ANYTHING)):
        kinds = (
            ANYTHING if key in FROM_FILES else NUMBERS if key in COUNTED else TEXTS for key in keys
        )
        yield {key: kind[number % len(kind)] for key, kind in zip(keys, kinds, strict=True)}


@pytest.mark.parametrize("lang", CODES)
def test_any_value_fits_in_a_sentence(lang: str) -> None:
    """A value of any type is written, cut to a readable length."""
    for code in SENTENCES:
        for values in odd_values(code):
            sentence = error_text(ChicagoError(code, **values), get_language(lang))
            assert 0 < len(sentence) < 500, code


def test_a_name_keeps_its_small_letter() -> None:
    """Case matters in names; a hand at the beginning of a sentence gets its capital."""
    english = get_language("en")
    out = ChicagoError("player_out", player="anna")
    zeroes = ChicagoError("always_zeroes", hand=Hand.ROYAL_FLUSH)
    assert error_text(out, english) == "anna is out of the game."
    assert error_text(zeroes, english).startswith("Royal flush always scores")
