"""Words of the house rules, a row a rule: the shape of a row, and the rules on deal and hands.

The rules on the play have theirs in play_words.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, get_args

import msgspec

from app.i18n.cards import hand_name, suit_signs
from app.i18n.language import N_, Language, Translated
from app.rules.hands import Hand, Ties
from app.rules.house import (
    HouseRules,
    Scorers,
    ScoringMoment,
    ZeroingMode,
    hands_that_zero,
    scored_moments,
)

Texts = Mapping[object, str]
Sentence = str | Texts | Callable[[HouseRules, Language], str]

ANY: Final = object()
# The table of points says it, or another rule's sentence.
ELSEWHERE: Sentence = ""

YES_NO: Translated[object, str] = {True: "yes", False: "no"}
MAY: Translated[object, str] = {True: "allowed", False: "not allowed"}
PLAYED: Translated[object, str] = {True: "played", False: "not played"}


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


def _exchanges(rules: HouseRules, language: Language) -> str:
    if rules.exchanges == "by_players":
        return language.gettext(
            "There are three exchanges in a deal if two or three began the game, two if more did."
        )
    return language.ngettext(
        "There is %(num)s exchange in a deal.",
        "There are %(num)s exchanges in a deal.",
        rules.exchanges,
    )


MOMENT_TEXTS: Translated[str, str] = {
    "dealt": "as dealt",
    "1": "after the first exchange",
    "2": "after the second exchange",
    "3": "after the third exchange",
    "play": "after the play",
}
_WHO_SCORES: Translated[Scorers, str] = {
    "best": "Only the best hand scores %(moments)s.",
    "equal": "The best hand scores %(moments)s; equal hands score each.",
    "everyone": "Everybody’s own hand scores %(moments)s.",
}


def _scored_hands(rules: HouseRules, language: Language) -> str:
    """Whose hands score at which moments; where the usual ones are agreed, in a word."""
    agreed = scored_at(rules)
    if rules.scored_hands is None and len(agreed) > 1:
        return language.gettext(
            "Only the best hand scores after every exchange but the last, and after the play."
        )
    sentences = [
        language.gettext(text) % {"moments": list_moments(agreed, who, language)}
        for who, text in _WHO_SCORES.items()
        if who in agreed.values()
    ]
    return " ".join(sentences) or language.gettext("No hand ever scores.")


def scored_at(rules: HouseRules) -> dict[ScoringMoment, Scorers]:
    """Whose hands score at the moments that a deal at this table may have (readings 22 and 33)."""
    return scored_moments(rules, 3 if rules.exchanges == "by_players" else rules.exchanges)


def list_moments(agreed: Mapping[ScoringMoment, Scorers], who: Scorers, language: Language) -> str:
    """The moments at which these score: `after the first exchange and after the play`."""
    return language.listing(
        language.gettext(MOMENT_TEXTS[each])
        for each in get_args(ScoringMoment)
        if agreed.get(each) == who
    )


def _max_exchange(rules: HouseRules, language: Language) -> str:
    if rules.max_exchange == 5:  # a whole hand
        return language.gettext("Any number of cards may be exchanged at a time.")
    cards = language.ngettext("%(num)s card", "%(num)s cards", rules.max_exchange)
    text = language.gettext("At most %(max_exchange)s may be exchanged at a time.")
    return text % {"max_exchange": cards}


def _has_stop(rules: HouseRules) -> bool:
    return rules.exchange_stop is not None


_HOW_IT_ZEROES: Translated[ZeroingMode, str] = {
    "choice": "Whoever has the best hand with %(hands)s may zero instead of scoring.",
    "always": "%(hands)s scores and zeroes.",
}


_TIES: Translated[Ties, str] = {
    "kickers": (
        "If two have the same combination, the other cards decide. If they are equal too, nobody"
        " scores."
    ),
    "same_type": "If two have the same kind of hand, nobody scores, whatever the cards.",
    "suits": (
        "If two have the same combination, the other cards decide, then the best suit in the"
        " pair, the higher pair or the top card. Suits, best first: %(suit_order)s."
    ),
    "suits_of_highest": (
        "If two have the same combination, the other cards decide, then the best suit among the"
        " highest cards. Suits, best first: %(suit_order)s."
    ),
}
# Where equal hands score too.
_EQUALS: Translated[Ties, str] = {
    "kickers": "If two have the same combination, the other cards decide.",
    "same_type": "Two with the same kind of hand are equal, whatever the cards.",
}


def _ties(rules: HouseRules, language: Language) -> str:
    texts = {**_TIES, **(_EQUALS if "equal" in scored_at(rules).values() else {})}
    text = language.gettext(texts[rules.ties])
    return text % {"suit_order": suit_signs(rules.suit_order)}


def _compares(rules: HouseRules) -> bool:
    """Whether one hand is ever held against another."""
    return bool({"best", "equal"} & {*scored_at(rules).values()})


# Where everybody’s own hand scores, it need not be the best.
_OWN_HANDS_ZERO = {**_HOW_IT_ZEROES, "choice": N_("%(hand)s may zero instead of scoring.")}
_ZEROES_NOBODY = N_("%(hand)s zeroes nobody.")


def _zeroing(rules: HouseRules, language: Language) -> str:
    """The hands that may zero, and those that always do."""
    hands = {how: hands_that_zero(rules, how) for how in _HOW_IT_ZEROES}
    said = (zeroing_text(rules, how, named, language) for how, named in hands.items())
    return " ".join(filter(None, said))


def zeroing_text(
    rules: HouseRules, how: ZeroingMode | None, hands: Sequence[Hand], language: Language
) -> str:
    """What these hands do to the others; nothing where there are none."""
    if not hands:
        return ""
    texts = _OWN_HANDS_ZERO if "everyone" in scored_at(rules).values() else _HOW_IT_ZEROES
    names = language.either(hand_name(hand, language) for hand in hands)
    text = language.gettext(texts[how] if how else _ZEROES_NOBODY)
    sentence = text % {"hands": names, "hand": names}
    return sentence[0].upper() + sentence[1:]


def _zeroes(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules))


DEAL_WORDS: Translated[str, RuleWords] = {
    "exchanges": RuleWords(
        "Exchanges", values={"by_players": "by number of players"}, sentence=_exchanges
    ),
    "max_exchange": RuleWords("Most cards to exchange at a time", sentence=_max_exchange),
    "open_card": RuleWords(
        "One open card",
        "",
        {**PLAYED, "last": "at the last exchange"},
        {
            True: (
                "Whoever exchanges a single card may ask for it face up, and decline it for the"
                " next one unseen."
            ),
            "last": (
                "At the last exchange, whoever takes a single card may ask for it face up, and"
                " decline it for the next one unseen."
            ),
            False: "Every card exchanged comes face down.",
        },
    ),
    "redeal_low_hand": RuleWords(
        "New cards for a low hand",
        values={
            None: "not played",
            "below_ten": "all below ten",
            "ten_or_below": "all ten or below",
        },
        sentence={
            None: "",
            "below_ten": (
                "Whoever is dealt only cards below ten may show them and get five new ones."
            ),
            "ten_or_below": (
                "Whoever is dealt only tens or lower may show them and get five new ones."
            ),
        },
    ),
    "lay_aside": RuleWords(
        "A combination that is broken up",
        values={True: "is laid aside, face down", False: "is shown"},
        sentence={
            True: (
                "Whoever breaks up a combination that scored, zeroed or tied lays the cards"
                " aside, face down; they are shown after the deal."
            ),
            False: ("Whoever breaks up a combination that scored, zeroed or tied shows it first."),
        },
    ),
    "exchange_stop": RuleWords(
        "Exchange stop at",
        values={None: "no stop"},
        sentence={
            None: "There is no exchange stop.",
            ANY: "Whoever has %(exchange_stop)s or more may not exchange.",
        },
    ),
    "exchange_stop_when": RuleWords(
        "The exchange stop applies",
        values={"deal_end": "from the next deal", "at_once": "from the next exchange"},
        sentence={
            "deal_end": (
                "The score when a deal begins decides: whoever reaches the limit is stopped from"
                " the next deal."
            ),
            "at_once": (
                "The score at the moment decides: whoever reaches the limit is stopped from the"
                " next exchange."
            ),
        },
        applies=_has_stop,
    ),
    "exchange_stop_style": RuleWords(
        "Whoever is stopped",
        values={
            "no_exchange": "plays with the five cards held",
            "six_cards": "is dealt six cards and discards one",
        },
        sentence={
            "no_exchange": (
                "Whoever is stopped plays with the five cards held, and need not show anything."
            ),
            "six_cards": (
                "Whoever is stopped is dealt six cards and discards one instead of exchanging,"
                " and need not show anything."
            ),
        },
        applies=_has_stop,
    ),
    "illegal_exchange": RuleWords(
        "Whoever exchanges despite the stop",
        values={"refused": "takes it back", "zeroed": "is zeroed"},
        sentence={
            "refused": "Whoever exchanges despite the stop takes the exchange back.",
            "zeroed": "Whoever exchanges despite the stop is zeroed.",
        },
        applies=_has_stop,
    ),
    "first_dealer_by": RuleWords(
        "First dealer",
        values={"random": "drawn by lot", "lowest_card": "lowest card drawn"},
        sentence={
            "random": "The first dealer is drawn by lot.",
            "lowest_card": "Whoever draws the lowest card deals first.",
        },
    ),
    "hand_points": RuleWords(
        "Points for hands",
        "Royal flush in hearts counts as any royal flush unless it has its own points.",
        {None: "as royal flush"},
        ELSEWHERE,
    ),
    "winning_hands": RuleWords(
        "Hands that win the game at once",
        "The hand scores, and wins if that brings the player to the target.",
        sentence=ELSEWHERE,
    ),
    "raising_hands": RuleWords(
        "Hands that raise the score to the target",
        "Instead of adding points.",
        sentence=ELSEWHERE,
    ),
    "scored_hands": RuleWords(
        "Who scores",
        values={
            None: "the best hand",
            "nobody": "nobody",
            "best": "the best hand",
            "equal": "all who are equal",
            "everyone": "everybody",
            "some": "otherwise …",
        },
        sentence=_scored_hands,
        parts=MOMENT_TEXTS,
    ),
    "ties": RuleWords(
        "Two have the same kind of hand",
        values={
            "kickers": "all the cards decide",
            "same_type": "they are equal, whatever the cards",
            "suits": "the cards decide; if all are equal, the suit of the pair or top card",
            "suits_of_highest": (
                "the cards decide; if all are equal, the suit of the highest card"
            ),
        },
        sentence=_ties,
        applies=_compares,
    ),
    "suit_order": RuleWords("The suits, best first", sentence=ELSEWHERE),
    "flush_suits": RuleWords(
        "Equal straight flushes and royals",
        values={
            True: "the suit decides",
            "suit_first": "the suit counts before the rank, in flushes too",
            False: "like any other hand",
        },
        sentence={
            True: "Equal straight flushes and royals go by suit, best first: %(suit_order)s.",
            "suit_first": (
                "Of two flushes, straight flushes or royals the better suit wins, whatever the"
                " rank. Suits, best first: %(suit_order)s."
            ),
            False: "",
        },
        # Where the same kind of hand is equal, no suit is looked at (reading 17).
        applies=lambda rules: _compares(rules) and rules.ties != "same_type",
    ),
    "zeroing": RuleWords(
        "Hands that zero the others",
        ("A hand that may zero does so instead of scoring; one that always zeroes scores as well."),
        {None: "does not zero", "choice": "may zero", "always": "always zeroes"},
        _zeroing,
    ),
    "zeroing_victims": RuleWords(
        "Who is zeroed",
        values={"others": "all the others", "one": "one, named by the holder"},
        sentence={
            "others": "A zeroing sets all the others to 0.",
            "one": "A zeroing sets one player to 0, named by the holder of the hand.",
        },
        applies=_zeroes,
    ),
    "after_zeroing": RuleWords(
        "After a zeroing",
        values={"deal_ends": "the deal is over", "deal_goes_on": "the deal goes on"},
        sentence={
            "deal_ends": "After a zeroing the deal is over.",
            "deal_goes_on": "After a zeroing the deal goes on.",
        },
        applies=_zeroes,
    ),
    "four_of_a_kind_ends_deal": RuleWords(
        "Four of a kind ends the deal",
        "",
        {True: "also when it scores", False: "not when it scores"},
        {True: "Four of a kind ends the deal, also when it scores.", False: ""},
    ),
    "zeroing_after_scoring": RuleWords(
        "Zeroing with a four of a kind that has scored in the deal",
        values=MAY,
        sentence={
            True: "A four of a kind that has scored may still zero later in the deal.",
            False: "A four of a kind that has scored may not zero later in the deal.",
        },
        applies=lambda rules: (
            bool(hands_that_zero(rules, "choice")) and not rules.four_of_a_kind_ends_deal
        ),
    ),
    "zeroing_and_chicago": RuleWords(
        "A zeroing before the play, then a Chicago",
        "Where the deal goes on after a zeroing.",
        {
            "zeroing_first": "the zeroing comes first",
            "chicago_voids_zeroing": "the Chicago cancels the zeroing",
            "zeroing_last": "the zeroing comes when the deal ends",
        },
        {
            "zeroing_first": "A zeroing before the play comes before a Chicago bid after it.",
            "chicago_voids_zeroing": (
                "A Chicago cancels a zeroing chosen before the play, even if it is broken."
            ),
            "zeroing_last": (
                "If a Chicago is bid, a zeroing before the play comes when the deal ends."
            ),
        },
        lambda rules: (
            bool(hands_that_zero(rules, "choice"))
            and rules.after_zeroing == "deal_goes_on"
            and rules.chicago_hand != "struck"
            and rules.chicago_when != "first_exchange"
        ),
    ),
    "zeroing_takes_chicagos": RuleWords(
        "A zeroing takes Chicagos too",
        "Whoever is zeroed has bid and made none from then on.",
        sentence={
            True: "Whoever is zeroed no longer counts as having bid or made a Chicago.",
            False: "",
        },
        applies=_zeroes,
    ),
}
