"""Words of the house rules on the play: the last trick, Chicago, winning, scores below zero."""

from app.i18n.language import N_, Language, Translated
from app.i18n.rule_words import ANY, MAY, YES_NO, RuleWords, scored_at
from app.rules.house import BlindChicago, HouseRules

_BLIND: Translated[object, str] = {
    "before_looking": (
        "Blind Chicago, bid before looking at the cards, gives %(points)s and costs %(penalty)s"
        " if broken. No hand scores in that deal."
    ),
    "last_exchange": (
        "Blind Chicago, bid before looking at the last cards, gives %(points)s and costs"
        " %(penalty)s if broken. No hand scores after the bid; what scored before it stands."
    ),
}


def _blind_chicago(rules: HouseRules, language: Language) -> str:
    blind = rules.blind_chicago
    if blind is None:
        return ""
    text = language.gettext(_BLIND[blind.when])
    points, penalty = language.points(blind.points), language.points(blind.penalty)
    first = text % {"points": points, "penalty": penalty}
    return " ".join([first, *_blind_chicago_extras(blind, language)])


def _blind_chicago_extras(blind: BlindChicago, language: Language) -> list[str]:
    sentences = []
    if blind.with_two is not None:
        text = language.gettext(
            "With a two in the last trick it gives %(points)s and wins at once."
        )
        sentences.append(text % {"points": language.points(blind.with_two)})
    if blind.minimum is not None:
        text = language.gettext("To bid it blind a player needs %(points)s.")
        sentences.append(text % {"points": language.points(blind.minimum)})
    return sentences


def _win_needs_chicago_players(rules: HouseRules, language: Language) -> str:
    counts = rules.win_needs_chicago_players
    if counts is None:
        return ""
    if not counts:
        return language.gettext("No number of players is ticked, so nobody needs a Chicago.")
    numbers = language.either(map(str, sorted(counts)))
    return language.gettext("Chicago is needed to win only with %(counts)s players.") % {
        "counts": numbers
    }


def _needs_chicago(rules: HouseRules) -> bool:
    return rules.win_needs_chicago != "no"


_WHEN_BID: Translated[object, str] = {
    "before_play": "Chicago is bid after the last exchange, before the first card.",
    "any_time": "Chicago may be bid at any time before the play.",
    "first_exchange": (
        "Chicago is bid before the deal’s first hand is announced, by somebody who keeps their"
        " cards."
    ),
}


_STILL_SCORE = N_("Hands due before the play still score.")


def _chicago_when(rules: HouseRules, language: Language) -> str:
    """When Chicago is bid; where hands still due score all the same, that too (reading 14)."""
    said = language.gettext(_WHEN_BID[rules.chicago_when])
    due = any(moment != "play" for moment in scored_at(rules))
    if rules.chicago_when == "before_play" or rules.chicago_hand == "struck" or not due:
        return said
    return f"{said} {language.gettext(_STILL_SCORE)}"


_HAND_AFTER: Translated[object, str] = {
    "if_won": "In a deal with a Chicago hands score after the play only if it is made.",
    "never": "In a deal with a Chicago no hand scores after the play.",
    "always": (
        "In a deal with a Chicago hands score after the play as usual, whether it is made or"
        " broken."
    ),
    "others": (
        "In a deal with a Chicago hands score after the play, whether it is made or broken, but"
        " never the declarer’s."
    ),
    "struck": (
        "A Chicago bid sets the scores back to what they were before the deal, and no hand scores"
        " after it."
    ),
}


_NO_HAND = N_("In a deal with a Chicago no hand scores.")


def _chicago_hand(rules: HouseRules, language: Language) -> str:
    """The hands of a deal with a Chicago.

    A bid that nothing goes before strikes nothing, and where no hand scores after the play at all,
    none does with a Chicago.
    """
    if rules.chicago_hand == "struck":
        at_first = rules.chicago_when == "first_exchange"
        text = _NO_HAND if at_first else _HAND_AFTER["struck"]
    else:
        text = _HAND_AFTER[rules.chicago_hand if "play" in scored_at(rules) else "never"]
    return language.gettext(text)


_WIN_WHEN: Translated[object, str] = {
    "deal_end": "When a deal is over, the highest score at or above the target wins.",
    "every_booking": (
        "Whoever reaches the target with a hand, the last trick or a Chicago wins at once, in the"
        " middle of the deal."
    ),
    "at_once": (
        "Whoever reaches the target with a hand before the play wins at once; otherwise the"
        " highest score at or above the target wins when the deal is over."
    ),
}


_WITH_A_TRICK: Translated[object, str] = {
    "every_booking": (
        "Whoever is at the target and has taken the required trick wins at once, in the middle of"
        " the deal."
    ),
}


def _win_when(rules: HouseRules, language: Language) -> str:
    """When the target is judged; where a trick is needed too, no hand before the play wins."""
    if rules.finish == "at_target":
        return language.gettext(_WIN_WHEN[rules.win_when])
    return language.gettext(_WITH_A_TRICK.get(rules.win_when, _WIN_WHEN["deal_end"]))


PLAY_WORDS: Translated[str, RuleWords] = {
    "last_trick": RuleWords(
        "Last trick",
        sentence={
            0: "The last trick gives nothing.",
            ANY: "The last trick gives %(last_trick)s.",
        },
    ),
    "last_trick_with_two": RuleWords(
        "Last trick with a two",
        values={None: "nothing special"},
        sentence={
            None: "A two in the last trick gives nothing extra.",
            ANY: "Taking the last trick with a two gives %(last_trick_with_two)s.",
        },
    ),
    "chicago_points": RuleWords(
        "Points for a Chicago",
        sentence="Chicago, all five tricks, gives %(chicago_points)s.",
    ),
    "chicago_penalty": RuleWords(
        "A broken Chicago costs",
        values={"all": "all points"},
        sentence={
            "all": "Whoever’s Chicago is broken drops to 0.",
            0: "A broken Chicago costs nothing.",
            ANY: "A broken Chicago costs %(chicago_penalty)s.",
        },
    ),
    "chicago_wins": RuleWords(
        "Making a Chicago",
        "",
        {"never": "gives its points", "made": "wins the game at once"},
        {"never": "", "made": "Making a Chicago wins the game at once, whatever the score."},
    ),
    "chicago_with_two": RuleWords(
        "Points for a Chicago with a two",
        "All five tricks, the last one with a two.",
        {None: "nothing special"},
        {None: "", ANY: "A Chicago with a two in the last trick gives %(chicago_with_two)s."},
    ),
    "chicago_minimum": RuleWords(
        "Points needed to bid Chicago",
        values={None: "none needed"},
        sentence={
            None: "Anybody may bid Chicago, whatever the score.",
            ANY: "To bid Chicago a player needs %(chicago_minimum)s.",
        },
    ),
    "chicago_maximum": RuleWords(
        "Chicago may be bid below",
        "A blind one has no such limit.",
        {None: "any score"},
        {None: "", ANY: "To bid Chicago a player must have fewer than %(chicago_maximum)s."},
    ),
    "chicago_once": RuleWords(
        "Chicagos per player in a game",
        values={True: "one", False: "as many as you like"},
        sentence={
            True: "Each player may bid Chicago once in a game, blind ones included.",
            False: "",
        },
    ),
    "lost_chicago_takes_won": RuleWords(
        "A broken Chicago takes an earlier one",
        "One that was made earlier in the game, if there is one.",
        sentence={
            True: "Whoever’s Chicago is broken also loses one made earlier in the game.",
            False: "",
        },
    ),
    "chicago_when": RuleWords(
        "Chicago is bid",
        values={
            "before_play": "after the last exchange",
            "any_time": "at any time in the deal",
            "first_exchange": "before the first hand is announced",
        },
        sentence=_chicago_when,
    ),
    "chicago_needs_best_hand": RuleWords(
        "A Chicago needs the best hand",
        values=YES_NO,
        sentence={
            True: "A Chicago counts as made only if nobody has a better hand.",
            False: "",
        },
    ),
    "chicago_hand": RuleWords(
        "After a Chicago, hands score",
        values={
            "if_won": "if it is made",
            "never": "never",
            "always": "always",
            "others": "all but the declarer’s",
            "struck": "never, and the bid wipes out the deal",
        },
        sentence=_chicago_hand,
    ),
    "chicago_last_trick": RuleWords(
        "Last trick when Chicago is played",
        values={
            "never": "never scores",
            "if_lost": "scores if the Chicago is broken",
            "if_won": "scores if the Chicago is made",
            "always": "always scores",
        },
        sentence={
            "never": "In a deal with a Chicago the last trick gives nothing.",
            "if_lost": "If a Chicago is broken, play goes on and the last trick scores.",
            "if_won": "Making a Chicago gives the last trick’s points as well.",
            "always": "The last trick scores in a deal with a Chicago too, made or broken.",
        },
    ),
    "chicago_breaker_bonus": RuleWords(
        "Points for breaking a Chicago",
        values={0: "no points"},
        sentence={0: "", ANY: "Whoever breaks a Chicago gets %(chicago_breaker_bonus)s."},
    ),
    "chicago_breaker": RuleWords(
        "Who counts as breaking a Chicago",
        values={
            "taker": "whoever takes the trick",
            "first_over": "whoever first beats the declarer’s card",
        },
        sentence={
            "taker": "A Chicago is broken by whoever takes the trick from the declarer.",
            "first_over": (
                "A Chicago is broken by whoever first beats the declarer’s card, whether or not"
                " that takes the trick."
            ),
        },
        applies=lambda rules: rules.chicago_breaker_bonus > 0,
    ),
    "chicago_lead": RuleWords(
        "First lead in a Chicago",
        values={"declarer": "the declarer", "eldest": "left of the dealer, as always"},
        sentence={
            "declarer": ("The player to the dealer’s left leads; in a Chicago the declarer does."),
            "eldest": "The player to the dealer’s left leads, in a Chicago too.",
        },
    ),
    "chicago_priority": RuleWords(
        "Several want to bid Chicago",
        values={
            "eldest_first": "the first in turn gets it",
            "overbid": "a player further ahead may still overbid",
        },
        sentence={
            "eldest_first": (
                "The player to the dealer’s left bids first, then on clockwise; the first bid"
                " stands."
            ),
            "overbid": "A player nearer to the dealer’s left may overbid another’s Chicago.",
        },
    ),
    "blind_chicago": RuleWords(
        "Blind Chicago",
        "Bid without looking at the cards. No hand scores from then on.",
        {
            "before_looking": "before the first exchange",
            "last_exchange": "after the last exchange",
            None: "not played",
            "some": "played",
        },
        _blind_chicago,
        parts={
            "points": "Chicago made",
            "penalty": "Chicago broken",
            "with_two": "With a two, which wins the game",
            "minimum": "Points needed to bid",
            "when": "Bid",
        },
    ),
    "target": RuleWords(
        "Played to",
        sentence="The game is played to %(target)s.",
    ),
    "win_needs_chicago": RuleWords(
        "Chicago needed to win",
        values={
            "no": "no",
            "declared": "yes, bid",
            "won": "yes, made",
        },
        sentence={
            "no": "Nobody needs a Chicago to win.",
            "declared": "To win, a player must have bid Chicago in the game, made or broken.",
            "won": "To win, a player must have made a Chicago in the game.",
        },
    ),
    "win_needs_chicago_players": RuleWords(
        "That Chicago is required",
        values={None: "however many we are"},
        sentence=_win_needs_chicago_players,
        applies=_needs_chicago,
        some="only when we are",
    ),
    "win_needs_chicago_unmet": RuleWords(
        "Whoever reaches the target without a Chicago",
        values={"zeroed": "is zeroed", "plays_on": "just plays on"},
        sentence={
            "zeroed": "Whoever reaches the target without a Chicago is zeroed.",
            "plays_on": "Whoever reaches the target without a Chicago just plays on.",
        },
        applies=_needs_chicago,
    ),
    "finish": RuleWords(
        "Last trick or a made Chicago needed to win",
        "",
        {
            "at_target": "no",
            "trick_same_deal": "in the deal that wins",
            "trick_later_deal": "in a later deal, already at the target",
        },
        {
            "at_target": "",
            "trick_same_deal": (
                "To win, a player must also take the last trick or a Chicago in the same deal."
            ),
            "trick_later_deal": (
                "To win, a player must also take the last trick or a Chicago in a later deal,"
                " begun at the target."
            ),
        },
    ),
    "win_when": RuleWords(
        "Reaching the target wins",
        values={
            "deal_end": "when the deal is over",
            "every_booking": "as soon as anybody gets there",
            "at_once": "at once, with a hand before the play",
        },
        sentence=_win_when,
    ),
    "tied_winners": RuleWords(
        "Tied at the top",
        values={
            "share": "they share the win",
            "tie_break": "they play on alone",
            "play_on": "everybody plays on",
        },
        sentence={
            "share": "Those tied at the top share the win.",
            "tie_break": ("Those tied at the top play on alone, deal by deal, until one is ahead."),
            "play_on": (
                "If several are tied at the top, nobody has won yet and everybody plays on."
            ),
        },
    ),
    "false_claim_loses": RuleWords(
        "Claiming a hand you do not have",
        values={True: "loses the game", False: "costs nothing here"},
        sentence={
            True: (
                "Whoever claims a hand they do not have is out, and pays as if they had 0 points."
            ),
            False: "",
        },
    ),
    "negative_scores": RuleWords(
        "Scores below zero",
        values=MAY,
        sentence={
            True: "Scores may go below zero.",
            False: "No score goes below zero.",
        },
    ),
    "negative_pays_double": RuleWords(
        "Whoever ends below zero pays",
        values={True: "double", False: "like the others"},
        sentence={True: "Whoever ends below zero pays double.", False: ""},
    ),
}
