"""Every house rule in words, a row a field; app/i18n/house_rules.py looks them up."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.rule_words.chicago import CHICAGO_WORDS
from app.i18n.rule_words.deal import DEAL_WORDS
from app.i18n.rule_words.hands import HAND_WORDS
from app.i18n.rule_words.row import RuleWords
from app.i18n.rule_words.winning import WINNING_WORDS

WORDS: Mapping[str, RuleWords] = {**DEAL_WORDS, **HAND_WORDS, **CHICAGO_WORDS, **WINNING_WORDS}
