"""Laws for every game under any house rules."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules.codes import NotAllowed
from app.rules.events import BestHand, Chicago, Event, IllegalExchange, Joins, write_event
from app.rules.game import apply, find_dealer, replay
from app.rules.gamefile import Game, read_game, write_game, write_result
from app.rules.hands import Hand
from app.rules.house import OPTIONS, covers, listed_hands, zeroing_of
from app.rules.presets import read_rules, write_rules
from app.rules.rights import (
    can,
    chicago_step,
    ends_deal,
    may_bid,
    may_bid_blind,
    may_exchange,
    must_show,
    why_not,
)
from app.rules.settlement import payout
from app.rules.state import GameState, Setup, Step, scored_hands, with_deal
from tests.rules.strategies import (
    NAMES,
    TAKING_CHICAGOS,
    Played,
    all_candidates,
    ended_games,
    games,
    json,
    raw_rules,
    setups,
    values_of_field,
)

SHOWN_ONLY = [field for field, row in OPTIONS.items() if row.affects == "shown"]

CHICAGOS_MADE = ("chicago_won", "chicago_won_with_two", "blind_won", "blind_won_with_two")


def raises(state: GameState, event: Event) -> str | None:
    """Return the code by which applying the event is refused, or None."""
    try:
        apply(state, event)
    except NotAllowed as refusal:
        return refusal.code
    return None


def replaying_a_game_gives_what_playing_it_gave(played: Played) -> None:
    """Replay has the same states as live play."""
    assert tuple(replay(played.setup, played.events)) == played.states


def a_refused_event_is_named_by_its_index(played: Played, data: st.DataObject) -> None:
    """The replay of a game with a refused event names the event's index."""
    place = data.draw(st.integers(0, len(played.events)))
    event = data.draw(st.sampled_from(all_candidates(played.states[-1].players)))
    expected = raises(played.states[place], event)
    if expected is None:
        return
    with pytest.raises(NotAllowed) as caught:
        replay(played.setup, (*played.events[:place], event))
    assert (caught.value.event, caught.value.code) == (place, expected)


def what_can_be_recorded_is_what_the_check_lets_through(
    played: Played, data: st.DataObject
) -> None:
    """For every possible event, check and apply agree, and no other error occurs."""
    state = data.draw(st.sampled_from(played.states))
    for event in all_candidates(state.players):
        refusal = why_not(state, event)
        assert raises(state, event) == (refusal and refusal.code)


def rights_to_bid_are_what_the_check_goes_by(played: Played) -> None:
    """At the step for bids exactly the players with the right may bid Chicago."""
    for state in played.states:
        for name in state.players:
            ordinary = can(state, Chicago(player=name))
            assert ordinary == (chicago_step(state).ok and may_bid(state, name).ok)
            assert can(state, Chicago(player=name, blind=True)) == may_bid_blind(state, name).ok


def the_right_to_exchange_is_what_the_check_goes_by(played: Played) -> None:
    """At a table that records illegal exchanges, exactly the stopped players can make one."""
    for state in played.states:
        for name in state.players:
            recorded = can(state, IllegalExchange(player=name))
            stopped = may_exchange(state, name).code == "exchange_stop"
            assert recorded == (stopped and state.rules.illegal_exchange == "zeroed")


def a_hand_offered_before_the_play_can_be_booked_there(played: Played) -> None:
    """Of the hands that a table lists, exactly those offered before the play can be booked."""
    for state in played.states:
        if state.deal.step is not Step.PLAY or state.deal.announced:
            continue
        holder, victim = state.playing[:2]
        bookable = {
            event.hand
            for event in all_candidates(state.players)
            if isinstance(event, BestHand)
            and event.player == holder
            and event.victim in (None, victim)
            and can(state, event)
        }
        offered = {hand for hand in listed_hands(state.rules) if announced(state, hand)}
        barred = not state.rules.zeroing_after_scoring and state.seat(holder).scored_four
        assert bookable & set(listed_hands(state.rules)) <= offered
        assert barred or offered <= bookable


def announced(state: GameState, hand: Hand) -> bool:
    """Reading 2: a hand that wins, zeroes by choice, or ends the deal as four of a kind."""
    rules = state.rules
    wins, ends = covers(rules.winning_hands, hand), ends_deal(rules, hand, zeroing=False)
    return wins or ends or zeroing_of(rules, hand) == "choice"


def a_phase_has_one_best_hand_at_most(played: Played) -> None:
    """Each phase of a deal, the one before the play included; of each where everybody's scores."""
    phases = Counter(
        (before.deal.number, before.deal.step, event.player if own(before) else "")
        for before, event in zip(played.states, played.events, strict=False)
        if isinstance(event, BestHand)
    )
    assert all(count == 1 for count in phases.values())


def own(state: GameState) -> bool:
    """Return whether everybody's own hand scores at this step."""
    return scored_hands(state.setup).get(state.deal.step) == "everyone"


def no_score_is_below_zero_where_that_is_not_played(played: Played) -> None:
    """Without negative scores no event takes anybody below 0; who is there by other rules stays."""
    for before, after in pairwise(played.states):
        if not after.rules.negative_scores:
            stands = before.scores
            assert all(s.score >= 0 or s.score == stands[s.name] for s in after.seats)


def scores_change_by_what_is_told(played: Played) -> None:
    """The points of an event's effects add up to the change of every score."""
    for before, after in pairwise(played.states):
        told = Counter[str | None]()
        for effect in after.effects:
            told[effect.player] += effect.points
        for name, score in after.scores.items():
            assert score - before.scores.get(name, 0) == told[name]


def chicagos_change_by_what_is_told(played: Played) -> None:
    """The effects of events add up to everybody's numbers of bid and made Chicagos."""
    said, made = Counter[str | None](), Counter[str | None]()
    for state in played.states:
        for effect in state.effects:
            said[effect.player] += effect.code in ("bid", "blind_bid")
            made[effect.player] += effect.code in CHICAGOS_MADE
            if effect.code == "chicagos_taken":
                said[effect.player] = made[effect.player] = 0
            made[effect.player] -= effect.code == "won_chicago_taken"
        for seat in state.seats:
            assert (seat.declared, seat.won) == (said[seat.name], made[seat.name])


def seats_scores_and_dealers_are_those_of_a_naive_reading(played: Played) -> None:
    """A plain list of names on paper gives the same order and the same dealer."""
    told = [(list(state.scores.items()), state.deal.dealer) for state in played.states[1:]]
    assert told == naive(played)


def naive(played: Played) -> list[tuple[list[tuple[str, int]], str]]:
    """Return scores and dealer after each event, with the seats in a plain list of names."""
    seats, scores = list(played.setup.players), dict.fromkeys(played.setup.players, 0)
    dealer, number, told = played.setup.dealer, 1, []
    for event, after in zip(played.events, played.states[1:], strict=True):
        if isinstance(event, Joins):
            seats.insert(seats.index(event.after) + 1, event.player)
            lowest = -1000 if after.rules.negative_scores else 0
            scores[event.player] = max(lowest, event.points)
        else:
            scores |= {name: after.score(name) for name in scores}
        gone = dealer in after.out and not (after.deal.begun or after.over)
        if after.deal.number > number or gone:
            number, place = after.deal.number, seats.index(dealer)
            order = seats[place + 1 :] + seats[: place + 1]
            dealer = next(name for name in order if name in after.playing)
        told.append(([(name, scores[name]) for name in seats], dealer))
    return told


def by_who_dealt_first_only_the_dealer_differs(played: Played) -> None:
    """The dealer at the end is told by the game as it was played."""
    end = played.states[-1]
    for first in played.setup.players:
        *_, other = replay(replace(played.setup, dealer=first), played.events)
        expected = with_deal(end, dealer=find_dealer(played.states, first))
        assert replace(other, setup=end.setup) == expected


def who_does_not_play_is_not_touched(played: Played) -> None:
    """A player who is out, or sits out a tie-break, keeps the score in any event."""
    for before, after in pairwise(played.states):
        for name in set(before.players) - set(before.playing):
            assert after.score(name) == before.score(name)
            assert not may_exchange(before, name).ok
            assert not may_bid(before, name).ok
            assert must_show(before, name) == ()


def a_game_is_over_when_somebody_has_won_or_broken_it_off(played: Played) -> None:
    """Status, step, reason and winners agree, and only a void game ends without a winner."""
    for state in played.states:
        assert state.over == (state.deal.step is Step.OVER) == (state.ended is not None)
        assert bool(state.winners) == (state.over and state.ended != "broken_off_void")
        assert state.winners == tuple(n for n in state.players if n in state.winners)
        assert not set(state.winners) & set(state.out)


def payouts_sum_to_zero_and_only_losers_pay(played: Played) -> None:
    """The losers pay as much as the winners get, and winners differ by at most one öre."""
    state = played.states[-1]
    paid = payout(state)
    assert paid is not None
    assert list(paid) == list(state.players)
    assert sum(paid.values()) == 0
    won = [paid[name] for name in state.winners]
    assert all(ore >= 0 for ore in won)
    assert all(paid[name] <= 0 for name in paid if name not in state.winners)
    assert max(won, default=0) - min(won, default=0) <= 1


@given(raw_rules())
def test_house_rules_survive_being_written(raw: dict[str, object]) -> None:
    """Rules written and read are the same rules, and are written the same way again."""
    preset, rules = read_rules(raw)
    written = write_rules(preset, rules)
    assert read_rules(json(written)) == (preset, rules)
    assert write_rules(*read_rules(written)) == written


REMARKS = st.dictionaries(
    st.sampled_from(["id", "name", "at", "note"]),
    st.none() | st.text(max_size=64) | st.integers() | st.lists(st.booleans()),
)


def a_game_file_survives_being_written(played: Played, data: st.DataObject) -> None:
    """A game sent through a file, with remarks on it and its events, is the same game again."""
    remarks = data.draw(REMARKS)
    raw = write_game(Game(played.setup, played.events))
    raw["events"] = [{**write_event(event), **data.draw(REMARKS)} for event in played.events[:3]]
    game = read_game({**raw, **remarks})
    written = write_game(game)
    assert read_game(json(written)) == game
    assert write_game(read_game(json(written))) == written
    assert [state.seats for state in game.states()] == [s.seats for s in played.states[:4]]


def rules_that_are_only_shown_change_no_score(played: Played, data: st.DataObject) -> None:
    """The same events under other shown-only rules give the same result."""
    fields = data.draw(st.lists(st.sampled_from(SHOWN_ONLY), min_size=1, unique=True))
    raw = write_rules(played.setup.preset, played.setup.rules)
    for field in fields:
        raw[field] = data.draw(values_of_field(field))
    _, rules = read_rules(raw)
    setup = played.setup
    other = Setup(setup.players, setup.dealer, setup.stake_ore, setup.preset, rules)
    assert write_result(replay(other, played.events)) == write_result(played.states)


def players_may_have_any_names(played: Played) -> None:
    """The same game with other names has the same result, in those names."""
    new = dict(zip(NAMES, ["Örn", "Bo", "anna", "Anna", "李", "x y", "Ö", "_"], strict=True))
    renamed = read_game(rename(json(write_game(Game(played.setup, played.events))), new))
    assert write_result(renamed.states()) == rename(write_result(played.states), new)


def rename(value: object, new: Mapping[str, str]) -> object:
    """Replace players' names everywhere in a file or a result."""
    if isinstance(value, dict):
        return {new.get(key, key): rename(inner, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [rename(inner, new) for inner in value]
    return new.get(value, value) if isinstance(value, str) else value


LAWS = (
    replaying_a_game_gives_what_playing_it_gave,
    rights_to_bid_are_what_the_check_goes_by,
    the_right_to_exchange_is_what_the_check_goes_by,
    a_hand_offered_before_the_play_can_be_booked_there,
    a_phase_has_one_best_hand_at_most,
    no_score_is_below_zero_where_that_is_not_played,
    scores_change_by_what_is_told,
    chicagos_change_by_what_is_told,
    seats_scores_and_dealers_are_those_of_a_naive_reading,
    by_who_dealt_first_only_the_dealer_differs,
    who_does_not_play_is_not_touched,
    a_game_is_over_when_somebody_has_won_or_broken_it_off,
    players_may_have_any_names,
)
LAWS_OF_A_CHOICE = (
    a_refused_event_is_named_by_its_index,
    what_can_be_recorded_is_what_the_check_lets_through,
    rules_that_are_only_shown_change_no_score,
    a_game_file_survives_being_written,
)


@given(games() | ended_games() | games(setups(TAKING_CHICAGOS)), st.data())
def test_every_game_keeps_the_laws(played: Played, data: st.DataObject) -> None:
    """Each law above holds for any game, under any house rules."""
    for law in LAWS:
        law(played)
    if played.states[-1].over:
        payouts_sum_to_zero_and_only_losers_pay(played)
    for law_of_a_choice in LAWS_OF_A_CHOICE:
        law_of_a_choice(played, data)
