"""In a language that marks every text, no command prints a word without its mark."""

from app.cli.commands import comparison_lines, read_comparison_rules, read_hands
from app.cli.output import game_lines, settlement_lines
from app.rules.hands import compare_hands
from app.rules.presets import PRESETS
from tests.marked import Marked
from tests.rules.table import golden_games

HANDS = ("Anna: Ah Ad 9c 7s 2d", "Bo: As Ac 9d 7c 2s", "Cilla: Kh Qh 9h 8h 2h")


def test_no_command_prints_a_word_that_is_not_translated() -> None:
    """A protocol of any golden game, a settlement, and a comparison by either way of ties."""
    spoken, cards = Marked(), read_hands(HANDS)
    lines = [*settlement_lines({"Anna": 500, "Bo": -200, "Cilla": -300}, 2, spoken)]
    for ties in ("kickers", "suits"):
        rules = read_comparison_rules(ties=ties)
        lines += comparison_lines(cards, compare_hands(cards, rules), rules.ties, spoken)
    assert {word for line in lines for word in spoken.unmarked(line, cards)} == set()
    for game, states in golden_games():
        # A rule set is named as in the file, and remarks are people's own.
        own = [*states[-1].players, *PRESETS, *map(str, game.remarks.values())]
        own += [str(event.note) for event in game.events]
        printed = game_lines(game, states, spoken)
        assert {word for line in printed for word in spoken.unmarked(line, own)} == set()
