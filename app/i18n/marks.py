"""What the marks of a score sheet look like, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.i18n.errors import error_text
from app.i18n.game import effect_text
from app.i18n.language import N_, Language
from app.rules.codes import MarkCode
from app.rules.marks import Mark
from app.rules.state import Effect


class MarkWords(NamedTuple):
    """A mark's sign, the same in every language, and its name as a message to translate.

    Signs that are alike are told apart by what is drawn around them, or through them.
    """

    sign: str
    label: str


MARKS: Mapping[MarkCode, MarkWords] = {
    "stop_begins": MarkWords("■", N_("Exchange stop begins")),
    "stopped": MarkWords("□", N_("Exchange stop")),
    "zeroes": MarkWords("✗", N_("Zeroes others")),
    "zeroed": MarkWords("→0", N_("Zeroed")),
    "requirement_unmet": MarkWords("C?", N_("Target without Chicago")),
    "bid": MarkWords("C", N_("Chicago bid")),
    "chicago_won": MarkWords("C", N_("Chicago made")),
    "chicago_lost": MarkWords("C", N_("Chicago broken")),
    "blind_bid": MarkWords("B", N_("Blind Chicago bid")),
    "blind_won": MarkWords("B", N_("Blind Chicago made")),
    "blind_lost": MarkWords("B", N_("Blind Chicago broken")),
    "tie_break": MarkWords("=", N_("Tie-break")),
    "joins": MarkWords("↓", N_("Joins the game")),
    "out": MarkWords("↑", N_("Leaves the game")),
}


def why_text(mark: Mark, language: Language) -> str:
    """Why a mark stands where it does, with the numbers."""
    if isinstance(mark.why, Effect):
        return effect_text(mark.why, language)
    return error_text(mark.why, language)
