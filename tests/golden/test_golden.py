"""Whole games with their results, worked out by hand from the rules, replayed to the letter."""

import json
from typing import Any

import pytest

from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.rules.codes import BadFile, NotAllowed
from app.rules.gamefile import read_game, write_error, write_result
from tests.rules.table import GOLDEN

Result = dict[str, Any]


def score(game: object) -> Result:
    """Score a game as a program does: its result, or why it cannot be scored."""
    try:
        return {**write_result(read_game(game).states())}
    except (BadFile, NotAllowed) as error:
        return write_error(error, error_text(error, get_language("en")))


def reason(game: object) -> str | None:
    """Return the code of what is wrong with a game, if anything is."""
    try:
        read_game(game).states()
    except (BadFile, NotAllowed) as error:
        return error.code
    return None


def without_message(result: Result) -> Result:
    """Return a result without the sentence of its error, whose wording is free."""
    if "error" not in result:
        return result
    return {**result, "error": {**result["error"], "message": ""}}


def as_text(result: Result) -> str:
    """Return a result as text, in which the order of keys shows."""
    return json.dumps(without_message(result), indent=1, ensure_ascii=False)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_has_the_result_worked_out_for_it(name: str) -> None:
    """Replaying gives the same result, keys in order; a sentence says why it cannot be scored.

    The file has the code of the reason in place of the sentence.
    """
    golden = GOLDEN[name]
    assert sorted(golden) == ["game", "result"]
    result = score(golden["game"])
    assert as_text(result) == as_text(golden["result"])
    code = reason(golden["game"])
    named = golden["result"].get("error", {}).get("message")
    assert named == (code and f"({code}; any wording)")
    message = result.get("error", {"message": "None."})["message"]
    assert message.strip() == message
    assert message.endswith(".")
    assert len(message) > 1
