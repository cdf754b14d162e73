"""The questions that come first: those that tell published rule sets apart, and taps to each set.

`published.json` has thirty sets of rules as rule pages and score keepers have published them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from app.i18n.house_rules import SCALE, words_of
from app.rules.hands import COMMON_HANDS
from app.rules.house import OPTIONS, HouseRules
from app.rules.presets import DEFAULT_PRESET, PRESETS, SCALES, read_rules
from app.web.rule_form import LEADING, FilledValues, fill_form, read_form
from tests.rules.test_presets import PUBLISHED
from tests.told import told

SETS = [read_rules(raw)[1] for raw in PUBLISHED]
MOST_TAPS = 12
# The question of the scale asks for these together.
TOGETHER = {SCALE: "hand_points", "winning_hands": ""}


def pairs_told_apart(field: str) -> int:
    """Count the pairs of sets whose values differ in a rule that applies to both."""
    applies = words_of(field).applies
    asked = [getattr(rules, field) for rules in SETS if applies is None or applies(rules)]
    return sum(one != other for one, other in combinations(asked, 2))


def test_the_questions_are_those_that_tell_most_sets_apart() -> None:
    """A dozen, the one that tells most pairs apart first; winning hands go with their points."""
    ranked = sorted(OPTIONS, key=pairs_told_apart, reverse=True)
    ranked.remove("winning_hands")
    asked = [TOGETHER.get(name, name.partition(".")[0]) for name in LEADING]
    assert asked == ranked[:12]
    assert pairs_told_apart("winning_hands") > pairs_told_apart(ranked[11])


class Tap(NamedTuple):
    """A control of the form and what is chosen, ticked or written there."""

    name: str
    texts: list[str]
    taps: int = 1

    @property
    def folds(self) -> set[str]:
        """What is folded above the control: its group, and the lower hands within."""
        if any(f"{self.name}.".startswith(f"{name}.") for name in LEADING):
            return set()
        field, *rest = self.name.split(".")
        return {OPTIONS[field].group, *(field for hand in rest if hand in COMMON_HANDS)}


def taps_between(before: FilledValues, after: FilledValues) -> Iterator[Tap]:
    """Yield the taps from a form to another; a number written is one, a choice from a list two."""
    for name, texts in after.items():
        within = after.get(name.partition(".")[0])
        if texts == before[name] or name.startswith(SCALE) or name.endswith(".was"):
            continue
        if name.startswith("scored_hands.") and within != ["some"]:
            continue
        if name.startswith("blind_chicago.") and within == ["none"]:
            continue
        if name.endswith(".some"):
            yield Tap(name, texts, len({*texts} ^ {*before[name]}))
        elif texts not in ([""], ["other"]):
            yield Tap(name, texts, 2 if name.startswith("scored_hands.") else 1)


class Way(NamedTuple):
    """From a published set, by a scale or none, tap by tap."""

    preset: str
    scale: dict[str, list[str]]
    way: list[Tap]

    @property
    def asked(self) -> int:
        """The taps to choose the set and to answer questions."""
        first = (0 if self.preset == DEFAULT_PRESET else 2) + bool(self.scale)
        return first + sum(tap.taps for tap in self.way if not tap.folds)

    @property
    def taps(self) -> int:
        """All taps, those that unfold included."""
        folded = [tap for tap in self.way if tap.folds]
        unfold = {fold for tap in folded for fold in tap.folds}
        return self.asked + len(unfold) + sum(tap.taps for tap in folded)


@cache
def list_starts() -> list[tuple[str, dict[str, list[str]], FilledValues]]:
    """Return the form of each published set, with each scale and without one."""
    scales: list[dict[str, list[str]]] = [
        {},
        *({SCALE: [str(scale)], f"{SCALE}.was": [""]} for scale in SCALES),
    ]
    return [
        (preset, scale, fill_form(read_form(scale, base)[0]))
        for preset, base in PRESETS.items()
        for scale in scales
    ]


def shortest_way(wanted: HouseRules) -> Way:
    """Return the way of fewest taps from the form as a new table has it."""
    after = fill_form(wanted)
    ways = [
        Way(preset, scale, [*taps_between(form, after)]) for preset, scale, form in list_starts()
    ]
    return min(ways, key=attrgetter("taps"))


@told
def test_the_form_reaches_every_published_set(number: int, taps: int | None) -> None:
    """From what a new table has, with twelve taps at most for all that is asked first."""
    way = shortest_way(SETS[number])
    begun = fill_form(read_form(way.scale, PRESETS[way.preset])[0])
    chosen = {**begun, **{tap.name: tap.texts for tap in way.way}}
    assert read_form(chosen, PRESETS[way.preset]) == (SETS[number], {})
    assert way.asked <= MOST_TAPS
    assert way.taps == taps if taps else way.taps <= MOST_TAPS
