"""Names of the game's things, and what happened in it, in words."""

from __future__ import annotations

from collections.abc import Mapping

from app.languages import N_, Language
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
from app.rules.state import Effect, Step

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
