"""A row of words: one house rule for the form, for lists and for the rule page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from app.i18n.language import N_, Language
from app.rules.house import HouseRules

Texts = Mapping[object, str]
Sentence = str | Texts | Callable[[HouseRules, Language], str]

ANY: Final = object()
# The table of points says it, or another rule's sentence.
ELSEWHERE: Sentence = ""

YES_NO: Texts = {True: N_("yes"), False: N_("no")}
MAY: Texts = {True: N_("allowed"), False: N_("not allowed")}
PLAYED: Texts = {True: N_("played"), False: N_("not played")}


class RuleWords(msgspec.Struct, frozen=True):
    """The words of one house rule.

    The form asks for it by its `label`, explained by `help` where that is not plain; `values` are
    its values by name, in the order in which people think of them. `some` stands before values
    that are ticked where None is a value too, `parts` are the values within a value.

    `sentence` says the rule on the page of a table's rules: a text, a text for each value (ANY for
    those not listed), or a function that puts it together. `%(field)s` in a text is the rule's own
    value, in points where it is a number. An empty text says nothing, because nothing happens or
    another sentence says it. Nothing is said either under rules where this one never `applies`.
    """

    label: str
    help: str = ""
    values: Texts = {}
    sentence: Sentence | None = None
    applies: Callable[[HouseRules], bool] | None = None
    some: str = N_("only these")
    parts: Mapping[str, str] = {}


def text_for(value: object, texts: Texts) -> str:
    """The text for a value, or for ANY; empty where there is neither, as for a table of hands."""
    if not isinstance(value, dict) and value in texts:
        return texts[value]
    return texts.get(ANY, "")
