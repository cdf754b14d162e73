"""Words of the effects of an event: one row for each code."""

from collections.abc import Mapping

import msgspec

from app.i18n.language import N_
from app.rules.codes import EffectCode


class EffectWords(msgspec.Struct, frozen=True):
    """The words for one effect, as messages to translate.

    `sentence` tells the effect, `why` the rule behind it. An effect on a player has a `row` in
    the protocol, and one that changes no score a word for its `cell` there; one that changes it in
    the play has a `reason`, which ends a sentence on a swing. The sentence may name the effect's
    values, `why`, `row` and `reason` its hand and who caused it, `why` any house rule.
    """

    sentence: str
    why: str
    row: str = ""
    cell: str = ""
    reason: str = ""


EFFECTS: Mapping[EffectCode, EffectWords] = {
    "hand": EffectWords(
        N_("%(player)s scores %(hand)s: %(points)s"),
        N_("%(hand)s gives %(worth)s."),
        row="%(hand)s",
        reason="%(hand)s",
    ),
    "hand_raised": EffectWords(
        N_("%(player)s is raised to the target with %(hand)s: %(points)s"),
        N_("%(hand)s raises its holder to %(target)s."),
        row=N_("%(hand)s, raised"),
        reason=N_("%(hand)s, raised"),
    ),
    "zeroes": EffectWords(
        N_("%(player)s zeroes with %(hand)s"),
        N_("%(hand)s may zero instead of scoring."),
        row=N_("Zeroing: %(hand)s"),
        cell=N_("zeroes"),
    ),
    "zeroed": EffectWords(
        N_("%(player)s is zeroed by %(by)s (%(hand)s): %(points)s"),
        N_("A zeroing with %(hand)s sets the score to 0."),
        row=N_("Zeroed by %(by)s"),
        reason=N_("%(by)s zeroed with %(hand)s"),
    ),
    "chicagos_taken": EffectWords(
        N_("%(player)s’s Chicagos are taken away too"),
        N_("Whoever is zeroed by a hand no longer counts as having bid or made a Chicago."),
        row=N_("Chicagos taken away"),
        cell=N_("none left"),
    ),
    "zeroing_voided": EffectWords(
        N_("The Chicago cancels the zeroing by %(player)s"),
        N_("A Chicago bid after the zeroing cancels it."),
        row=N_("Zeroing cancelled"),
        cell=N_("cancelled"),
    ),
    "bid": EffectWords(
        N_("%(player)s bids Chicago"),
        N_("A Chicago is a promise to take all five tricks; from the bid on it counts as bid."),
        row=N_("Chicago bid"),
        cell=N_("bids"),
    ),
    "blind_bid": EffectWords(
        N_("%(player)s bids Chicago blind"),
        N_("A blind Chicago is bid without looking at the cards; no hands score after it."),
        row=N_("Blind Chicago bid"),
        cell=N_("bids"),
    ),
    "bid_withdrawn": EffectWords(
        N_("The bid leaves with %(player)s; somebody else may bid"),
        N_("A declarer who leaves before the Chicago is played withdraws the bid."),
        row=N_("Bid withdrawn"),
        cell=N_("withdrawn"),
    ),
    "struck": EffectWords(
        N_("%(by)s’s bid wipes out the deal’s points: %(player)s %(points)s"),
        N_("A Chicago bid wipes out all points of the deal."),
        row=N_("Wiped out by the bid"),
        reason=N_("%(by)s’s bid wiped out the deal’s points"),
    ),
    "chicago_won": EffectWords(
        N_("%(player)s makes the Chicago: %(points)s"),
        N_("Making a Chicago gives %(chicago_points)s."),
        row=N_("Chicago made"),
        reason=N_("made the Chicago"),
    ),
    "chicago_won_with_two": EffectWords(
        N_("%(player)s makes the Chicago with a two: %(points)s"),
        N_("Making a Chicago with a two gives %(chicago_with_two)s."),
        row=N_("Chicago made with a two"),
        reason=N_("made the Chicago with a two"),
    ),
    "chicago_lost": EffectWords(
        N_("%(player)s loses the Chicago: %(points)s"),
        N_("A broken Chicago costs %(chicago_penalty)s."),
        row=N_("Chicago broken"),
        reason=N_("the Chicago was broken"),
    ),
    "blind_won": EffectWords(
        N_("%(player)s makes the blind Chicago: %(points)s"),
        N_("Making a blind Chicago gives %(blind_points)s."),
        row=N_("Blind Chicago made"),
        reason=N_("made the blind Chicago"),
    ),
    "blind_won_with_two": EffectWords(
        N_("%(player)s makes the blind Chicago with a two: %(points)s"),
        N_("Making a blind Chicago with a two gives %(blind_with_two)s and wins."),
        row=N_("Blind Chicago made with a two"),
        reason=N_("made the blind Chicago with a two"),
    ),
    "blind_lost": EffectWords(
        N_("%(player)s loses the blind Chicago: %(points)s"),
        N_("A broken blind Chicago costs %(blind_penalty)s."),
        row=N_("Blind Chicago broken"),
        reason=N_("the blind Chicago was broken"),
    ),
    "won_chicago_taken": EffectWords(
        N_("A Chicago that %(player)s made earlier is taken away too"),
        N_("A broken Chicago also takes away one made earlier in the game."),
        row=N_("Earlier Chicago taken away"),
        cell=N_("one less"),
    ),
    "breaker": EffectWords(
        N_("%(player)s breaks the Chicago of %(by)s: %(points)s"),
        N_("Whoever breaks a Chicago gets %(chicago_breaker_bonus)s."),
        row=N_("Broke the Chicago"),
        reason=N_("broke the Chicago of %(by)s"),
    ),
    "last_trick": EffectWords(
        N_("%(player)s takes the last trick: %(points)s"),
        N_("The last trick gives %(last_trick)s."),
        row=N_("Last trick"),
        reason=N_("the last trick"),
    ),
    "last_trick_with_two": EffectWords(
        N_("%(player)s takes the last trick with a two: %(points)s"),
        N_("Taking the last trick with a two gives %(last_trick_with_two)s."),
        row=N_("Last trick with a two"),
        reason=N_("the last trick with a two"),
    ),
    "illegal_exchange": EffectWords(
        N_("%(player)s exchanged despite the stop: %(points)s"),
        N_("Whoever exchanges despite the stop at %(exchange_stop)s is zeroed."),
        row=N_("Illegal exchange"),
        reason=N_("exchanged despite the stop"),
    ),
    "false_claim": EffectWords(
        N_("%(player)s made a false claim and is out: %(points)s"),
        N_("Whoever makes a false claim is out of the game with 0 points."),
        row=N_("False claim, out"),
        reason=N_("made a false claim"),
    ),
    "leaves": EffectWords(
        N_("%(player)s leaves with %(reached)s and pays when the game is over"),
        N_("Whoever leaves keeps their score and pays like any loser."),
        row=N_("Leaves the game"),
        cell=N_("leaves"),
    ),
    "leaves_for_nothing": EffectWords(
        N_("%(player)s leaves with %(reached)s"),
        N_("Whoever leaves keeps their score."),
        row=N_("Leaves the game"),
        cell=N_("leaves"),
    ),
    "joins": EffectWords(
        N_("%(player)s joins and sits down after %(by)s: %(points)s"),
        N_(
            "Whoever joins starts with the points agreed on, and deals in turn from the next deal"
            " on."
        ),
        row=N_("Joins the game"),
        cell=N_("joins"),
    ),
    "rules": EffectWords(
        "%(rules)s",
        N_("The table agreed on other rules, which apply from this deal on."),
    ),
    "correction": EffectWords(
        N_("Correction for %(player)s: %(points)s"),
        N_("The table agreed on a correction."),
        row=N_("Correction"),
    ),
    "requirement_unmet": EffectWords(
        N_("%(player)s reached %(target)s without a Chicago and is zeroed"),
        N_("At %(target)s without the required Chicago, the score is zeroed."),
        row=N_("Target without Chicago"),
        reason=N_("at the target without a Chicago"),
    ),
    "passed_over": EffectWords(
        N_("%(player)s reached %(target)s without a Chicago and plays on"),
        N_("At %(target)s without the required Chicago, the player plays on."),
        row=N_("Target without Chicago"),
        cell=N_("plays on"),
    ),
    "tie_break_begins": EffectWords(
        N_("Tied at the top: %(players)s play on alone"),
        N_("Tied winners play a tie-break, deal by deal, until one is ahead."),
    ),
    "tied_play_on": EffectWords(
        N_("Tied at the top: %(players)s; everybody plays on"),
        N_("Tied at the top, nobody has won; everybody plays on."),
    ),
    "won_highest": EffectWords(
        N_("%(players)s wins with %(reached)s"),
        N_("The highest score of %(target)s or more wins when the deal is over."),
    ),
    "won_shared": EffectWords(
        N_("%(players)s share the win: tied at the top"),
        N_("Tied winners share the win."),
    ),
    "won_tie_break": EffectWords(
        N_("%(players)s wins the tie-break"),
        N_("After a tie-break deal the highest of the tied players wins."),
    ),
    "won_by_hand": EffectWords(
        N_("%(players)s wins at once with %(hand)s"),
        N_("%(hand)s wins at once, whatever else is required."),
    ),
    "won_at_once": EffectWords(
        N_("%(players)s wins at once with %(reached)s"),
        N_("Whoever reaches %(target)s by an entry that counts wins on the spot."),
    ),
    "won_by_blind_two": EffectWords(
        N_("%(players)s wins at once: a blind Chicago with a two"),
        N_("Making a blind Chicago with a two wins at once, whatever the score."),
    ),
    "won_by_chicago": EffectWords(
        N_("%(players)s wins at once with a Chicago"),
        N_("Making a Chicago wins the game at once, whatever the score."),
    ),
    "won_last_left": EffectWords(
        N_("%(players)s wins: nobody else is left"),
        N_("The last player left wins."),
    ),
    "broken_off_settled": EffectWords(
        N_("Broken off and settled as it stands: %(players)s ahead"),
        N_("A game that is broken off is settled as it stands."),
    ),
    "broken_off_void": EffectWords(
        N_("Broken off: nobody pays"),
        N_("A game that is broken off as void costs nobody anything."),
    ),
}
