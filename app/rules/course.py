"""The course of a game, or of years added up: who was ahead until when, as codes and values.

A step is the end of a deal, or of an evening or a month; step 0 is the beginning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from app.rules.codes import CourseCode
from app.rules.protocol import ZEROINGS
from app.rules.state import GameState
from app.rules.statistics import AGREED

# A lead that changed less often is told by who had it before; in fewer deals none is the best.
LEAST = 3

Sums = Mapping[str, int]


class Episode(msgspec.Struct, frozen=True):
    """One thing to tell: of whom, the `value` (a sum, points of one deal, or times), and when."""

    code: CourseCode
    players: tuple[str, ...] = ()
    value: int = 0
    step: int = 0


def lay_out(states: Sequence[GameState]) -> list[dict[str, int]]:
    """Everybody's score at the beginning, at the end of each deal, and as it stands.

    Whoever joined has what they joined with at the end of the deal before (reading 20).
    """
    scores = [state.scores for state in _ends(states)]
    for before, after in pairwise(states):
        for effect in after.effects:
            if effect.code == "joins" and effect.player:
                scores[before.deal.number - 1][effect.player] = after.score(effect.player)
    return scores


def add_along(changes: Iterable[Sums]) -> list[dict[str, int]]:
    """Everybody's sum at the beginning and after each of some changes.

    Whoever comes later has 0 at the step before.
    """
    steps: list[dict[str, int]] = [{}]
    for change in changes:
        steps[-1] = dict.fromkeys(change, 0) | steps[-1]
        steps.append({name: each + change.get(name, 0) for name, each in steps[-1].items()})
    return steps


def describe_game(states: Sequence[GameState]) -> list[Episode]:
    """The course of a game so far: its leader or winner, the one before, and the turning point."""
    race = [{name: state.score(name) for name in state.playing} for state in _ends(states)]
    end = states[-1]
    return [
        *describe_lead(race, end.winners, is_void=end.over and not end.winners),
        *_find_turns(states),
    ]


def _ends(states: Sequence[GameState]) -> list[GameState]:
    """The first state, and the last of each deal."""
    ends = [states[0]]
    for before, after in pairwise(states):
        ends[before.deal.number :] = [after]
    return ends


def describe_lead(
    race: Sequence[Sums], winners: tuple[str, ...] = (), *, is_void: bool = False
) -> list[Episode]:
    """Tell who is ahead or has won, who led alone before them, and how often the lead changed.

    `race` has at each step the sums of those who could win then. Where it `is_void` it is over, and
    nobody has won.
    """
    last = len(race) - 1
    if not last:
        return []
    tops = [_find_top(sums) for sums in race]
    ahead = winners or tops[-1]
    code = _find_standing(len(ahead), has_winners=bool(winners), is_void=is_void)
    alone = [(step, top[0]) for step, top in enumerate(tops) if len(top) == 1]
    before = [Episode("led_until", (name,), 0, step) for step, name in alone if ahead != (name,)]
    changes = sum(one != other for (_, one), (_, other) in pairwise(alone))
    episodes = [Episode(code, ahead, race[-1][ahead[0]], last), *before[-1:]]
    if len(alone) >= LEAST and not before:
        episodes.append(Episode("led_throughout"))
    if changes >= LEAST:
        episodes.append(Episode("lead_changes", (), changes))
    return episodes


def _find_standing(ahead: int, *, has_winners: bool, is_void: bool) -> CourseCode:
    if has_winners or is_void:
        return "won" if has_winners else "was_ahead"
    return "leads" if ahead == 1 else "level"


def _find_top(sums: Sums) -> tuple[str, ...]:
    """The players with the highest score."""
    most = max(sums.values(), default=0)
    return tuple(name for name, each in sums.items() if each == most)


def _find_turns(states: Sequence[GameState]) -> list[Episode]:
    """The most that a score rose by in one deal, and who had points and lost them all, last."""
    gains: Counter[tuple[int, str]] = Counter()
    zeroed: dict[int, dict[str, None]] = {}
    for before, after in pairwise(states):
        deal = before.deal.number
        for effect in after.effects:
            if effect.player and effect.code not in AGREED:
                gains[deal, effect.player] += effect.points
            if effect.player and effect.points and effect.code in ZEROINGS:
                zeroed.setdefault(deal, {})[effect.player] = None
    turns = [
        Episode("best_deal", (name,), points, deal)
        for (deal, name), points in gains.most_common(1)
        if points > 0 and states[-1].deal.number > LEAST
    ]
    victims = [Episode("zeroed", tuple(names), 0, deal) for deal, names in zeroed.items()]
    return [*turns, *victims[-1:]]
