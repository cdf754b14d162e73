"""The house rules in players' words: what each is called, what it does, what its values mean."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from app.i18n.game import hand_name
from app.i18n.language import MINUS, N_, Language
from app.rules.hands import Hand
from app.rules.house import OPTIONS, BlindChicago, HouseRules
from app.rules.presets import PRESETS

Values = Mapping[object, str]


class Words(msgspec.Struct, frozen=True):
    """What a rule is called, what it does where that is not plain, and its values by name.

    `some` is said of values that are ticked, `parts` are the values within a value.
    """

    label: str
    help: str = ""
    values: Values = {}
    some: str = ""
    parts: Mapping[str, str] = {}


GROUPS: Mapping[str, str] = {
    "stop": N_("Exchange stop"),
    "hands": N_("Hands and their points"),
    "zeroing": N_("Zeroing"),
    "trick": N_("Last trick"),
    "chicago": N_("Chicago"),
    "end": N_("Winning"),
    "exchanges": N_("Deal and exchanges"),
    "money": N_("Below zero"),
    "table": N_("Before the first deal"),
}

YES_NO: Values = {True: N_("yes"), False: N_("no")}
ALLOWED: Values = {True: N_("allowed"), False: N_("not allowed")}
PLAYED: Values = {True: N_("played"), False: N_("not played")}

WORDS: Mapping[str, Words] = {
    "exchange_stop": Words(
        N_("Exchange stop at"),
        N_("With this many points a player may not exchange any more."),
        {None: N_("no stop")},
    ),
    "exchange_stop_when": Words(
        N_("The exchange stop holds"),
        values={"deal_end": N_("from the next deal"), "at_once": N_("from the next exchange")},
    ),
    "exchange_stop_style": Words(
        N_("Whoever is stopped"),
        values={
            "no_exchange": N_("keeps the cards dealt"),
            "six_cards": N_("is dealt six cards and throws one"),
        },
    ),
    "illegal_exchange": Words(
        N_("Whoever exchanges all the same"),
        values={"refused": N_("takes it back"), "zeroed": N_("is zeroed")},
    ),
    "hand_points": Words(
        N_("Points for the best hand"),
        N_("Royal flush in hearts counts as any royal flush unless it has its own points."),
        {None: N_("as royal flush")},
    ),
    "winning_hands": Words(
        N_("Hands that win the game at once"),
        N_("The hand scores, and wins if that brings the player to the target."),
    ),
    "raising_hands": Words(
        N_("Hands that lift the score to the target"),
        N_("Instead of adding points."),
    ),
    "hand_after_play": Words(
        N_("Best hand after the play"),
        values={True: N_("scores once more"), False: N_("does not score")},
    ),
    "ties": Words(
        N_("Two have the same kind of hand"),
        values={
            "kickers": N_("the cards decide, odd ones too; all equal, nobody scores"),
            "same_type": N_("nobody scores, whatever the cards"),
            "suits": N_("the cards decide; all equal, the suit of the pair or top card"),
            "suits_of_highest": N_("the cards decide; all equal, the suit of the highest card"),
        },
    ),
    "suit_order": Words(N_("The suits, best first")),
    "flush_suits": Words(
        N_("Equal straight flushes and royals"),
        values={True: N_("the suit decides"), False: N_("as any other hand")},
    ),
    "zeroing": Words(
        N_("Hands that zero the others"),
        N_("Who may zero does so instead of scoring; who always zeroes scores too."),
        {None: N_("no"), "choice": N_("may zero"), "always": N_("always zeroes")},
    ),
    "zeroing_victims": Words(
        N_("Who is zeroed"),
        values={"others": N_("all the others"), "one": N_("one, whom the holder names")},
    ),
    "after_zeroing": Words(
        N_("After a zeroing"),
        values={"deal_ends": N_("the deal is over"), "deal_goes_on": N_("the deal goes on")},
    ),
    "four_of_a_kind_ends_deal": Words(
        N_("Four of a kind ends the deal"),
        N_("Also when it is scored."),
        {True: N_("always"), False: N_("only by zeroing")},
    ),
    "zeroing_after_scoring": Words(
        N_("Zeroing with a four of a kind that has scored in the deal"),
        values=ALLOWED,
    ),
    "zeroing_and_chicago": Words(
        N_("A zeroing before the play, then a Chicago"),
        N_("Where the deal goes on after a zeroing."),
        {
            "zeroing_first": N_("the zeroing comes first"),
            "chicago_voids_zeroing": N_("the Chicago cancels the zeroing"),
            "zeroing_last": N_("the zeroing comes when the deal ends"),
        },
    ),
    "last_trick": Words(N_("Last trick")),
    "last_trick_with_two": Words(N_("Last trick with a two"), values={None: N_("nothing special")}),
    "chicago_points": Words(N_("Chicago made")),
    "chicago_penalty": Words(N_("Chicago broken"), N_("So many points are lost.")),
    "chicago_with_two": Words(
        N_("Chicago made with a two"),
        N_("All five tricks, the last one with a two."),
        {None: N_("nothing special")},
    ),
    "chicago_minimum": Words(N_("Points needed to bid Chicago"), values={None: N_("none needed")}),
    "chicago_once": Words(
        N_("Chicagos for each player in a game"),
        values={True: N_("one"), False: N_("as many as you like")},
    ),
    "chicago_when": Words(
        N_("Chicago is bid"),
        values={
            "before_play": N_("after the last exchange"),
            "any_time": N_("at any time in the deal"),
        },
    ),
    "chicago_hand": Words(
        N_("Best hand when Chicago is played"),
        values={
            "if_won": N_("scores if the Chicago is made"),
            "never": N_("never scores"),
            "always": N_("always scores"),
        },
    ),
    "chicago_last_trick": Words(
        N_("Last trick when Chicago is played"),
        values={
            "never": N_("never scores"),
            "if_lost": N_("scores if the Chicago is broken"),
            "if_won": N_("scores if the Chicago is made"),
            "always": N_("always scores"),
        },
    ),
    "chicago_breaker_bonus": Words(
        N_("Points for breaking a Chicago"), values={0: N_("no points")}
    ),
    "chicago_breaker": Words(
        N_("Who is said to break it"),
        values={
            "taker": N_("whoever takes the trick"),
            "first_over": N_("whoever first beats the declarer's card"),
        },
    ),
    "chicago_lead": Words(
        N_("First lead in a Chicago"),
        values={"declarer": N_("the declarer"), "eldest": N_("left of the dealer, as always")},
    ),
    "chicago_priority": Words(
        N_("Several want to bid Chicago"),
        values={
            "eldest_first": N_("whose turn comes first has it"),
            "overbid": N_("a player further ahead may still overbid"),
        },
    ),
    "blind_chicago": Words(
        N_("Blind Chicago"),
        N_("Bid before looking at the cards. No hand scores in that deal."),
        {None: N_("not played"), "some": N_("played")},
        parts={
            "points": N_("Chicago made"),
            "penalty": N_("Chicago broken"),
            "with_two": N_("With a two, which wins the game"),
            "minimum": N_("Points needed to bid"),
        },
    ),
    "target": Words(N_("Played to")),
    "win_needs_chicago": Words(
        N_("Chicago needed to win"),
        values={
            "no": N_("no"),
            "declared": N_("bid at least once"),
            "won": N_("made at least once"),
        },
    ),
    "win_needs_chicago_players": Words(
        N_("That Chicago is asked for"),
        values={None: N_("however many we are")},
        some=N_("only when we are"),
    ),
    "win_needs_chicago_unmet": Words(
        N_("Whoever reaches the target without it"),
        values={"zeroed": N_("is zeroed"), "plays_on": N_("just plays on")},
    ),
    "finish": Words(
        N_("Last trick needed to win"),
        N_("A Chicago made will do as well."),
        {
            "at_target": N_("no"),
            "trick_same_deal": N_("in the deal that wins"),
            "trick_later_deal": N_("in a deal begun at the target"),
        },
    ),
    "win_when": Words(
        N_("At the target before the play"),
        values={"deal_end": N_("the deal is played out"), "at_once": N_("that hand wins at once")},
    ),
    "tied_winners": Words(
        N_("Equal at the top"),
        values={
            "share": N_("they share the win"),
            "tie_break": N_("they play on alone"),
            "play_on": N_("everybody plays on"),
        },
    ),
    "false_claim_loses": Words(
        N_("Claiming a hand one does not have"),
        values={True: N_("loses the game"), False: N_("costs nothing here")},
    ),
    "negative_scores": Words(N_("Scores below zero"), values=ALLOWED),
    "negative_pays_double": Words(
        N_("Who ends below zero pays"), values={True: N_("double"), False: N_("as others do")}
    ),
    "exchanges": Words(N_("Exchanges in a deal")),
    "scored_exchanges": Words(
        N_("The best hand scores"),
        values={
            None: N_("after every exchange but the last"),
            1: N_("the first"),
            2: N_("the second"),
            3: N_("the third"),
        },
        some=N_("after these exchanges"),
    ),
    "max_exchange": Words(N_("Most cards to exchange at a time")),
    "open_card": Words(
        N_("One open card"),
        N_("Who exchanges one card may ask for it face up, and refuse it for the next unseen."),
        PLAYED,
    ),
    "redeal_low_hand": Words(
        N_("New cards for a low hand"),
        values={
            None: N_("not played"),
            "below_ten": N_("all below ten"),
            "ten_or_below": N_("all ten or below"),
        },
    ),
    "lay_aside": Words(
        N_("A combination that is broken up"),
        values={True: N_("is laid aside, face down"), False: N_("is shown")},
    ),
    "first_dealer_by": Words(
        N_("First dealer"),
        values={"random": N_("drawn by lot"), "lowest_card": N_("lowest card drawn")},
    ),
}


SUIT_SIGNS: Mapping[str, str] = {"h": "♥", "s": "♠", "d": "♦", "c": "♣"}


def group_title(group: str, language: Language) -> str:
    """A group of house rules, as a heading."""
    return language.gettext(GROUPS[group]) if group in GROUPS else _plain(group)


def label(field: str, language: Language) -> str:
    """What a house rule is called."""
    return language.gettext(WORDS[field].label) if field in WORDS else _plain(field)


def help_text(field: str, language: Language) -> str:
    """What a house rule does, where its name does not say it all."""
    help_text = WORDS[field].help if field in WORDS else ""
    return language.gettext(help_text) if help_text else ""


def part_label(field: str, part: str, language: Language) -> str:
    """What a value within a value is called."""
    parts = WORDS[field].parts if field in WORDS else {}
    return language.gettext(parts[part]) if part in parts else _plain(part)


def some_label(field: str, language: Language) -> str:
    """What is said of values that are ticked, where they may also be none of them."""
    some = WORDS[field].some if field in WORDS else ""
    return language.gettext(some or N_("only these"))


def value_order(field: str) -> list[object]:
    """The values in the order in which people think of them."""
    return list(WORDS[field].values) if field in WORDS else []


def value_words(field: str, value: object, language: Language) -> str:
    """A value of a house rule, in a few words."""
    known = WORDS[field].values if field in WORDS else {}
    for other, text in known.items():
        if type(other) is type(value) and other == value:
            return language.gettext(text)
    if isinstance(value, frozenset) and value and field in WORDS and WORDS[field].some:
        members = [value_words(field, member, language) for member in sorted(value)]
        return f"{some_label(field, language)} {language.listing(members)}"
    return _any_value(value, language)


def _any_value(value: object, language: Language) -> str:
    match value:
        case bool():
            return language.gettext(YES_NO[value])
        case None:
            return language.gettext(N_("none"))
        case Hand():
            return hand_name(value, language)
        case int():
            return language.number(value)
        case BlindChicago():
            return _blind(value, language)
        case frozenset():
            return _set(value, language)
        case str() if len(value) == len(SUIT_SIGNS) and set(value) == set(SUIT_SIGNS):
            return suit_signs(value)
        case _:
            return _plain(str(value))


def suit_signs(order: str) -> str:
    """The suits in an order, as signs."""
    return " ".join(SUIT_SIGNS[suit] for suit in order)


def _set(values: frozenset[object], language: Language) -> str:
    hands = [hand_name(hand, language) for hand in Hand if hand in values]
    numbers = [language.number(n) for n in sorted(v for v in values if isinstance(v, int))]
    return language.listing(hands or numbers) or language.gettext(N_("none"))


def _blind(blind: BlindChicago, language: Language) -> str:
    return f"+{language.number(blind.points)}/{MINUS}{language.number(blind.penalty)}"


def difference_text(field: str, value: object, base: object, language: Language) -> str:
    """What a rule is, said beside what it was: of hands, only those that differ."""
    if not isinstance(value, dict) or not isinstance(base, dict):
        return value_words(field, value, language)
    said = [
        f"{hand_name(hand, language)} {value_words(field, value.get(hand), language)}"
        for hand in Hand
        if value.get(hand) != base.get(hand)
    ]
    return ", ".join(said) or "–"


def _plain(name: str) -> str:
    """A name from the code, as well as it can be said."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if name in OPTIONS else words


def differing(preset: str, rules: HouseRules) -> list[str]:
    """The rules that differ from the rule set they started from."""
    base = PRESETS[preset]
    return [field for field in OPTIONS if getattr(rules, field) != getattr(base, field)]


def differences(preset: str, rules: HouseRules, language: Language) -> list[str]:
    """What differs from the rule set these rules started from, rule by rule."""
    return [
        f"{label(field, language)}: "
        + difference_text(field, getattr(rules, field), getattr(PRESETS[preset], field), language)
        for field in differing(preset, rules)
    ]
