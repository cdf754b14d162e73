"""Where an event leads is said without any scores, and only where no scores make it otherwise."""

from itertools import pairwise

from hypothesis import given, settings

from app.rules.ahead import find_lead, look_ahead, may_come, name_of, without_scores
from app.rules.events import BestHand, Chicago, ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.hands import Hand
from app.rules.state import GameState, Step
from tests.rules.strategies import NAMES, Played, games
from tests.rules.table import Rules, facts, play
from tests.told import told

# What people record of the step that is due.
DUE = (BestHand, NoBestHand, LastTrick, Chicago, ChicagoResult)


@settings(max_examples=100)
@given(played=games())
def test_no_promise_is_broken(played: Played) -> None:
    """It holds for whatever was played before, at any standing; the points are not fewer."""
    for event, (before, after) in zip(played.events, pairwise(played.states), strict=True):
        if isinstance(event, DUE):
            check_promise(before, event, after)


def check_promise(before: GameState, event: Event, after: GameState) -> None:
    """Compare what is said without scores to what the engine has made of them."""
    blind = without_scores(before)
    lead = find_lead(blind, event)
    if lead is None:
        return
    assert may_come(blind, event)
    # Who owes points has none at the least.
    most = [
        max(0, score) + gain for score, gain in zip(before.scores.values(), lead.gains, strict=True)
    ]
    assert all(after.score(name) <= top for name, top in zip(before.players, most, strict=True))
    if lead.risky and max(most) >= before.rules.target:
        return
    assert not after.over
    assert without_scores(after) == lead.state
    assert (after.deal.number > before.deal.number) is lead.ends_deal


@told
def test_where_the_last_of_some_facts_leads(rules: Rules, told: str, step: Step | None) -> None:
    """To a step, or nobody knows."""
    state: GameState | None = play(**rules).state
    for event in facts(told):
        lead = find_lead(state, event) if state else None
        state = lead.state if lead and not lead.risky else None
    assert (state and state.deal.step) == step


def test_a_chicago_that_strikes_the_hands_may_give_back_what_the_deal_took() -> None:
    """Scores are those before the deal again, and nobody knows how much these were."""
    state = play(preset="huvudregler", chicago_hand="struck").state
    lead = find_lead(state, Chicago(player="Anna"))
    assert lead
    assert min(lead.gains) > state.rules.target


def test_what_lies_too_far_ahead_leads_nowhere() -> None:
    """A table where everybody tells a hand at each step comes to more states than are looked at."""
    scored = dict.fromkeys(("1", "2", "3", "play"), "everyone")
    agreed: Rules = {"players": " ".join(NAMES), "dealer": "Anna", "preset": "huvudregler"}
    state = play(**agreed, scored_hands=scored).state

    def hands(at: GameState) -> list[Event]:
        told = [BestHand(player=name, hand=Hand.PAIR) for name in at.playing]
        return [*told, NoBestHand(), *(LastTrick(player=name) for name in at.playing)]

    found = look_ahead(state, hands)
    assert len({name_of(each.state) for each in found}) == len(found)
    assert 1 < len([each for each in found if each.known]) < len(found)
    assert not any(each.leads for each in found if not each.known)
