"""The deal and its exchanges, the exchange stop, and the setup before the first deal."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.language import N_, Language
from app.i18n.rule_words import ANY, PLAYED, RuleWords, Texts
from app.rules.house import HouseRules

_ORDINALS: Texts = {1: N_("the first"), 2: N_("the second"), 3: N_("the third")}


def _exchanges(rules: HouseRules, language: Language) -> str:
    return language.ngettext(
        "There is %(num)s exchange in a deal.",
        "There are %(num)s exchanges in a deal.",
        rules.exchanges,
    )


def _scored_exchanges(rules: HouseRules, language: Language) -> str:
    numbers = rules.scored_exchanges
    scoring = range(1, rules.exchanges) if numbers is None else sorted(numbers)
    names = [language.gettext(_ORDINALS[n]) for n in scoring if n <= rules.exchanges]
    if not names:
        return language.gettext("No hand scores before the play.")
    text = language.gettext("The single best hand scores after %(exchanges)s exchange.")
    return text % {"exchanges": language.listing(names)}


def _max_exchange(rules: HouseRules, language: Language) -> str:
    if rules.max_exchange == 5:  # a whole hand
        return language.gettext("Any number of cards may be exchanged at a time.")
    cards = language.ngettext("%(num)s card", "%(num)s cards", rules.max_exchange)
    text = language.gettext("At most %(max_exchange)s may be exchanged at a time.")
    return text % {"max_exchange": cards}


def _has_stop(rules: HouseRules) -> bool:
    return rules.exchange_stop is not None


DEAL_WORDS: Mapping[str, RuleWords] = {
    "exchanges": RuleWords(N_("Exchanges in a deal"), sentence=_exchanges),
    "scored_exchanges": RuleWords(
        N_("The best hand scores"),
        values={None: N_("after every exchange but the last"), **_ORDINALS},
        sentence=_scored_exchanges,
        some=N_("after these exchanges"),
    ),
    "max_exchange": RuleWords(N_("Most cards to exchange at a time"), sentence=_max_exchange),
    "open_card": RuleWords(
        N_("One open card"),
        N_(
            "Whoever exchanges a single card may ask for it face up, and turn it down for the"
            " next one unseen."
        ),
        PLAYED,
        {
            True: N_(
                "Whoever exchanges a single card may ask for it face up, and turn it down for the"
                " next one unseen."
            ),
            False: "",
        },
    ),
    "redeal_low_hand": RuleWords(
        N_("New cards for a low hand"),
        values={
            None: N_("not played"),
            "below_ten": N_("all below ten"),
            "ten_or_below": N_("all ten or below"),
        },
        sentence={
            None: "",
            "below_ten": N_(
                "Whoever is dealt only cards below ten may show them and have five new ones."
            ),
            "ten_or_below": N_(
                "Whoever is dealt only tens or lower may show them and have five new ones."
            ),
        },
    ),
    "lay_aside": RuleWords(
        N_("A combination that is broken up"),
        values={True: N_("is laid aside, face down"), False: N_("is shown")},
        sentence={
            True: N_(
                "Whoever breaks up a combination that scored, zeroed or tied lays the cards"
                " aside, face down; they are shown after the deal."
            ),
            False: N_(
                "Whoever breaks up a combination that scored, zeroed or tied shows it first."
            ),
        },
    ),
    "exchange_stop": RuleWords(
        N_("Exchange stop at"),
        values={None: N_("no stop")},
        sentence={
            None: N_("There is no exchange stop."),
            ANY: N_("Whoever has %(exchange_stop)s or more may not exchange."),
        },
    ),
    "exchange_stop_when": RuleWords(
        N_("The exchange stop holds"),
        values={"deal_end": N_("from the next deal"), "at_once": N_("from the next exchange")},
        sentence={
            "deal_end": N_(
                "The score when a deal begins decides: whoever reaches the limit is stopped from"
                " the next deal."
            ),
            "at_once": N_(
                "The score at the moment decides: whoever reaches the limit is stopped from the"
                " next exchange."
            ),
        },
        applies=_has_stop,
    ),
    "exchange_stop_style": RuleWords(
        N_("Whoever is stopped"),
        values={
            "no_exchange": N_("plays with the five cards dealt"),
            "six_cards": N_("is dealt six cards and throws one"),
        },
        sentence={
            "no_exchange": N_(
                "Whoever is stopped plays with the five cards dealt, and need not show anything."
            ),
            "six_cards": N_(
                "Whoever is stopped is dealt six cards and throws one instead of exchanging, and"
                " need not show anything."
            ),
        },
        applies=_has_stop,
    ),
    "illegal_exchange": RuleWords(
        N_("Whoever exchanges in spite of the stop"),
        values={"refused": N_("takes it back"), "zeroed": N_("is zeroed")},
        sentence={
            "refused": N_("Whoever exchanges in spite of the stop takes the exchange back."),
            "zeroed": N_("Whoever exchanges in spite of the stop is zeroed."),
        },
        applies=_has_stop,
    ),
    "first_dealer_by": RuleWords(
        N_("First dealer"),
        values={"random": N_("drawn by lot"), "lowest_card": N_("lowest card drawn")},
        sentence={
            "random": N_("The first dealer is drawn by lot."),
            "lowest_card": N_("Whoever draws the lowest card deals first."),
        },
    ),
}
