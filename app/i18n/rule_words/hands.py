"""The hands: their points, the winner of two equal ones, and zeroing."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.i18n.rule_words import ELSEWHERE, MAY, RuleWords
from app.rules.house import HouseRules, ZeroingMode, hands_that_zero

_HOW_IT_ZEROES: Mapping[ZeroingMode, str] = {
    "choice": N_("Whoever has the best hand with %(hands)s may zero instead of scoring."),
    "always": N_("%(hands)s scores and zeroes."),
}


def _zeroing(rules: HouseRules, language: Language) -> str:
    """The hands that may zero, and those that always do."""
    sentences = []
    for how, text in _HOW_IT_ZEROES.items():
        hands = hands_that_zero(rules, how)
        if hands:
            names = language.either(hand_name(hand, language) for hand in hands)
            sentence = language.gettext(text) % {"hands": names}
            sentences.append(sentence[0].upper() + sentence[1:])
    return " ".join(sentences)


def _zeroes(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules))


def _zeroes_by_choice_and_goes_on(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules, "choice")) and rules.after_zeroing == "deal_goes_on"


def _may_zero_after_scoring(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules, "choice")) and not rules.four_of_a_kind_ends_deal


HAND_WORDS: Mapping[str, RuleWords] = {
    "hand_points": RuleWords(
        N_("Points for the best hand"),
        N_("Royal flush in hearts counts as any royal flush unless it has its own points."),
        {None: N_("as royal flush")},
        ELSEWHERE,
    ),
    "winning_hands": RuleWords(
        N_("Hands that win the game at once"),
        N_("The hand scores, and wins if that brings the player to the target."),
        sentence=ELSEWHERE,
    ),
    "raising_hands": RuleWords(
        N_("Hands that lift the score to the target"),
        N_("Instead of adding points."),
        sentence=ELSEWHERE,
    ),
    "hand_after_play": RuleWords(
        N_("Best hand after the play"),
        values={True: N_("scores once more"), False: N_("does not score")},
        sentence={
            True: N_("After the play the best hand scores once more."),
            False: N_("After the play no hand scores."),
        },
    ),
    "ties": RuleWords(
        N_("Two have the same kind of hand"),
        values={
            "kickers": N_("the cards decide, odd ones too; all equal, nobody scores"),
            "same_type": N_("nobody scores, whatever the cards"),
            "suits": N_("the cards decide; all equal, the suit of the pair or top card"),
            "suits_of_highest": N_("the cards decide; all equal, the suit of the highest card"),
        },
        sentence={
            "kickers": N_(
                "If two have the same combination, the odd cards decide. If they are equal too,"
                " nobody scores."
            ),
            "same_type": N_(
                "If two have the same kind of hand, nobody scores, whatever the cards."
            ),
            "suits": N_(
                "If two have the same combination, the odd cards decide, then the best suit in"
                " the pair, the higher pair or the top card. Suits, best first: %(suit_order)s."
            ),
            "suits_of_highest": N_(
                "If two have the same combination, the odd cards decide, then the best suit among"
                " the highest cards. Suits, best first: %(suit_order)s."
            ),
        },
    ),
    "suit_order": RuleWords(N_("The suits, best first"), sentence=ELSEWHERE),
    "flush_suits": RuleWords(
        N_("Equal straight flushes and royals"),
        values={True: N_("the suit decides"), False: N_("as any other hand")},
        sentence={
            True: N_("Equal straight flushes and royals go by suit, best first: %(suit_order)s."),
            False: "",
        },
        applies=lambda rules: rules.ties == "kickers",
    ),
    "zeroing": RuleWords(
        N_("Hands that zero the others"),
        N_("A hand that may zero does so instead of scoring; one that always zeroes scores too."),
        {None: N_("no"), "choice": N_("may zero"), "always": N_("always zeroes")},
        _zeroing,
    ),
    "zeroing_victims": RuleWords(
        N_("Who is zeroed"),
        values={"others": N_("all the others"), "one": N_("one, whom the holder names")},
        sentence={
            "others": N_("A zeroing sets all the others to 0."),
            "one": N_("A zeroing sets one player to 0, whom the holder of the hand names."),
        },
        applies=_zeroes,
    ),
    "after_zeroing": RuleWords(
        N_("After a zeroing"),
        values={"deal_ends": N_("the deal is over"), "deal_goes_on": N_("the deal goes on")},
        sentence={
            "deal_ends": N_("After a zeroing the deal is over."),
            "deal_goes_on": N_("After a zeroing the deal goes on."),
        },
        applies=_zeroes,
    ),
    "four_of_a_kind_ends_deal": RuleWords(
        N_("Four of a kind ends the deal"),
        N_("Also when it is scored."),
        {True: N_("always"), False: N_("only by zeroing")},
        {True: N_("Four of a kind ends the deal, also when it scores."), False: ""},
    ),
    "zeroing_after_scoring": RuleWords(
        N_("Zeroing with a four of a kind that has scored in the deal"),
        values=MAY,
        sentence={
            True: N_("A four of a kind that has scored may still zero later in the deal."),
            False: N_("A four of a kind that has scored may not zero later in the deal."),
        },
        applies=_may_zero_after_scoring,
    ),
    "zeroing_and_chicago": RuleWords(
        N_("A zeroing before the play, then a Chicago"),
        N_("Where the deal goes on after a zeroing."),
        {
            "zeroing_first": N_("the zeroing comes first"),
            "chicago_voids_zeroing": N_("the Chicago cancels the zeroing"),
            "zeroing_last": N_("the zeroing comes when the deal ends"),
        },
        {
            "zeroing_first": N_("A zeroing before the play comes before a Chicago bid after it."),
            "chicago_voids_zeroing": N_(
                "A Chicago cancels a zeroing chosen before the play, even if it is broken."
            ),
            "zeroing_last": N_(
                "If a Chicago is bid, a zeroing before the play comes when the deal ends."
            ),
        },
        _zeroes_by_choice_and_goes_on,
    ),
    "zeroing_takes_chicagos": RuleWords(
        N_("A zeroing takes Chicagos too"),
        N_("Whoever is zeroed has bid and made none from then on."),
        sentence={
            True: N_("Whoever is zeroed no longer counts as having bid or made a Chicago."),
            False: "",
        },
        applies=_zeroes,
    ),
}
