"""The steps of the sample game in words: each event, its effects, and the rules behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from app.i18n.errors import error_text
from app.i18n.game import effect_text, effect_why, explain_stops, hand_name
from app.i18n.house_rules import rule_sentence
from app.i18n.language import N_, Language
from app.rules.codes import EffectCode, LessonCode
from app.rules.errors import NotAllowed
from app.rules.events import BestHand, NoBestHand
from app.rules.house import OPTIONS
from app.rules.outcome import outcome
from app.rules.rights import speaking_order
from app.rules.sample import Lesson, scoring_instead
from app.rules.state import Effect, GameState, Step

LESSONS: Mapping[LessonCode, str] = {
    "start": N_(
        "%(players)s sit down. %(dealer)s deals five cards to each. %(eldest)s, on the dealer’s"
        " left, is first to exchange and first to speak."
    ),
    "hand": N_(
        "The exchange is over, and each says in turn what they hold. The best hand: %(player)s,"
        " %(hand)s."
    ),
    "final_hand": N_("All the cards lie on the table. The best hand: %(player)s, %(hand)s."),
    "tie": N_("%(players)s both have %(hand)s, and neither is better: nobody scores."),
    "nobody": N_("This hand gives nobody anything."),
    "trick": N_("The five cards are played, one at a time. %(player)s takes the last trick."),
    "bid_refused": N_(
        "Before the first card is led, %(player)s would like to bid Chicago: to take all five"
        " tricks."
    ),
    "bid": N_("Before the first card is led, %(player)s bids Chicago, to take all five tricks."),
    "made": N_("%(player)s takes all five tricks."),
    "broken": N_("%(player)s takes a trick, and so the Chicago is broken."),
    "stopped": N_("The cards are dealt, and %(player)s would like to exchange."),
    "target": N_("This takes %(player)s to %(target)s or more."),
    "choice": N_(
        "%(player)s has the best hand, %(hand)s, and may score %(points)s or zero. %(player)s"
        " zeroes."
    ),
    "zeroing": N_("%(player)s has the best hand, %(hand)s, and it zeroes."),
    "later": "",
    "goes_on": N_("And so it goes on, deal by deal, until somebody wins."),
}

# The house rules behind a lesson, and behind the effects of its event.
_BEHIND_LESSONS: Mapping[LessonCode, tuple[str, ...]] = {
    "start": ("exchanges", "scored_exchanges"),
    "tie": ("ties",),
    "nobody": ("hand_points",),
    "final_hand": ("hand_after_play",),
    "bid_refused": ("chicago_minimum",),
    "bid": ("chicago_when",),
    "stopped": ("exchange_stop_when", "illegal_exchange"),
    "target": ("win_when",),
    "goes_on": ("target",),
}
_BEHIND_EFFECTS: Mapping[EffectCode, tuple[str, ...]] = {
    "hand": ("hand_points",),
    "hand_raised": ("hand_points",),
    "zeroes": ("zeroing",),
    "zeroed": ("zeroing_victims", "after_zeroing"),
    "chicagos_taken": ("zeroing_takes_chicagos",),
    "chicago_won": ("chicago_points", "chicago_hand"),
    "chicago_won_with_two": ("chicago_with_two", "chicago_hand"),
    "chicago_lost": ("chicago_penalty", "chicago_hand", "chicago_last_trick"),
    "last_trick": ("last_trick",),
    "requirement_unmet": ("win_needs_chicago", "win_needs_chicago_unmet"),
    "passed_over": ("win_needs_chicago", "win_needs_chicago_unmet"),
    "tie_break_begins": ("tied_winners",),
    "tied_play_on": ("tied_winners",),
    "won_highest": ("target", "finish"),
    "won_shared": ("tied_winners",),
    "won_at_once": ("win_when",),
}


# Lessons whose reason is, word for word, in the rules behind them.
_TOLD_BY_RULES: frozenset[EffectCode] = frozenset(
    {"zeroes", "chicago_won", "chicago_lost", "last_trick", "won_highest"}
)


class RuleReference(msgspec.Struct, frozen=True):
    """A rule in words, and the part of the rule page it stands in."""

    text: str
    group: str


class LessonWords(msgspec.Struct, frozen=True):
    """A step in words: the event, its effects, the reason, and the rules to read on in."""

    text: str
    gives: list[str]
    whys: list[str]
    rules: list[RuleReference]


def describe(lesson: Lesson, language: Language) -> LessonWords:
    """A step of the sample game in words."""
    return LessonWords(
        text=_text(lesson, language),
        gives=[effect_text(effect, language) for effect in _shown_effects(lesson)],
        whys=list(dict.fromkeys(_whys(lesson, language))),
        rules=list(_rules(lesson, language)),
    )


def _shown_effects(lesson: Lesson) -> list[Effect]:
    """The effects of an event but for those that its own words and the scores say."""
    effects = lesson.after.effects if lesson.event else ()
    known = {"bid", "zeroed"} if lesson.code in ("bid", "choice") else set()
    return [effect for effect in effects if effect.code not in known]


def _text(lesson: Lesson, language: Language) -> str:
    if lesson.code == "later":
        return _later(lesson.before, lesson.after, language)
    event, before = lesson.event, lesson.before
    hand = event.hand if isinstance(event, BestHand | NoBestHand) else None
    tied = event.players() if isinstance(event, NoBestHand) else ()
    return language.gettext(LESSONS[lesson.code]) % {
        "player": lesson.player,
        "players": language.listing(tied or before.players),
        "dealer": before.deal.dealer,
        "eldest": speaking_order(before)[0],
        "hand": hand_name(hand, language) if hand else "",
        "points": _points_instead(lesson),
        "target": before.rules.target,
    }


def _points_instead(lesson: Lesson) -> int:
    """The points that a hand zeroing by choice would give instead, all in all."""
    if lesson.code != "choice" or not isinstance(lesson.event, BestHand):
        return 0
    scored = outcome(lesson.before, scoring_instead(lesson.event))
    return 0 if isinstance(scored, NotAllowed) else scored.booked(lesson.player)


def _later(before: GameState, after: GameState, language: Language) -> str:
    """The deal and step that the game has reached meanwhile."""
    deals = after.deal.number - before.deal.number
    passed = language.ngettext("After %(num)s more deal.", "After %(num)s more deals.", deals)
    text = (
        passed if deals else language.gettext("Further on in deal %(num)s.", num=after.deal.number)
    )
    exchanged = language.gettext("The last exchange is over.")
    return f"{text} {exchanged}" if after.deal.step is Step.PLAY else text


def _whys(lesson: Lesson, language: Language) -> Iterator[str]:
    if lesson.code == "later":
        yield language.gettext("What lies between was played by the same rules.")
    if lesson.answer is not None:
        yield error_text(lesson.answer, language)
    if lesson.event is not None:
        for effect in lesson.after.effects:
            if effect.code not in _TOLD_BY_RULES:
                yield effect_why(lesson.after.rules, effect, language)
            if effect.clamped:
                yield language.gettext("The score never goes below 0 at this table.")
        yield from explain_stops(lesson.before, lesson.after, language)


def _rules(lesson: Lesson, language: Language) -> Iterator[RuleReference]:
    for field in dict.fromkeys(_fields(lesson)):
        sentence = rule_sentence(field, lesson.after.rules, language)
        group = "points" if field == "hand_points" else OPTIONS[field].group
        if field == "hand_points":
            yield RuleReference(language.gettext("Points for the best hand"), group)
        elif sentence:
            yield RuleReference(sentence, group)


def _fields(lesson: Lesson) -> Iterable[str]:
    yield from _BEHIND_LESSONS.get(lesson.code, ())
    for effect in lesson.after.effects if lesson.event else ():
        yield from _BEHIND_EFFECTS.get(effect.code, ())
