"""Games of any number of deals, with most of the events that a score sheet marks."""

from collections.abc import Sequence

from app.rules.gamefile import Game, read_game

Raw = dict[str, object]

# A target that nobody reaches keeps a game going; anybody may bid.
RULES = {"preset": "huvudregler", "target": 999, "chicago_minimum": None}
THREE, FULL_HOUSE = {"hand": "three_of_a_kind"}, {"hand": "full_house"}
ZEROING = {"hand": "four_of_a_kind", "choose": "zero"}


def long_game(players: Sequence[str], deals: int) -> Raw:
    """Write a game file: every twelfth deal has a zeroing, every fourth a Chicago."""
    events: list[Raw] = []
    for number in range(1, deals + 1):
        leader, winner = (players[each % len(players)] for each in (number, number + number // 12))
        best: Raw = {"event": "best_hand", "player": winner}
        if number % 12 == 0:
            events.append(best | ZEROING)
            continue
        events += [best | THREE, {"event": "no_best_hand"}]
        if number % 4 == 3:
            events.append({"event": "chicago", "player": leader})
            events.append({"event": "chicago_result", "won": number % 8 == 3})
        else:
            events += [{"event": "last_trick", "player": leader}, best | FULL_HOUSE]
    return {
        "format": "chicago-game/1",
        "players": [*players],
        "dealer": players[-1],
        "rules": RULES,
        "events": events,
    }


def play_long_game(players: Sequence[str], deals: int) -> Game:
    """Return such a game."""
    return read_game(long_game(players, deals))
