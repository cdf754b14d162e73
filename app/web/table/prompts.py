"""What is due now, in words: whose deal, which phase, who may what, and in which order to ask."""

from __future__ import annotations

from app.i18n.game import effect_text, hand_name
from app.i18n.language import Language
from app.rules.house import announced_hands
from app.rules.rights import may_bid, may_exchange, must_show
from app.rules.state import BEFORE_PLAY, GameState, Step

UNASKED = ("requirement_unmet", "passed_over", "tied_play_on", "zeroing_voided")


def whose_deal(state: GameState, language: Language) -> str:
    """The deal's number and its dealer."""
    values = {"deal": state.deal.number, "player": state.deal.dealer}
    return language.gettext("Deal %(deal)s · %(player)s deals", **values)


def prompts(state: GameState, language: Language) -> list[str]:
    """What the table has to know for the step now due, the most pressing first."""
    step = state.deal.step
    said = [*_noted(state, language), *_tie_break(state, language), *_waiting(state, language)]
    if step in BEFORE_PLAY:
        said += [*_exchanging(state, language), *_showing(state, language)]
    elif step is Step.PLAY:
        said += [*_announcing(state, language), *_bidding(state, language)]
    elif step in (Step.CHICAGO_PLAY, Step.LAST_TRICK):
        said += _chicago(state, language)
    if step in BEFORE_PLAY and state.deal.declarer:
        said += _chicago(state, language)
    return said


def _noted(state: GameState, language: Language) -> list[str]:
    """What the last event set off that nobody tapped, and everybody has to know."""
    effects = (effect for effect in state.effects if effect.code in UNASKED)
    return [f"{effect_text(effect, language)}." for effect in effects]


def speaking_order(state: GameState) -> tuple[str, ...]:
    """Those who play, from eldest hand to the dealer."""
    players = state.setup.players
    seat = players.index(state.deal.dealer) + 1
    return tuple(name for name in players[seat:] + players[:seat] if name in state.playing)


def _tie_break(state: GameState, language: Language) -> list[str]:
    if not state.tie_break:
        return []
    names = language.listing(state.tie_break)
    return [language.gettext("Tie-break between %(players)s.", players=names)]


def _waiting(state: GameState, language: Language) -> list[str]:
    if state.deal.waiting is None:
        return []
    holder = state.deal.waiting.holder
    return [language.gettext("The zeroing by %(player)s waits.", player=holder)]


def _exchanging(state: GameState, language: Language) -> list[str]:
    _ = language.gettext
    stopped = [name for name in state.playing if not may_exchange(state, name).ok]
    if not stopped:
        return [_("All may exchange.")]
    if len(stopped) == len(state.playing):
        return [_("Nobody may exchange.")]
    return [_("All may exchange but %(players)s.", players=language.listing(stopped))]


def _showing(state: GameState, language: Language) -> list[str]:
    shown = [
        f"{name} {hand_name(hand, language)}"
        for name in state.playing
        for hand in must_show(state, name)
    ]
    if not shown:
        return []
    return [language.gettext("Shown before broken up: %(hands)s.", hands=", ".join(shown))]


def _announcing(state: GameState, language: Language) -> list[str]:
    hands = [hand_name(hand, language) for hand in announced_hands(state.rules)]
    if state.deal.announced or not hands:
        return []
    asked = language.either(hands)
    return [language.gettext("First: anybody with %(hands)s?", hands=asked)]


def _bidding(state: GameState, language: Language) -> list[str]:
    _ = language.gettext
    may = [name for name in speaking_order(state) if may_bid(state, name).ok]
    if not may:
        return [_("Nobody may bid Chicago.")]
    if state.rules.chicago_priority == "overbid":
        return [_("Chicago, in any order: %(players)s?", players=", ".join(may))]
    return [_("Chicago, asked in this order: %(players)s?", players=", ".join(may))]


def _chicago(state: GameState, language: Language) -> list[str]:
    _, declarer = language.gettext, state.deal.declarer
    if declarer is None:
        return []
    eldest = speaking_order(state)[0]
    blind = _("%(player)s plays Chicago blind.", player=declarer)
    said = [blind if state.deal.blind else _("%(player)s plays Chicago.", player=declarer)]
    if state.deal.step is Step.CHICAGO_PLAY:
        declarer_leads = state.rules.chicago_lead == "declarer" or declarer == eldest
        leads = (
            _("The declarer leads.") if declarer_leads else _("%(player)s leads.", player=eldest)
        )
        said.append(leads)
    return said
