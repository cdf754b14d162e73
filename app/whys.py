"""Why an entry did what it did: each effect with the house rule behind it, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.languages import N_, Language
from app.rules.house import HouseRules, points_of
from app.rules.rights import stopped
from app.rules.settlement import payout
from app.rules.state import Effect, GameState
from app.texts import effect_text, hand_name

WHY: Mapping[str, str] = {
    "hand": N_("The best hand scores: %(hand)s gives %(worth)s."),
    "hand_raised": N_("%(hand)s raises its holder to %(target)s."),
    "zeroes": N_("%(hand)s may zero instead of scoring."),
    "zeroed": N_("A zeroing with %(hand)s sets the score to 0."),
    "zeroing_voided": N_("A Chicago bid after the zeroing cancels it."),
    "bid": N_("A Chicago is a pledge to take all five tricks; from the bid on it counts as said."),
    "blind_bid": N_("A blind Chicago is bid before looking at the cards; no hands score."),
    "bid_withdrawn": N_("A declarer who leaves before the Chicago is played takes the bid along."),
    "chicago_won": N_("A Chicago made gives %(chicago_points)s."),
    "chicago_won_with_two": N_("A Chicago made with a two gives %(chicago_with_two)s."),
    "chicago_lost": N_("A Chicago broken costs %(chicago_penalty)s."),
    "blind_won": N_("A blind Chicago made gives %(blind_points)s."),
    "blind_won_with_two": N_("A blind Chicago made with a two gives %(blind_with_two)s and wins."),
    "blind_lost": N_("A blind Chicago broken costs %(blind_penalty)s."),
    "breaker": N_("Whoever breaks a Chicago gets %(chicago_breaker_bonus)s."),
    "last_trick": N_("The last trick gives %(last_trick)s."),
    "last_trick_with_two": N_("The last trick taken with a two gives %(last_trick_with_two)s."),
    "illegal_exchange": N_("Who exchanges in spite of the stop at %(exchange_stop)s is zeroed."),
    "false_claim": N_("Who claims a hand falsely is out of the game with 0 points."),
    "leaves": N_("Who leaves keeps the score and pays like any loser."),
    "correction": N_("The table agreed on a correction."),
    "requirement_unmet": N_("At %(target)s without the Chicago asked for, the score is zeroed."),
    "passed_over": N_("At %(target)s without the Chicago asked for, one plays on."),
    "tie_break_begins": N_("Equal winners play a tie-break, deal by deal, until one is ahead."),
    "tied_play_on": N_("Equal at the top, nobody has won; everybody plays on."),
    "won_highest": N_("The highest at %(target)s or more wins when the deal is over."),
    "won_shared": N_("Equal winners share."),
    "won_tie_break": N_("After a tie-break deal the highest of the tied wins."),
    "won_by_hand": N_("%(hand)s wins at once, whatever else is asked for."),
    "won_at_once": N_("A hand that reaches %(target)s before the play wins at once."),
    "won_by_blind_two": N_("A blind Chicago made with a two wins at once, whatever the score."),
    "won_last_left": N_("The last player left wins."),
    "broken_off_settled": N_("A game broken off is settled as it stands."),
    "broken_off_void": N_("A game broken off as void costs nobody anything."),
}


def explain(before: GameState, after: GameState, language: Language) -> list[str]:
    """What an event set off, each thing followed by the rule it comes from."""
    said = []
    for effect in after.effects:
        said.append(f"{effect_text(effect, language)}. {_why(after.rules, effect, language)}")
        said += _clamped(after.rules, effect, language)
    return said + _stops(before, after, language)


def _why(rules: HouseRules, effect: Effect, language: Language) -> str:
    text = language.gettext(WHY[effect.code]) % _values(rules, effect, language)
    return text[0].upper() + text[1:]


def _values(rules: HouseRules, effect: Effect, language: Language) -> dict[str, object]:
    hand, blind = effect.hand, rules.blind_chicago
    return {
        "hand": hand_name(hand, language) if hand else "",
        "worth": language.points(points_of(rules, hand)) if hand else "",
        "blind_points": blind.points if blind else 0,
        "blind_penalty": blind.penalty if blind else 0,
        "blind_with_two": (blind.with_two if blind else 0) or 0,
        **{field: getattr(rules, field) for field in _RULES_NAMED},
    }


_RULES_NAMED = (
    "target",
    "exchange_stop",
    "chicago_points",
    "chicago_penalty",
    "chicago_with_two",
    "chicago_breaker_bonus",
    "last_trick",
    "last_trick_with_two",
)

_COST: Mapping[str, Callable[[HouseRules], int]] = {
    "chicago_lost": lambda rules: rules.chicago_penalty,
    "blind_lost": lambda rules: rules.blind_chicago.penalty if rules.blind_chicago else 0,
}


def _clamped(rules: HouseRules, effect: Effect, language: Language) -> list[str]:
    cost = _COST[effect.code](rules) if effect.code in _COST else 0
    if cost and -effect.points < cost:
        return [language.gettext("The score never goes below 0 at this table.")]
    return []


def _stops(before: GameState, after: GameState, language: Language) -> list[str]:
    """Who is newly stopped, or may exchange again."""
    _, limit, said = language.gettext, after.rules.exchange_stop, []
    for name in after.playing if not after.over else ():
        values = {"player": name, "score": language.points(after.score(name)), "limit": limit}
        was, now = stopped(before, name), stopped(after, name)
        if now and not was:
            said.append(_("%(player)s has %(score)s: exchange stop at %(limit)s.", **values))
        if was and not now:
            said.append(_("%(player)s has %(score)s and may exchange again.", **values))
    return said


def explain_payout(state: GameState, language: Language) -> list[str]:
    """How each payment of a finished game comes about."""
    paid = payout(state) or {}
    if not state.winners or not state.setup.stake_ore:
        return []
    top = state.score(state.winners[0])
    return [
        _payment(state, name, top, language)
        for name in state.setup.players
        if paid[name] < 0 and name not in state.winners
    ]


def _payment(state: GameState, name: str, top: int, language: Language) -> str:
    score, paid = state.score(name), payout(state) or {}
    doubled = "2 × " if state.rules.negative_pays_double and score < 0 else ""
    difference = f"{doubled}({language.number(top)} − {language.number(score)})"
    each = language.kronor(state.setup.stake_ore)
    return f"{name}: {difference} × {each} = {language.kronor(-paid[name])}"
