"""The lettered variants of `huvudregler`: which house rules each means, and with which values.

A letter whose values are left out concerns the rule whatever its value is.
"""

from __future__ import annotations

from collections.abc import Mapping

VARIANTS: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "A": {"ties": ("suits",)},
    "B": {"hand_points": ()},
    "C": {"zeroing": (None,)},
    "D": {"zeroing": ("always",)},
    "E": {"redeal_low_hand": ("below_ten",)},
    "F": {"exchanges": (2,)},
    "G": {"open_card": (True,)},
    "H": {"max_exchange": (4,)},
    "I": {"ties": ("same_type",)},
    "J": {"zeroing_after_scoring": (False,)},
    "K": {"after_zeroing": ("deal_goes_on",)},
    "L": {"lay_aside": (True,)},
    "M": {"chicago_lead": ("eldest",)},
    "N": {"last_trick_with_two": (10,)},
    "O": {"last_trick": (2,), "last_trick_with_two": (5,)},
    "P": {"chicago_breaker_bonus": (8, 10)},
    "Q": {"chicago_hand": ("always",)},
    "R": {"negative_scores": (True,), "chicago_minimum": (None,)},
    "S": {"chicago_once": (True,)},
    "T": {"chicago_priority": ("overbid",)},
    "U": {"target": (51,)},
    "V": {"exchange_stop": ()},
    "W": {"win_needs_chicago": ("won",)},
    "X": {"win_needs_chicago": ("no",)},
    "Y": {"finish": ("trick_same_deal",)},
    "Z": {"win_when": ("at_once",), "exchange_stop_when": ("at_once",)},
}


def letters_of_field(field: str) -> str:
    """The variants that concern a rule whatever its value is: `B`, `V`."""
    return "".join(key for key, fields in VARIANTS.items() if fields.get(field) == ())


def letters_of_value(field: str, value: object) -> str:
    """The variants that mean this very value of a rule."""
    return "".join(key for key, fields in VARIANTS.items() if _among(value, fields.get(field, ())))


def _among(value: object, values: tuple[object, ...]) -> bool:
    """Whether a value is one of several; true is not 1 here."""
    return any(type(value) is type(other) and value == other for other in values)
