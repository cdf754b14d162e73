"""The sentence for each house rule and value, for the page that says what a table plays.

`%(field)s` is a rule's value, in points where it is points. A value that is not listed goes by
`ANY`; an empty text says nothing, because nothing happens or another sentence has said it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.i18n.language import N_
from app.rules.house import HouseRules, covers, listed_hands, zeroing_of

ANY = "any"
Texts = Mapping[object, str]

SENTENCES: Mapping[str, Texts] = {
    "max_exchange": {
        5: N_("Any number of cards may be exchanged at a time."),
        ANY: N_("At most %(max_exchange)s may be exchanged at a time."),
    },
    "open_card": {
        True: N_(
            "Who exchanges one card may ask for it face up, and refuse it for the next unseen."
        ),
        False: "",
    },
    "redeal_low_hand": {
        None: "",
        "below_ten": N_("Who is dealt only cards below ten may show them and have five new ones."),
        "ten_or_below": N_("Who is dealt only tens or lower may show them and have five new ones."),
    },
    "lay_aside": {
        True: N_(
            "Who breaks up a combination that scored, zeroed or tied lays the cards aside, face"
            " down; they are shown after the deal."
        ),
        False: N_("Who breaks up a combination that scored, zeroed or tied shows it first."),
    },
    "exchange_stop": {
        None: N_("There is no exchange stop."),
        ANY: N_("Whoever has %(exchange_stop)s or more may not exchange."),
    },
    "exchange_stop_when": {
        "deal_end": N_(
            "The score when the deal begins decides, so the stop bites in the next deal."
        ),
        "at_once": N_("The score at the moment decides, so the stop bites from the next exchange."),
    },
    "exchange_stop_style": {
        "no_exchange": "",
        "six_cards": N_("Instead of exchanging, that player is dealt six cards and throws one."),
    },
    "illegal_exchange": {
        "refused": N_("Who exchanges all the same takes it back."),
        "zeroed": N_("Who exchanges all the same is set to 0."),
    },
    "hand_after_play": {
        True: N_("After the play the best hand scores once more."),
        False: N_("After the play no hand scores."),
    },
    "ties": {
        "kickers": N_("Equal combinations: the odd cards decide. Exactly equal, nobody scores."),
        "same_type": N_("If two have the same kind of hand, nobody scores, whatever the cards."),
        "suits": N_(
            "Equal combinations: the odd cards decide, then the best suit in the pair, the higher"
            " pair or the top card. Suits, best first: %(suit_order)s."
        ),
        "suits_of_highest": N_(
            "Equal combinations: the odd cards decide, then the best suit among the highest cards."
            " Suits, best first: %(suit_order)s."
        ),
    },
    "flush_suits": {
        True: N_("Equal straight flushes and royals go by suit, best first: %(suit_order)s."),
        False: "",
    },
    "zeroing_victims": {
        "others": N_("It zeroes all the others."),
        "one": N_("It zeroes one player, whom the holder names."),
    },
    "after_zeroing": {
        "deal_ends": N_("After a zeroing the deal is over."),
        "deal_goes_on": N_("After a zeroing the deal goes on."),
    },
    "four_of_a_kind_ends_deal": {
        True: N_("Four of a kind ends the deal, also when it scores."),
        False: "",
    },
    "zeroing_after_scoring": {
        True: N_("A four of a kind that has scored may still zero later in the deal."),
        False: N_("A four of a kind that has scored may not zero later in the deal."),
    },
    "zeroing_and_chicago": {
        "zeroing_first": N_("A zeroing before the play comes before a Chicago bid after it."),
        "chicago_voids_zeroing": N_(
            "A Chicago cancels a zeroing chosen before the play, even if lost."
        ),
        "zeroing_last": N_(
            "If a Chicago is bid, a zeroing before the play comes when the deal ends."
        ),
    },
    "last_trick": {
        0: N_("The last trick gives nothing."),
        ANY: N_("The last trick gives %(last_trick)s."),
    },
    "last_trick_with_two": {
        None: "",
        ANY: N_("Taken with a two it gives %(last_trick_with_two)s."),
    },
    "chicago_points": {ANY: N_("Chicago, all five tricks, gives %(chicago_points)s.")},
    "chicago_penalty": {
        0: N_("Broken, it costs nothing."),
        ANY: N_("Broken, it costs %(chicago_penalty)s."),
    },
    "chicago_with_two": {
        None: "",
        ANY: N_("With a two in the last trick it gives %(chicago_with_two)s."),
    },
    "chicago_minimum": {
        None: N_("Anybody may bid Chicago, whatever the score."),
        ANY: N_("To bid Chicago a player needs %(chicago_minimum)s."),
    },
    "chicago_once": {
        True: N_("Each player may bid Chicago once in a game, blind ones included."),
        False: "",
    },
    "chicago_when": {
        "before_play": N_("Chicago is bid after the last exchange, before the first card."),
        "any_time": N_(
            "Chicago may be bid at any time before the play; hands that are due still score."
        ),
    },
    "chicago_hand": {
        "if_won": N_("The best hand after the play scores only if the Chicago is made."),
        "never": N_("In a deal with a Chicago no hand scores after the play."),
        "always": N_("The best hand after the play scores whether the Chicago is made or broken."),
    },
    "chicago_last_trick": {
        "never": N_("In a deal with a Chicago the last trick gives nothing."),
        "if_lost": N_("If a Chicago is broken, play goes on and the last trick scores."),
        "if_won": N_("A Chicago made gives the last trick's points as well."),
        "always": N_("The last trick scores in a deal with a Chicago too, made or broken."),
    },
    "chicago_breaker_bonus": {
        0: "",
        ANY: N_("Who breaks a Chicago gets %(chicago_breaker_bonus)s."),
    },
    "chicago_breaker": {
        "taker": N_("That is whoever takes the trick from the declarer."),
        "first_over": N_("That is whoever first beats the declarer's card, trick or not."),
    },
    "chicago_lead": {
        "declarer": N_("Left of the dealer leads; in a Chicago the declarer does."),
        "eldest": N_("Left of the dealer leads, in a Chicago too."),
    },
    "chicago_priority": {
        "eldest_first": N_(
            "Left of the dealer bids first, then on clockwise; the first bid stands."
        ),
        "overbid": N_("A player nearer to the dealer's left may overbid another's Chicago."),
    },
    "target": {
        ANY: N_("Whoever has %(target)s or more when a deal ends can win; the highest wins.")
    },
    "win_needs_chicago": {
        "no": "",
        "declared": N_("To win, a player must have bid Chicago in the game, made or broken."),
        "won": N_("To win, a player must have made a Chicago in the game."),
    },
    "win_needs_chicago_unmet": {
        "zeroed": N_("Whoever reaches the target without it is set to 0."),
        "plays_on": N_("Whoever reaches the target without it just plays on."),
    },
    "finish": {
        "at_target": "",
        "trick_same_deal": N_(
            "To win, a player must also take the last trick or a Chicago in that deal."
        ),
        "trick_later_deal": N_(
            "To win, a player must also take the last trick or a Chicago in a deal begun at the"
            " target."
        ),
    },
    "win_when": {
        "deal_end": N_("A deal that has begun is played out."),
        "at_once": N_("Whoever reaches the target with a hand before the play wins at once."),
    },
    "tied_winners": {
        "share": N_("Equal at the top share the win."),
        "tie_break": N_("Equal at the top play on alone, deal by deal, until one is ahead."),
        "play_on": N_(
            "If several are equal at the top, nobody has won yet and everybody plays on."
        ),
    },
    "false_claim_loses": {
        True: N_("Who claims a hand without having it is out, and pays as one who has 0."),
        False: "",
    },
    "negative_scores": {
        True: N_("Scores may go below zero."),
        False: N_("No score goes below zero."),
    },
    "negative_pays_double": {True: N_("Who ends below zero pays double."), False: ""},
    "first_dealer_by": {
        "random": N_("The first dealer is drawn by lot."),
        "lowest_card": N_("Whoever draws the lowest card deals first."),
    },
}


def _zeroes(rules: HouseRules) -> bool:
    return any(zeroing_of(rules, hand) for hand in listed_hands(rules))


def _wins_at_once(rules: HouseRules) -> bool:
    return any(covers(rules.winning_hands, hand) for hand in listed_hands(rules))


def _chooses_and_goes_on(rules: HouseRules) -> bool:
    chosen = any(zeroing_of(rules, hand) == "choice" for hand in listed_hands(rules))
    return chosen and rules.after_zeroing == "deal_goes_on"


# Where a rule never applies, it is not told.
APPLIES: Mapping[str, Callable[[HouseRules], bool]] = {
    "exchange_stop_when": lambda rules: rules.exchange_stop is not None,
    "exchange_stop_style": lambda rules: rules.exchange_stop is not None,
    "illegal_exchange": lambda rules: rules.exchange_stop is not None,
    "flush_suits": lambda rules: rules.ties == "kickers",
    "zeroing_victims": _zeroes,
    "after_zeroing": _zeroes,
    "zeroing_after_scoring": lambda rules: (
        "choice" in rules.zeroing.values() and not rules.four_of_a_kind_ends_deal
    ),
    "zeroing_and_chicago": _chooses_and_goes_on,
    "chicago_hand": lambda rules: rules.hand_after_play,
    "chicago_breaker": lambda rules: rules.chicago_breaker_bonus > 0,
    "win_needs_chicago_players": lambda rules: rules.win_needs_chicago != "no",
    "win_needs_chicago_unmet": lambda rules: rules.win_needs_chicago != "no",
}
