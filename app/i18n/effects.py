"""Words of the effects of an event, one row for each code, and the sentences they stand in."""

from collections.abc import Callable, Collection

import msgspec
from msgspec.structs import asdict

from app.i18n.cards import hand_name
from app.i18n.house_rules import rules_from_text
from app.i18n.language import N_, Language, Translated
from app.rules.codes import EffectCode
from app.rules.house import HouseRules, points_of
from app.rules.protocol import Swing
from app.rules.rights import is_stopped
from app.rules.state import Effect, GameState


class EffectWords(msgspec.Struct, frozen=True):
    """The words for one effect, as messages to translate.

    `sentence` tells the effect, `why` the rule behind it. One that changes a score in the play has
    a `reason`, which ends a sentence on a swing. The sentence may name the effect's values, `why`
    and `reason` its hand and who caused it, `why` any house rule.
    """

    sentence: str
    why: str
    reason: str = ""


EFFECTS: Translated[EffectCode, EffectWords] = {
    "hand": EffectWords(
        "%(player)s scores %(hand)s: %(points)s",
        "%(hand)s gives %(worth)s.",
        reason="%(hand)s",
    ),
    "hand_raised": EffectWords(
        "%(player)s is raised to the target with %(hand)s: %(points)s",
        "%(hand)s raises its holder to %(target)s.",
        reason="%(hand)s, raised",
    ),
    "zeroes": EffectWords(
        "%(player)s zeroes with %(hand)s",
        "%(hand)s may zero instead of scoring.",
    ),
    "zeroed": EffectWords(
        "%(player)s is zeroed by %(by)s (%(hand)s): %(points)s",
        "A zeroing with %(hand)s sets the score to 0.",
        reason="%(by)s zeroed with %(hand)s",
    ),
    "chicagos_taken": EffectWords(
        "%(player)s’s Chicagos are taken away too",
        "Whoever is zeroed by a hand no longer counts as having bid or made a Chicago.",
    ),
    "zeroing_voided": EffectWords(
        "The Chicago cancels the zeroing by %(player)s",
        "A Chicago bid after the zeroing cancels it.",
    ),
    "bid": EffectWords(
        "%(player)s bids Chicago",
        "A Chicago is a promise to take all five tricks; from the bid on it counts as bid.",
    ),
    "blind_bid": EffectWords(
        "%(player)s bids Chicago blind",
        "A blind Chicago is bid without looking at the cards; no hands score after it.",
    ),
    "bid_withdrawn": EffectWords(
        "The bid leaves with %(player)s; somebody else may bid",
        "A declarer who leaves before the Chicago is played withdraws the bid.",
    ),
    "struck": EffectWords(
        "%(by)s’s bid wipes out the deal’s points: %(player)s %(points)s",
        "A Chicago bid wipes out all points of the deal.",
        reason="%(by)s’s bid wiped out the deal’s points",
    ),
    "chicago_won": EffectWords(
        "%(player)s makes the Chicago: %(points)s",
        "Making a Chicago gives %(chicago_points)s.",
        reason="made the Chicago",
    ),
    "chicago_won_with_two": EffectWords(
        "%(player)s makes the Chicago with a two: %(points)s",
        "Making a Chicago with a two gives %(chicago_with_two)s.",
        reason="made the Chicago with a two",
    ),
    "chicago_lost": EffectWords(
        "%(player)s loses the Chicago: %(points)s",
        "A broken Chicago costs %(chicago_penalty)s.",
        reason="the Chicago was broken",
    ),
    "blind_won": EffectWords(
        "%(player)s makes the blind Chicago: %(points)s",
        "Making a blind Chicago gives %(blind_points)s.",
        reason="made the blind Chicago",
    ),
    "blind_won_with_two": EffectWords(
        "%(player)s makes the blind Chicago with a two: %(points)s",
        "Making a blind Chicago with a two gives %(blind_with_two)s and wins.",
        reason="made the blind Chicago with a two",
    ),
    "blind_lost": EffectWords(
        "%(player)s loses the blind Chicago: %(points)s",
        "A broken blind Chicago costs %(blind_penalty)s.",
        reason="the blind Chicago was broken",
    ),
    "won_chicago_taken": EffectWords(
        "A Chicago that %(player)s made earlier is taken away too",
        "A broken Chicago also takes away one made earlier in the game.",
    ),
    "breaker": EffectWords(
        "%(player)s breaks the Chicago of %(by)s: %(points)s",
        "Whoever breaks a Chicago gets %(chicago_breaker_bonus)s.",
        reason="broke the Chicago of %(by)s",
    ),
    "last_trick": EffectWords(
        "%(player)s takes the last trick: %(points)s",
        "The last trick gives %(last_trick)s.",
        reason="the last trick",
    ),
    "last_trick_with_two": EffectWords(
        "%(player)s takes the last trick with a two: %(points)s",
        "Taking the last trick with a two gives %(last_trick_with_two)s.",
        reason="the last trick with a two",
    ),
    "illegal_exchange": EffectWords(
        "%(player)s exchanged despite the stop: %(points)s",
        "Whoever exchanges despite the stop at %(exchange_stop)s is zeroed.",
        reason="exchanged despite the stop",
    ),
    "false_claim": EffectWords(
        "%(player)s made a false claim and is out: %(points)s",
        "Whoever makes a false claim is out of the game with 0 points.",
        reason="made a false claim",
    ),
    "leaves": EffectWords(
        "%(player)s leaves with %(reached)s and pays when the game is over",
        "Whoever leaves keeps their score and pays like any loser.",
    ),
    "leaves_for_nothing": EffectWords(
        "%(player)s leaves with %(reached)s",
        "Whoever leaves keeps their score.",
    ),
    "joins": EffectWords(
        "%(player)s joins and sits down after %(by)s: %(points)s",
        (
            "Whoever joins starts with the points agreed on, and deals in turn from the next deal"
            " on."
        ),
    ),
    "rules": EffectWords(
        "%(rules)s",
        "The table agreed on other rules, which apply from this deal on.",
    ),
    "correction": EffectWords(
        "Correction for %(player)s: %(points)s",
        "The table agreed on a correction.",
    ),
    "requirement_unmet": EffectWords(
        "%(player)s reached %(target)s without a Chicago and is zeroed",
        "At %(target)s without the required Chicago, the score is zeroed.",
        reason="at the target without a Chicago",
    ),
    "passed_over": EffectWords(
        "%(player)s reached %(target)s without a Chicago and plays on",
        "At %(target)s without the required Chicago, the player plays on.",
    ),
    "tie_break_begins": EffectWords(
        "Tied at the top: %(players)s play on alone",
        "Tied winners play a tie-break, deal by deal, until one is ahead.",
    ),
    "tied_play_on": EffectWords(
        "Tied at the top: %(players)s; everybody plays on",
        "Tied at the top, nobody has won; everybody plays on.",
    ),
    "won_highest": EffectWords(
        "%(players)s wins with %(reached)s",
        "The highest score of %(target)s or more wins when the deal is over.",
    ),
    "won_shared": EffectWords(
        "%(players)s share the win: tied at the top",
        "Tied winners share the win.",
    ),
    "won_tie_break": EffectWords(
        "%(players)s wins the tie-break",
        "After a tie-break deal the highest of the tied players wins.",
    ),
    "won_by_hand": EffectWords(
        "%(players)s wins at once with %(hand)s",
        "%(hand)s wins at once, whatever else is required.",
    ),
    "won_at_once": EffectWords(
        "%(players)s wins at once with %(reached)s",
        "Whoever reaches %(target)s by an entry that counts wins on the spot.",
    ),
    "won_by_blind_two": EffectWords(
        "%(players)s wins at once: a blind Chicago with a two",
        "Making a blind Chicago with a two wins at once, whatever the score.",
    ),
    "won_by_chicago": EffectWords(
        "%(players)s wins at once with a Chicago",
        "Making a Chicago wins the game at once, whatever the score.",
    ),
    "won_last_left": EffectWords(
        "%(players)s wins: nobody else is left",
        "The last player left wins.",
    ),
    "broken_off_settled": EffectWords(
        "Broken off and settled as it stands: %(players)s ahead",
        "A game that is broken off is settled as it stands.",
    ),
    "broken_off_void": EffectWords(
        "Broken off: nobody pays",
        "A game that is broken off as void costs nobody anything.",
    ),
}


# By whether a score went up: of one player, and of several.
SWINGS = {
    True: (
        N_("%(players)s took %(points)s %(when)s"),
        N_("%(players)s took %(points)s each %(when)s"),
    ),
    False: (
        N_("%(players)s lost %(points)s %(when)s"),
        N_("%(players)s lost %(points)s each %(when)s"),
    ),
}


# Of the winners, beneath their names, where what they did last says it; and where not.
WON_WITH, WON = N_("won with %(how)s in deal %(deal)s"), N_("won in deal %(deal)s: %(how)s")


NOUNS: Collection[EffectCode] = ("hand", "last_trick", "last_trick_with_two")


ENDINGS: Translated[EffectCode, str] = {
    "won_shared": "share the win: tied at the top",
    "won_tie_break": "won the tie-break",
    "won_last_left": "won: nobody else is left",
    "broken_off_settled": "ahead when the game was broken off",
}


def effect_text(effect: Effect, language: Language) -> str:
    """One thing an event set off, in words."""
    return language.gettext(EFFECTS[effect.code].sentence) % {
        "player": language.names([effect.player] if effect.player else effect.players),
        "by": language.name(effect.by or ""),
        "points": language.signed(effect.points),
        "hand": hand_name(effect.hand, language) if effect.hand else "",
        "players": language.names(effect.players),
        "reached": "" if effect.reached is None else language.points(effect.reached),
        "target": effect.reached,
        "rules": rules_from_text(effect.change, language) if effect.change else "",
    }


def ending_text(state: GameState, language: Language) -> str:
    """How the winners of a game that is over have won: `won with the last trick in deal 9`."""
    end, deal = state.effects[-1], state.deal.number
    if end.code in ENDINGS:
        return language.gettext(ENDINGS[end.code])
    own = (each for each in state.effects if each.player in state.winners and each.points >= 0)
    for effect in own:
        if reason := EFFECTS[effect.code].reason:
            how = language.gettext(reason) % {
                "hand": hand_name(effect.hand, language) if effect.hand else "",
                "by": language.name(effect.by or ""),
            }
            told = WON_WITH if effect.code in NOUNS else WON
            return language.gettext(told, how=how, deal=deal)
    return language.gettext("won at the end of deal %(deal)s", deal=deal)


def swing_text(
    swing: Swing, name: Callable[[str], str], language: Language, *, of_evening: bool
) -> str:
    """A swing for friends: `Bo lost 48 points in deal 7: Anna zeroed with four of a kind`."""
    when = N_("in game %(game)s, deal %(deal)s") if of_evening else N_("in deal %(deal)s")
    one, each = SWINGS[swing.points > 0]
    told = language.gettext(each if swing.players[1:] else one) % {
        "players": language.listing(map(name, swing.players)),
        "points": language.points(abs(swing.points)),
        "when": language.gettext(when) % {"game": swing.game, "deal": swing.deal},
    }
    why = swing.why
    reason = language.gettext(EFFECTS[why.code].reason) % {
        "hand": hand_name(why.hand, language) if why.hand else "",
        "by": name(why.by) if why.by else "",
    }
    return f"{told}: {reason}"


def explain_effects(before: GameState, after: GameState, language: Language) -> list[str]:
    """The effects of an event, each followed by the rule it comes from."""
    lines = []
    for effect in after.effects:
        lines.append(
            f"{effect_text(effect, language)}. {_effect_why(after.rules, effect, language)}"
        )
        if effect.clamped:
            lines.append(language.gettext("The score never goes below 0 at this table."))
    return lines + _explain_stops(before, after, language)


def _effect_why(rules: HouseRules, effect: Effect, language: Language) -> str:
    """The rule that something an event set off comes from.

    Its words may name every house rule, the parts of `blind_chicago` as `blind_points` and so on.
    """
    blind = asdict(rules.blind_chicago) if rules.blind_chicago else {}
    values = asdict(rules) | {f"blind_{part}": value for part, value in blind.items()}
    if rules.chicago_penalty == "all":
        values["chicago_penalty"] = language.gettext("all points")
    if effect.hand:
        values["hand"] = hand_name(effect.hand, language)
        values["worth"] = language.points(points_of(rules, effect.hand))
    text = language.gettext(EFFECTS[effect.code].why) % values
    return text[0].upper() + text[1:]


def _explain_stops(before: GameState, after: GameState, language: Language) -> list[str]:
    """The players who are newly stopped, or may exchange again."""
    _, limit, lines = language.gettext, after.rules.exchange_stop, []
    for name in after.playing if not after.over else ():
        score = language.points(after.score(name))
        values = {"player": language.name(name), "score": score, "limit": limit}
        was, now = name in before.players and is_stopped(before, name), is_stopped(after, name)
        if now and not was:
            lines.append(_("%(player)s has %(score)s: exchange stop at %(limit)s.", **values))
        if was and not now:
            lines.append(_("%(player)s has %(score)s and may exchange again.", **values))
    return lines
