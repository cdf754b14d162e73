"""The published rule sets and the scales of hand points, as values; and reading `rules`."""

import base64
from collections.abc import Mapping
from operator import attrgetter
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from app.rules.codes import BadFile
from app.rules.hands import Hand
from app.rules.house import (
    OPTIONS,
    USUAL_POINTS,
    BlindChicago,
    HouseRules,
    ScoringMoment,
    check_value,
)
from app.rules.names import decode

DEFAULT_PRESET = "huvudregler"

PAGAT = HouseRules(**{row.field: row.default for row in OPTIONS.values()})  # type: ignore[arg-type]  # values come from a table that tests hold against the types

GAMERULES = replace(
    PAGAT,
    exchange_stop=None,
    chicago_hand="always",
    tied_winners="tie_break",
    first_dealer_by="lowest_card",
    false_claim_loses=False,
)

WIKIPEDIA = replace(
    PAGAT,
    exchanges=2,
    hand_points={**USUAL_POINTS, Hand.ROYAL_FLUSH: 20},
    exchange_stop=42,
    exchange_stop_style="six_cards",
    chicago_minimum=None,
    chicago_when="any_time",
    chicago_hand="always",
    blind_chicago=BlindChicago(points=30, penalty=20, with_two=60),
    negative_scores=True,
    open_card=True,
    false_claim_loses=False,
)

KORTSPELSREGLER = replace(
    PAGAT,
    winning_hands=frozenset({Hand.ROYAL_FLUSH}),
    false_claim_loses=False,
)

HUVUDREGLER = replace(
    PAGAT,
    hand_points={
        **USUAL_POINTS,
        Hand.FOUR_OF_A_KIND: 8,
        Hand.STRAIGHT_FLUSH: 52,
        Hand.ROYAL_FLUSH: 52,
    },
    winning_hands=frozenset({Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH}),
    zeroing={Hand.FOUR_OF_A_KIND: "choice", Hand.ROYAL_FLUSH: "always"},
    suit_order="hsdc",
    flush_suits=True,
    chicago_hand="never",
    chicago_lead="declarer",
    chicago_breaker="first_over",
    exchange_stop=45,
    win_needs_chicago="declared",
    false_claim_loses=False,
)

VANLIG = replace(
    PAGAT,
    winning_hands=frozenset({Hand.ROYAL_FLUSH}),
    zeroing={Hand.FOUR_OF_A_KIND: "choice"},
    chicago_lead="declarer",
    open_card=True,
    false_claim_loses=False,
)

PRESETS: Mapping[str, HouseRules] = {
    "huvudregler": HUVUDREGLER,
    "vanlig": VANLIG,
    "pagat": PAGAT,
    "kortspelsregler": KORTSPELSREGLER,
    "gamerules": GAMERULES,
    "wikipedia": WIKIPEDIA,
}


def _scale(high: Mapping[Hand, int], winning: Hand) -> HouseRules:
    return replace(
        HUVUDREGLER,
        hand_points={**USUAL_POINTS, **high},
        winning_hands=frozenset({winning}),
        zeroing={_FOUR: "choice"},
    )


_FOUR, _STRAIGHT_FLUSH = Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH
_ROYAL, _HEARTS = Hand.ROYAL_FLUSH, Hand.ROYAL_FLUSH_HEARTS

SCALED = ("hand_points", "winning_hands", "zeroing")
# The named scales of hand points with the hands that win and zero (`huvudregler B`).
SCALES: Mapping[int, HouseRules] = {
    1: HUVUDREGLER,
    2: _scale({_STRAIGHT_FLUSH: 8}, _ROYAL),
    3: _scale({_FOUR: 8, _STRAIGHT_FLUSH: 11}, _ROYAL),
    4: _scale({_FOUR: 8, _STRAIGHT_FLUSH: 11, _ROYAL: 20, _HEARTS: 52}, _HEARTS),
}


def read_rules(raw: object) -> tuple[str, HouseRules]:
    """Read `rules` of a game file: the preset's name, and the rules with the differences from it.

    Raises BadFile for an unknown preset or field, and for a value the field cannot have.
    """
    if not isinstance(raw, dict):
        raise BadFile("not_an_object", what="rules")
    preset = raw.get("preset", DEFAULT_PRESET)
    if not isinstance(preset, str) or preset not in PRESETS:
        raise BadFile("unknown_preset", value=preset)
    base, fields = PRESETS[preset], {k: v for k, v in raw.items() if k != "preset"}
    if {"hand_after_play", "scored_exchanges"} & {*fields}:
        fields = _renew(base, fields)
    return preset, replace(base, **{k: _read_field(base, k, v) for k, v in fields.items()})


def _renew(base: HouseRules, fields: dict[str, object]) -> dict[str, object]:
    """Say in the one field what two said before (RULES.md, Old words). Raises BadFile."""
    if "scored_hands" in fields:
        raise BadFile("old_words_beside", field="scored_hands")
    after = check_value("hand_after_play", fields.pop("hand_after_play", True), bool)
    listed = fields.pop("scored_exchanges", None)
    numbers = check_value("scored_exchanges", listed, frozenset[Literal[1, 2, 3]] | None)
    if isinstance(listed, list) and len(listed) != len(set(listed)):
        raise BadFile("repeated_rule_value", field="scored_exchanges", value=listed)
    if numbers is None and after:
        return fields
    if numbers is None:
        number = _read_field(base, "exchanges", fields.get("exchanges", base.exchanges))
        numbers = range(1, number if isinstance(number, int) else 3)
    moments = [*map(str, numbers), *(["play"] if after else [])]  # type: ignore[call-overload]  # checked as a set of numbers
    return {**fields, "scored_hands": dict.fromkeys(moments, "best")}


def _read_field(base: HouseRules, field: str, value: object) -> object:
    if field not in OPTIONS:
        raise BadFile("unknown_rule", field=field)
    change = OPTIONS[field].read(value)
    if OPTIONS[field].merges and isinstance(change, dict):
        merged = {**getattr(base, field), **change}
        return {hand: part for hand, part in merged.items() if part is not None}
    return change


def write_rules(preset: str, rules: HouseRules) -> dict[str, object]:
    """Write rules as a game file does: the preset's name and the fields that differ from it."""
    raw: dict[str, object] = {"preset": preset}
    for field in OPTIONS:
        base, value = getattr(PRESETS[preset], field), getattr(rules, field)
        if value != base:
            if OPTIONS[field].merges:
                value = dict.fromkeys(base) | value
                value = {hand: own for hand, own in value.items() if base.get(hand) != own}
            raw[field] = write_value(value)
    return raw


def write_value(value: object) -> object:
    """Write one rule's value as JSON, lists and objects in a fixed order."""
    if isinstance(value, frozenset):
        return [msgspec.to_builtins(v) for v in sorted(value, key=_rank)]
    if isinstance(value, dict):
        return {str(k): value[k] for k in sorted(value, key=_rank)}
    raw: object = msgspec.to_builtins(value, order="sorted")
    return raw


def write_code(preset: str, rules: HouseRules) -> str:
    """Write rules as a link can carry them: only the differences from the preset."""
    text = msgspec.json.encode(write_rules(preset, rules))
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def read_code(code: str) -> tuple[str, HouseRules]:
    """Read rules from a link. Raises BadFile when they are cut off, or cannot be had."""
    try:
        text = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise BadFile("not_json") from None
    return read_rules(decode(text))


def scale_of(rules: HouseRules) -> int | None:
    """The named scale that these rules score, win and zero by; None for any other."""
    by = attrgetter(*SCALED)
    return next((number for number, scale in SCALES.items() if by(scale) == by(rules)), None)


def _rank(value: Hand | ScoringMoment | int) -> int:
    if isinstance(value, int):
        return value
    return [*Hand, *get_args(ScoringMoment)].index(value)
