"""The rules that tables differ in most, as switches on top of the rules chosen for a table.

The form says what each switch showed, so that one that nobody touched changes nothing.
"""

from __future__ import annotations

from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from app.http.forms import read_field, read_int
from app.rules.errors import BadFile
from app.rules.hands import Hand
from app.rules.house import HouseRules, ZeroingMode, zeroing_of
from app.rules.presets import DEFAULT_PRESET, PRESETS

STOP, FOUR, CHICAGO = "stop", "four", "chicago"
MAX_STOP = 1000

Fields = MultiDict[str, str]


def switched_on(rules: HouseRules) -> list[str]:
    """Which switches these rules show as on."""
    shown = {
        STOP: rules.exchange_stop is not None,
        FOUR: zeroing_of(rules, Hand.FOUR_OF_A_KIND) is not None,
        CHICAGO: rules.win_needs_chicago != "no",
    }
    return [switch for switch, on in shown.items() if on]


def shown_stop(rules: HouseRules) -> int | None:
    """The score beside the switch of the exchange stop; while that is off, the usual one."""
    return rules.exchange_stop or PRESETS[DEFAULT_PRESET].exchange_stop


def turn(rules: HouseRules, fields: Fields) -> HouseRules:
    """The rules after the switches that were touched. Raises BadField for a stop that is none."""
    on = set(fields.getlist("on"))
    touched = on ^ set(fields.getlist("was"))
    if STOP in touched or (STOP in on and fields.get("stop") != fields.get("stop_was")):
        stop = read_field("stop", lambda: _stop(fields)) if STOP in on else None
        rules = replace(rules, exchange_stop=stop)
    if FOUR in touched:
        rules = replace(rules, zeroing=_with_four(rules, may_zero=FOUR in on))
    if CHICAGO in touched:
        rules = replace(rules, win_needs_chicago="declared" if CHICAGO in on else "no")
    return rules


def _stop(fields: Fields) -> int:
    """The score at which the exchange stop begins. Raises BadFile."""
    typed = fields.get("stop", "")
    stop = read_int(typed.strip(), 1, MAX_STOP)
    if not stop:
        raise BadFile("stop_unreadable", limit=MAX_STOP, typed=typed)
    return stop


def _with_four(rules: HouseRules, *, may_zero: bool) -> dict[Hand, ZeroingMode]:
    """Which hands zero, with four of a kind or without."""
    four = Hand.FOUR_OF_A_KIND
    others = {hand: how for hand, how in rules.zeroing.items() if hand != four}
    return {**others, four: "choice"} if may_zero else others
