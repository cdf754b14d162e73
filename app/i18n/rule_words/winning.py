"""Words of the rules on winning, and on scores below zero."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.language import N_, Language
from app.i18n.rule_words import MAY, RuleWords
from app.rules.house import HouseRules


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


WINNING_WORDS: Mapping[str, RuleWords] = {
    "target": RuleWords(
        N_("Played to"),
        sentence=N_("Whoever has %(target)s or more when a deal ends can win; the highest wins."),
    ),
    "win_needs_chicago": RuleWords(
        N_("Chicago needed to win"),
        values={
            "no": N_("no"),
            "declared": N_("yes, bid"),
            "won": N_("yes, made"),
        },
        sentence={
            "no": "",
            "declared": N_("To win, a player must have bid Chicago in the game, made or broken."),
            "won": N_("To win, a player must have made a Chicago in the game."),
        },
    ),
    "win_needs_chicago_players": RuleWords(
        N_("That Chicago is asked for"),
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
        N_("Last trick needed to win"),
        N_("A Chicago made will do as well."),
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
        N_("Somebody at the target before the play"),
        values={"deal_end": N_("the deal is played out"), "at_once": N_("that hand wins at once")},
        sentence={
            "deal_end": N_("A deal that has begun is played out."),
            "at_once": N_("Whoever reaches the target with a hand before the play wins at once."),
        },
    ),
    "tied_winners": RuleWords(
        N_("Equal at the top"),
        values={
            "share": N_("they share the win"),
            "tie_break": N_("they play on alone"),
            "play_on": N_("everybody plays on"),
        },
        sentence={
            "share": N_("Those equal at the top share the win."),
            "tie_break": N_(
                "Those equal at the top play on alone, deal by deal, until one is ahead."
            ),
            "play_on": N_(
                "If several are equal at the top, nobody has won yet and everybody plays on."
            ),
        },
    ),
    "false_claim_loses": RuleWords(
        N_("Claiming a hand one does not have"),
        values={True: N_("loses the game"), False: N_("costs nothing here")},
        sentence={
            True: N_("Whoever claims a hand without having it is out, and pays as from 0 points."),
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
        values={True: N_("double"), False: N_("as others do")},
        sentence={True: N_("Whoever ends below zero pays double."), False: ""},
    ),
}
