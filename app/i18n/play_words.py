"""Words of the house rules on the play: the last trick, Chicago, winning, scores below zero."""

from collections.abc import Mapping

from app.i18n.language import N_, Language
from app.i18n.rule_words import ANY, MAY, YES_NO, RuleWords, Texts, scored_at
from app.rules.house import BlindChicago, HouseRules

_BLIND: Texts = {
    "before_looking": N_(
        "Blind Chicago, bid before looking at the cards, gives %(points)s and costs %(penalty)s"
        " if broken. No hand scores in that deal."
    ),
    "last_exchange": N_(
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


_WHEN_BID: Texts = {
    "before_play": N_("Chicago is bid after the last exchange, before the first card."),
    "any_time": N_("Chicago may be bid at any time before the play."),
    "first_exchange": N_(
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


_HAND_AFTER: Texts = {
    "if_won": N_("In a deal with a Chicago hands score after the play only if it is made."),
    "never": N_("In a deal with a Chicago no hand scores after the play."),
    "always": N_(
        "In a deal with a Chicago hands score after the play as usual, whether it is made or"
        " broken."
    ),
    "others": N_(
        "In a deal with a Chicago hands score after the play, whether it is made or broken, but"
        " never the declarer’s."
    ),
    "struck": N_(
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


_WIN_WHEN: Texts = {
    "deal_end": N_("When a deal is over, the highest score at or above the target wins."),
    "every_booking": N_(
        "Whoever reaches the target with a hand, the last trick or a Chicago wins at once, in the"
        " middle of the deal."
    ),
    "at_once": N_(
        "Whoever reaches the target with a hand before the play wins at once; otherwise the"
        " highest score at or above the target wins when the deal is over."
    ),
}


_WITH_A_TRICK: Texts = {
    "every_booking": N_(
        "Whoever is at the target and has taken the required trick wins at once, in the middle of"
        " the deal."
    ),
}


def _win_when(rules: HouseRules, language: Language) -> str:
    """When the target is judged; where a trick is needed too, no hand before the play wins."""
    if rules.finish == "at_target":
        return language.gettext(_WIN_WHEN[rules.win_when])
    return language.gettext(_WITH_A_TRICK.get(rules.win_when, _WIN_WHEN["deal_end"]))


PLAY_WORDS: Mapping[str, RuleWords] = {
    "last_trick": RuleWords(
        N_("Last trick"),
        sentence={
            0: N_("The last trick gives nothing."),
            ANY: N_("The last trick gives %(last_trick)s."),
        },
    ),
    "last_trick_with_two": RuleWords(
        N_("Last trick with a two"),
        values={None: N_("nothing special")},
        sentence={
            None: N_("A two in the last trick gives nothing extra."),
            ANY: N_("Taking the last trick with a two gives %(last_trick_with_two)s."),
        },
    ),
    "chicago_points": RuleWords(
        N_("Points for a Chicago"),
        sentence=N_("Chicago, all five tricks, gives %(chicago_points)s."),
    ),
    "chicago_penalty": RuleWords(
        N_("A broken Chicago costs"),
        values={"all": N_("all points")},
        sentence={
            "all": N_("Whoever’s Chicago is broken drops to 0."),
            0: N_("A broken Chicago costs nothing."),
            ANY: N_("A broken Chicago costs %(chicago_penalty)s."),
        },
    ),
    "chicago_wins": RuleWords(
        N_("Making a Chicago"),
        "",
        {"never": N_("gives its points"), "made": N_("wins the game at once")},
        {"never": "", "made": N_("Making a Chicago wins the game at once, whatever the score.")},
    ),
    "chicago_with_two": RuleWords(
        N_("Points for a Chicago with a two"),
        N_("All five tricks, the last one with a two."),
        {None: N_("nothing special")},
        {None: "", ANY: N_("A Chicago with a two in the last trick gives %(chicago_with_two)s.")},
    ),
    "chicago_minimum": RuleWords(
        N_("Points needed to bid Chicago"),
        values={None: N_("none needed")},
        sentence={
            None: N_("Anybody may bid Chicago, whatever the score."),
            ANY: N_("To bid Chicago a player needs %(chicago_minimum)s."),
        },
    ),
    "chicago_maximum": RuleWords(
        N_("Chicago may be bid below"),
        N_("A blind one has no such limit."),
        {None: N_("any score")},
        {None: "", ANY: N_("To bid Chicago a player must have fewer than %(chicago_maximum)s.")},
    ),
    "chicago_once": RuleWords(
        N_("Chicagos per player in a game"),
        values={True: N_("one"), False: N_("as many as you like")},
        sentence={
            True: N_("Each player may bid Chicago once in a game, blind ones included."),
            False: "",
        },
    ),
    "lost_chicago_takes_won": RuleWords(
        N_("A broken Chicago takes an earlier one"),
        N_("One that was made earlier in the game, if there is one."),
        sentence={
            True: N_("Whoever’s Chicago is broken also loses one made earlier in the game."),
            False: "",
        },
    ),
    "chicago_when": RuleWords(
        N_("Chicago is bid"),
        values={
            "before_play": N_("after the last exchange"),
            "any_time": N_("at any time in the deal"),
            "first_exchange": N_("before the first hand is announced"),
        },
        sentence=_chicago_when,
    ),
    "chicago_needs_best_hand": RuleWords(
        N_("A Chicago needs the best hand"),
        values=YES_NO,
        sentence={
            True: N_("A Chicago counts as made only if nobody has a better hand."),
            False: "",
        },
    ),
    "chicago_hand": RuleWords(
        N_("After a Chicago, hands score"),
        values={
            "if_won": N_("if it is made"),
            "never": N_("never"),
            "always": N_("always"),
            "others": N_("all but the declarer’s"),
            "struck": N_("never, and the bid wipes out the deal"),
        },
        sentence=_chicago_hand,
    ),
    "chicago_last_trick": RuleWords(
        N_("Last trick when Chicago is played"),
        values={
            "never": N_("never scores"),
            "if_lost": N_("scores if the Chicago is broken"),
            "if_won": N_("scores if the Chicago is made"),
            "always": N_("always scores"),
        },
        sentence={
            "never": N_("In a deal with a Chicago the last trick gives nothing."),
            "if_lost": N_("If a Chicago is broken, play goes on and the last trick scores."),
            "if_won": N_("Making a Chicago gives the last trick’s points as well."),
            "always": N_("The last trick scores in a deal with a Chicago too, made or broken."),
        },
    ),
    "chicago_breaker_bonus": RuleWords(
        N_("Points for breaking a Chicago"),
        values={0: N_("no points")},
        sentence={0: "", ANY: N_("Whoever breaks a Chicago gets %(chicago_breaker_bonus)s.")},
    ),
    "chicago_breaker": RuleWords(
        N_("Who counts as breaking a Chicago"),
        values={
            "taker": N_("whoever takes the trick"),
            "first_over": N_("whoever first beats the declarer’s card"),
        },
        sentence={
            "taker": N_("A Chicago is broken by whoever takes the trick from the declarer."),
            "first_over": N_(
                "A Chicago is broken by whoever first beats the declarer’s card, whether or not"
                " that takes the trick."
            ),
        },
        applies=lambda rules: rules.chicago_breaker_bonus > 0,
    ),
    "chicago_lead": RuleWords(
        N_("First lead in a Chicago"),
        values={"declarer": N_("the declarer"), "eldest": N_("left of the dealer, as always")},
        sentence={
            "declarer": N_(
                "The player to the dealer’s left leads; in a Chicago the declarer does."
            ),
            "eldest": N_("The player to the dealer’s left leads, in a Chicago too."),
        },
    ),
    "chicago_priority": RuleWords(
        N_("Several want to bid Chicago"),
        values={
            "eldest_first": N_("the first in turn gets it"),
            "overbid": N_("a player further ahead may still overbid"),
        },
        sentence={
            "eldest_first": N_(
                "The player to the dealer’s left bids first, then on clockwise; the first bid"
                " stands."
            ),
            "overbid": N_("A player nearer to the dealer’s left may overbid another’s Chicago."),
        },
    ),
    "blind_chicago": RuleWords(
        N_("Blind Chicago"),
        N_("Bid without looking at the cards. No hand scores from then on."),
        {
            "before_looking": N_("before the first exchange"),
            "last_exchange": N_("after the last exchange"),
            None: N_("not played"),
            "some": N_("played"),
        },
        _blind_chicago,
        parts={
            "points": N_("Chicago made"),
            "penalty": N_("Chicago broken"),
            "with_two": N_("With a two, which wins the game"),
            "minimum": N_("Points needed to bid"),
            "when": N_("Bid"),
        },
    ),
    "target": RuleWords(
        N_("Played to"),
        sentence=N_("The game is played to %(target)s."),
    ),
    "win_needs_chicago": RuleWords(
        N_("Chicago needed to win"),
        values={
            "no": N_("no"),
            "declared": N_("yes, bid"),
            "won": N_("yes, made"),
        },
        sentence={
            "no": N_("Nobody needs a Chicago to win."),
            "declared": N_("To win, a player must have bid Chicago in the game, made or broken."),
            "won": N_("To win, a player must have made a Chicago in the game."),
        },
    ),
    "win_needs_chicago_players": RuleWords(
        N_("That Chicago is required"),
        values={None: N_("however many we are")},
        sentence=_win_needs_chicago_players,
        applies=_needs_chicago,
        some=N_("only when we are"),
    ),
    "win_needs_chicago_unmet": RuleWords(
        N_("Whoever reaches the target without a Chicago"),
        values={"zeroed": N_("is zeroed"), "plays_on": N_("just plays on")},
        sentence={
            "zeroed": N_("Whoever reaches the target without a Chicago is zeroed."),
            "plays_on": N_("Whoever reaches the target without a Chicago just plays on."),
        },
        applies=_needs_chicago,
    ),
    "finish": RuleWords(
        N_("Last trick or a made Chicago needed to win"),
        "",
        {
            "at_target": N_("no"),
            "trick_same_deal": N_("in the deal that wins"),
            "trick_later_deal": N_("in a later deal, already at the target"),
        },
        {
            "at_target": "",
            "trick_same_deal": N_(
                "To win, a player must also take the last trick or a Chicago in the same deal."
            ),
            "trick_later_deal": N_(
                "To win, a player must also take the last trick or a Chicago in a later deal,"
                " begun at the target."
            ),
        },
    ),
    "win_when": RuleWords(
        N_("Reaching the target wins"),
        values={
            "deal_end": N_("when the deal is over"),
            "every_booking": N_("as soon as anybody gets there"),
            "at_once": N_("at once, with a hand before the play"),
        },
        sentence=_win_when,
    ),
    "tied_winners": RuleWords(
        N_("Tied at the top"),
        values={
            "share": N_("they share the win"),
            "tie_break": N_("they play on alone"),
            "play_on": N_("everybody plays on"),
        },
        sentence={
            "share": N_("Those tied at the top share the win."),
            "tie_break": N_(
                "Those tied at the top play on alone, deal by deal, until one is ahead."
            ),
            "play_on": N_(
                "If several are tied at the top, nobody has won yet and everybody plays on."
            ),
        },
    ),
    "false_claim_loses": RuleWords(
        N_("Claiming a hand you do not have"),
        values={True: N_("loses the game"), False: N_("costs nothing here")},
        sentence={
            True: N_(
                "Whoever claims a hand they do not have is out, and pays as if they had 0 points."
            ),
            False: "",
        },
    ),
    "negative_scores": RuleWords(
        N_("Scores below zero"),
        values=MAY,
        sentence={
            True: N_("Scores may go below zero."),
            False: N_("No score goes below zero."),
        },
    ),
    "negative_pays_double": RuleWords(
        N_("Whoever ends below zero pays"),
        values={True: N_("double"), False: N_("like the others")},
        sentence={True: N_("Whoever ends below zero pays double."), False: ""},
    ),
}
