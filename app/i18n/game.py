"""Names of the game's things, and what happened in it, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.i18n.language import N_, Language
from app.rules.events import (
    BestHand,
    BreakOff,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    LastTrick,
    Leaves,
    NoBestHand,
)
from app.rules.hands import Hand
from app.rules.house import HouseRules, points_of
from app.rules.rights import stopped
from app.rules.settlement import payout
from app.rules.state import Effect, GameState, Step

HANDS: Mapping[Hand, str] = {
    Hand.PAIR: N_("Pair"),
    Hand.TWO_PAIRS: N_("Two pairs"),
    Hand.THREE_OF_A_KIND: N_("Three of a kind"),
    Hand.STRAIGHT: N_("Straight"),
    Hand.FLUSH: N_("Flush"),
    Hand.FULL_HOUSE: N_("Full house"),
    Hand.FOUR_OF_A_KIND: N_("Four of a kind"),
    Hand.STRAIGHT_FLUSH: N_("Straight flush"),
    Hand.ROYAL_FLUSH: N_("Royal flush"),
    Hand.ROYAL_FLUSH_HEARTS: N_("Royal flush in hearts"),
}

STEPS: Mapping[Step, str] = {
    Step.HAND_1: N_("First exchange: best hand?"),
    Step.HAND_2: N_("Second exchange: best hand?"),
    Step.HAND_3: N_("Third exchange: best hand?"),
    Step.PLAY: N_("The play: last trick?"),
    Step.CHICAGO_PLAY: N_("Chicago: made or broken?"),
    Step.LAST_TRICK: N_("After the Chicago: last trick?"),
    Step.FINAL_HAND: N_("After the play: best hand?"),
    Step.OVER: N_("The game is over"),
}

EFFECTS: Mapping[str, str] = {
    "hand": N_("%(player)s scores %(hand)s: %(points)s"),
    "hand_raised": N_("%(player)s is raised to the target with %(hand)s: %(points)s"),
    "zeroes": N_("%(player)s zeroes with %(hand)s"),
    "zeroed": N_("%(player)s is zeroed by %(by)s (%(hand)s): %(points)s"),
    "zeroing_voided": N_("The Chicago cancels the zeroing by %(player)s"),
    "bid": N_("%(player)s bids Chicago"),
    "blind_bid": N_("%(player)s bids Chicago blind"),
    "bid_withdrawn": N_("The bid goes with %(player)s; another may bid"),
    "chicago_won": N_("%(player)s makes the Chicago: %(points)s"),
    "chicago_won_with_two": N_("%(player)s makes the Chicago with a two: %(points)s"),
    "chicago_lost": N_("%(player)s loses the Chicago: %(points)s"),
    "blind_won": N_("%(player)s makes the blind Chicago: %(points)s"),
    "blind_won_with_two": N_("%(player)s makes the blind Chicago with a two: %(points)s"),
    "blind_lost": N_("%(player)s loses the blind Chicago: %(points)s"),
    "breaker": N_("%(player)s breaks the Chicago of %(by)s: %(points)s"),
    "last_trick": N_("%(player)s takes the last trick: %(points)s"),
    "last_trick_with_two": N_("%(player)s takes the last trick with a two: %(points)s"),
    "illegal_exchange": N_("%(player)s exchanged in spite of the stop: %(points)s"),
    "false_claim": N_("%(player)s claimed falsely and is out: %(points)s"),
    "leaves": N_("%(player)s leaves"),
    "correction": N_("Correction for %(player)s: %(points)s"),
    "requirement_unmet": N_("%(player)s is at the target without a Chicago: %(points)s"),
    "passed_over": N_("%(player)s is at the target without a Chicago and plays on"),
    "tie_break_begins": N_("Equal at the top: %(players)s play on alone"),
    "tied_play_on": N_("Equal at the top: %(players)s; everybody plays on"),
    "won_highest": N_("%(players)s wins: highest at the target when the deal ended"),
    "won_shared": N_("%(players)s share the win: equal at the top"),
    "won_tie_break": N_("%(players)s wins the tie-break"),
    "won_by_hand": N_("%(players)s wins at once with %(hand)s"),
    "won_at_once": N_("%(players)s wins at once: at the target before the play"),
    "won_by_blind_two": N_("%(players)s wins at once: a blind Chicago with a two"),
    "won_last_left": N_("%(players)s wins: nobody else is left"),
    "broken_off_settled": N_("Broken off and settled as it stands: %(players)s ahead"),
    "broken_off_void": N_("Broken off: nobody pays"),
}

ROWS: Mapping[str, str] = {
    "nobody": N_("Nobody"),
    "tied": N_("Tied: %(hand)s"),
    "hand": "%(hand)s",
    "hand_raised": N_("%(hand)s, raised"),
    "zeroes": N_("Zeroing: %(hand)s"),
    "zeroed": N_("Zeroed by %(by)s"),
    "zeroing_voided": N_("Zeroing cancelled"),
    "bid": N_("Chicago bid"),
    "blind_bid": N_("Blind Chicago bid"),
    "bid_withdrawn": N_("Bid withdrawn"),
    "chicago_won": N_("Chicago made"),
    "chicago_won_with_two": N_("Chicago made with a two"),
    "chicago_lost": N_("Chicago broken"),
    "blind_won": N_("Blind Chicago made"),
    "blind_won_with_two": N_("Blind Chicago made with a two"),
    "blind_lost": N_("Blind Chicago broken"),
    "breaker": N_("Broke the Chicago"),
    "last_trick": N_("Last trick"),
    "last_trick_with_two": N_("Last trick with a two"),
    "illegal_exchange": N_("Illegal exchange"),
    "false_claim": N_("False claim, out"),
    "leaves": N_("Leaves the game"),
    "correction": N_("Correction"),
    "requirement_unmet": N_("Target without Chicago"),
    "passed_over": N_("Target without Chicago"),
}

CELLS: Mapping[str, str] = {
    "tied": N_("tied"),
    "zeroes": N_("zeroes"),
    "bid": N_("bids"),
    "blind_bid": N_("bids"),
    "leaves": N_("leaves"),
    "bid_withdrawn": N_("withdrawn"),
    "zeroing_voided": N_("cancelled"),
    "passed_over": N_("plays on"),
}


def row_label(code: str, hand: Hand | None, by: str | None, language: Language) -> str:
    """What a line of the protocol is about: `Par`, `Sista stick`."""
    name = hand_name(hand, language) if hand else ""
    label = language.gettext(ROWS[code]) % {"hand": name, "by": by or ""}
    return label[0].upper() + label[1:]


def cell_word(code: str, language: Language) -> str:
    """What a player did in a line of the protocol that changes no score: `ropar`; or nothing."""
    return language.gettext(CELLS[code]) if code in CELLS else ""


def hand_label(hand: Hand, language: Language) -> str:
    """A hand's name as a heading."""
    return language.gettext(HANDS[hand])


def hand_name(hand: Hand, language: Language) -> str:
    """A hand's name within a sentence."""
    label = hand_label(hand, language)
    return label[0].lower() + label[1:]


def step_title(step: Step, language: Language) -> str:
    """What is due, as a question."""
    return language.gettext(STEPS[step])


def effect_text(effect: Effect, language: Language) -> str:
    """One thing an event set off, in words."""
    return language.gettext(EFFECTS[effect.code]) % {
        "player": effect.player,
        "by": effect.by,
        "points": language.signed(effect.points),
        "hand": hand_name(effect.hand, language) if effect.hand else "",
        "players": language.listing(effect.players),
    }


def event_text(event: Event, language: Language) -> str:
    """What was recorded, in a few words: `Anna par`."""
    _ = language.gettext
    match event:
        case BestHand(choose="zero"):
            return _("%(player)s zeroes: %(hand)s", **_player_and_hand(event, language))
        case BestHand():
            return _("%(player)s %(hand)s", **_player_and_hand(event, language))
        case NoBestHand(hand=Hand() as hand):
            names = language.listing(event.named())
            return _("tie: %(players)s, %(hand)s", players=names, hand=hand_name(hand, language))
        case NoBestHand():
            return _("nobody has the best hand")
        case Chicago(blind=True):
            return _("%(player)s bids Chicago blind", player=event.player)
        case Chicago():
            return _("%(player)s bids Chicago", player=event.player)
        case ChicagoResult():
            return _chicago_result_text(event, language)
        case LastTrick(with_two=True):
            return _("%(player)s last trick with a two", player=event.player)
        case LastTrick():
            return _("%(player)s last trick", player=event.player)
        case Correction():
            change = language.signed(event.points)
            return _("correction %(player)s %(points)s", player=event.player, points=change)
        case _:
            return _rare_event_text(event, language)


def _player_and_hand(event: BestHand, language: Language) -> dict[str, object]:
    return {"player": event.player, "hand": hand_name(event.hand, language)}


def _chicago_result_text(event: ChicagoResult, language: Language) -> str:
    _ = language.gettext
    if event.won:
        return _("Chicago made with a two") if event.with_two else _("Chicago made")
    if event.broken_by is not None:
        return _("Chicago broken by %(player)s", player=event.broken_by)
    return _("Chicago broken")


def _rare_event_text(event: Event, language: Language) -> str:
    _ = language.gettext
    match event:
        case IllegalExchange():
            return _("%(player)s exchanged illegally", player=event.player)
        case FalseClaim():
            return _("%(player)s claimed falsely", player=event.player)
        case Leaves():
            return _("%(player)s leaves", player=event.player)
        case BreakOff(settle=True):
            return _("broken off, settled")
        case _:
            return _("broken off, nobody pays")


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


def explain_effects(before: GameState, after: GameState, language: Language) -> list[str]:
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
