"""In a language that marks every text, no command prints a word without its mark."""

import json
from itertools import chain
from pathlib import Path

import pytest

from app.cli.commands import comparison_lines, read_comparison_rules, read_hands
from app.cli.output import game_lines, settlement_lines
from app.rules.gamefile import read_game
from app.rules.hands import compare_hands
from app.rules.presets import PRESETS
from tests.marked import Marked

GOLDEN = Path(__file__).parents[1] / "golden"
EVENINGS = sorted(GOLDEN.glob("evening-of-*.json"))
HANDS = ("Anna: Ah Ad 9c 7s 2d", "Bo: As Ac 9d 7c 2s", "Cilla: Kh Qh 9h 8h 2h")


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.stem)
def test_no_protocol_prints_a_word_that_is_not_translated(path: Path) -> None:
    """The protocol has the rules, every deal, and the standing or the result."""
    spoken = Marked()
    game = read_game(json.loads(path.read_text(encoding="utf-8"))["game"])
    lines = game_lines(game, game.states(), spoken)
    # A rule set is named as in the file.
    names = [*game.setup.players, *PRESETS]
    words = (spoken.unmarked(line, names) for line in lines)
    assert set(chain.from_iterable(words)) == set()


def test_no_settlement_or_comparison_prints_a_word_that_is_not_translated() -> None:
    """They name the payments, the best hand and the card that decides."""
    spoken, cards = Marked(), read_hands(HANDS)
    lines = [*settlement_lines({"Anna": 500, "Bo": -200, "Cilla": -300}, 2, spoken)]
    for ties in ("kickers", "suits"):
        rules = read_comparison_rules(ties=ties)
        lines += comparison_lines(cards, compare_hands(cards, rules), rules.ties, spoken)
    words = (spoken.unmarked(line, cards) for line in lines)
    assert set(chain.from_iterable(words)) == set()
