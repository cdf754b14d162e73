"""Edits of a game: entries stay in their deals, and what no longer fits is left out and named."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed
from app.rules.edit import (
    ANY_STEP,
    Edited,
    Entry,
    Kind,
    Moment,
    Operation,
    change_rules,
    moment_of,
    operate,
    place_entries,
    read_operations,
    replay_by,
    replay_entries,
)
from app.rules.events import Rules as RulesEvent
from app.rules.events import write_event
from app.rules.game import replay
from app.rules.presets import PRESETS
from app.rules.state import Setup, Step
from app.services.edit import differences, find_consequences
from tests.rules.strategies import Played, games, happenings
from tests.rules.table import Rules, facts, golden_games, play
from tests.told import told

DEAL = "Bo pair, Bo two_pairs, Cilla trick, nobody"
ENDS: Rules = {"zeroing": {"four_of_a_kind": "choice"}}
GOES_ON: Rules = {**ENDS, "after_zeroing": "deal_goes_on"}


def recorded(text: str, **rules: object) -> tuple[Setup, list[Entry]]:
    """Return the setup and the entries of a game."""
    table = play(text, **rules)
    return table.state.setup, place_entries(table.states, table.events)


def operation(kind: Kind, at: int, fact: str = "") -> Operation:
    """Return an operation, with an event where a fact is told."""
    return Operation(kind, at, write_event(facts(fact)[0]) if fact else None)


def edit(
    text: str,
    *operations: Operation,
    deal: int = 0,
    rules: Mapping[str, object] = MappingProxyType({}),
) -> Edited:
    """Return a game after some operations."""
    setup, entries = recorded(text, **rules)
    return replay_entries(setup, operate(entries, operations), deal=deal)


def events(edited: Edited) -> tuple[object, ...]:
    """Return the events of an edited game."""
    return tuple(entry.event for entry in edited.entries)


def codes(edited: Edited) -> list[tuple[int | None, str]]:
    """Return the index of each entry that is left out, and the reason."""
    return [(each.entry.index, each.reason.code) for each in edited.left]


def assert_sound(edited: Edited) -> None:
    """Assert that the game can be played, and that each entry stands where it says."""
    assert list(edited.states) == replay(edited.setup, [entry.event for entry in edited.entries])
    moments = [moment_of(state) for state in edited.states]
    assert [entry.moment for entry in edited.entries] == moments[: len(edited.entries)]


def test_a_game_without_an_edit_is_as_it_was() -> None:
    """All golden games: nothing is left out, filled in or moved."""
    for game, states in golden_games():
        base = place_entries(states, game.events[: len(states) - 1])
        edited = replay_entries(game.setup, base, exact=True)
        assert list(edited.states) == states
        assert edited.items == [*range(len(base))]
        assert differences(base, edited.entries) == []


@given(games(), st.data())
def test_any_operations_leave_a_game_that_can_be_played(
    played: Played, data: st.DataObject
) -> None:
    """Of the entries that are kept none is in another deal's place but by the deals left out."""
    count = len(played.events)
    kinds: st.SearchStrategy[Kind] = st.sampled_from(
        ["insert", "change", "remove", "move", "insert_deal", "remove_deal"]
    )
    operations = []
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, count))
        state = played.states[at]
        event = data.draw(happenings(state)) if not state.over else played.events[0]
        operations.append(Operation(data.draw(kinds), at, write_event(event)))
    base = place_entries(played.states, played.events)
    try:
        entries = operate(base, operations)
    except BadFile:
        return
    edited = replay_entries(played.setup, entries)
    assert_sound(edited)
    kept = [each.index for each in edited.entries if each.index is not None]
    assert kept == sorted(kept)
    if not {each.kind for each in operations} & {"move", "insert_deal", "remove_deal"}:
        left_deals = len(edited.unfinished)
        for each in edited.entries:
            if each.index is not None:
                deal = base[each.index].moment.deal  # type: ignore[union-attr]  # recorded ones have it
                assert each.moment is not None
                assert deal - left_deals <= each.moment.deal <= deal


# The operation, the game after it, and what is left out.


@told
def test_an_edit_keeps_what_fits_and_names_the_rest(
    text: str, operated: list[Any], order: str, rules: Rules, left: list[list[object]]
) -> None:
    """Each entry that is left out has its index in the recorded game, and the reason."""
    edited = edit(text, operation(*operated), rules=rules)
    assert_sound(edited)
    assert (events(edited), [*map(list, codes(edited))]) == (facts(order), left)


def test_a_deal_without_its_trick_is_left_out_and_one_tap_brings_it_back() -> None:
    """It says what is missing and where that goes; later deals are each one earlier."""
    edited = edit(f"{DEAL}, {DEAL}, Bo pair", operation("remove", 2))
    assert_sound(edited)
    assert events(edited) == facts(f"{DEAL}, Bo pair")
    [unfinished] = edited.unfinished
    assert (unfinished.deal, unfinished.due.deal.step, unfinished.at) == (1, Step.PLAY, 3)
    whole = edit(
        f"{DEAL}, {DEAL}, Bo pair",
        operation("remove", 2),
        operation("insert", unfinished.at, "Anna trick"),
    )
    assert events(whole) == facts(f"Bo pair, Bo two_pairs, Anna trick, nobody, {DEAL}, Bo pair")


def test_a_chicago_that_can_no_longer_be_bid_takes_its_deal_with_it() -> None:
    """Fewer points in deal 1 make a bid in deal 2 impossible: nobody is asked for the trick."""
    bid = "Bo pair, Bo pair, Cilla chicago, made, nobody"
    edited = edit(f"Cilla 10, {DEAL}, {bid}, {DEAL}", operation("remove", 0))
    assert_sound(edited)
    assert events(edited) == facts(f"{DEAL}, {DEAL}")
    assert [each.deal for each in edited.unfinished] == [2]


def test_what_belongs_to_no_step_stays_when_its_deal_is_left_out() -> None:
    """Points that were agreed, other rules, and who came then go with the deal that follows."""
    stays = "Bo 15, Dan joins Cilla 3"
    edited = edit(f"{DEAL}, {stays}, no hands, Bo trick, nobody, Dan pair", operation("remove", 8))
    assert_sound(edited)
    assert events(edited) == facts(f"{DEAL}, {stays}, Dan pair")
    assert ([each.deal for each in edited.unfinished], edited.left) == ([2], [])


@told
def test_a_forgotten_fact_moves_the_rest_on(
    at: int, fact: str, text: str, rules: Rules, order: str
) -> None:
    """A hand, the final hand or a correction, deals ago or in the current deal."""
    edited = edit(text, operation("insert", at, fact), operation("move", at), rules=rules)
    assert_sound(edited)
    assert (events(edited), edited.left) == (facts(order), [])


def test_what_finds_no_room_is_left_out_and_the_rest_stays() -> None:
    """With a best hand at every step, the last one before the play has no room."""
    text = f"Anna pair, Bo pair, Bo trick, nobody, {DEAL}"
    edited = edit(text, operation("insert", 0, "Cilla flush"), operation("move", 0))
    assert events(edited) == facts(f"Cilla flush, Anna pair, Bo trick, nobody, {DEAL}")
    assert codes(edited) == [(1, "recorded_already")]


def test_a_deal_that_was_not_noted_is_put_in() -> None:
    """Nobody has a hand in it; the entries of later deals move with it."""
    taker = operation("insert_deal", 2, "Cilla trick")
    assert events(edit(f"{DEAL}, Bo pair", taker, deal=3)) == facts(f"{DEAL}, deal Cilla, Bo pair")
    edited = edit(DEAL, taker, deal=3)
    assert (events(edited), edited.states[-1].deal.number) == (facts(f"{DEAL}, deal Cilla"), 3)


def test_a_deal_noted_twice_is_taken_away() -> None:
    """Later deals are each one earlier; what belongs to no step of it stays."""
    text = f"Anna 9, {DEAL}, Bo 3, {DEAL}, deal Anna"
    edited = edit(text, operation("remove_deal", 2))
    assert events(edited) == facts(f"Anna 9, {DEAL}, Bo 3, deal Anna")
    assert not edited.left


@told
def test_a_whole_game_counts_by_other_rules(
    text: str, before: Rules, after: Rules, order: str
) -> None:
    """A hand that cannot zero scores; an added exchange has no best hand, a removed one goes."""
    table = play(text.rstrip(", "), **before)
    edited = replay_by(
        play(**after).state.setup, place_entries(table.states, table.events), table.states
    )
    assert_sound(edited)
    assert events(edited) == facts(order.rstrip(", "))


def test_a_hand_after_an_exchange_that_is_no_more_is_left_out_for_that() -> None:
    """Nothing else stands at its moment: there is none by these rules."""
    table, setup = play("Anna pair, Bo pair, Bo trick, nobody"), play(exchanges=2).state.setup
    edited = replay_by(setup, place_entries(table.states, table.events), table.states)
    assert codes(edited) == [(1, "hand_not_told")]


def test_a_deal_that_has_no_end_by_other_rules_counts_as_it_was_played() -> None:
    """A zeroing that cut a deal short stands, and nothing is asked for; the reason is named."""
    table, setup = play(f"{DEAL}, Anna zeroes, {DEAL}, Bo pair", **ENDS), play().state.setup
    edited = replay_by(setup, place_entries(table.states, table.events), table.states)
    assert_sound(edited)
    assert edited.states[-1].scores == table.state.scores
    assert edited.states[-1].rules == setup.rules
    assert [each.deal for each in edited.as_played] == [2]
    assert (edited.left, edited.unfinished) == ([], [])
    # Also where it is the last deal, and the next has not begun.
    last = play(f"{DEAL}, Anna zeroes", **ENDS)
    edited = replay_by(setup, place_entries(last.states, last.events), last.states)
    assert edited.states[-1].deal.number == 3
    assert edited.states[-1].rules == setup.rules


def test_a_deal_that_has_no_end_by_any_rules_is_left_out_and_told_once() -> None:
    """With fewer points before it a Chicago could not be bid by the rules of then either."""
    bid = "nobody, nobody, Cilla chicago, made, nobody"
    table = play(f"Cilla 10, deal Cilla, {bid}, Bo pair")
    setup = play(last_trick=0).state.setup
    edited = replay_by(setup, place_entries(table.states, table.events), table.states)
    assert_sound(edited)
    assert [each.deal for each in edited.unfinished] == [2]
    assert edited.as_played == []
    assert edited.states[-1].rules == setup.rules


def test_rules_that_hold_from_a_deal_leave_the_earlier_ones_alone() -> None:
    """Of the deal that is played what does not fit is left out; taken back, they are gone."""
    setup, entries = recorded(f"{DEAL}, Bo pair, Anna zeroes", **GOES_ON)
    other = replace(setup, rules=play().state.rules)
    changed = change_rules(entries, 2, setup, other)
    edited = replay_entries(setup, changed)
    assert_sound(edited)
    assert edited.items[:4] == [0, 1, 2, 3]
    assert isinstance(edited.items[4], RulesEvent)
    assert events(edited)[5:] == facts("Bo pair, Anna four_of_a_kind")
    back = change_rules(edited.entries, 2, setup, setup)
    assert not any(isinstance(entry.event, RulesEvent) for entry in back)


@given(games(), st.sampled_from(list(PRESETS)))
def test_any_game_goes_on_by_any_rules(played: Played, preset: str) -> None:
    """From the deal that is played or as a whole: it can be played, in the deal it was in."""
    setup = replace(played.setup, preset=preset, rules=PRESETS[preset])
    base, state = place_entries(played.states, played.events), played.states[-1]
    whole = replay_by(setup, base, played.states)
    assert_sound(whole)
    if not state.over:
        assert whole.states[-1].over or whole.states[-1].rules == setup.rules
        held = replay_entries(
            played.setup, change_rules(base, state.deal.number, played.setup, setup)
        )
        assert_sound(held)
        assert not held.unfinished
        assert held.states[-1].over or held.states[-1].rules == setup.rules
        earlier = [
            entry.index for entry in base if entry.moment and entry.moment[0] < state.deal.number
        ]
        assert held.items[: len(earlier)] == earlier


def test_an_exact_edit_is_refused_for_its_first_entry_that_does_not_fit() -> None:
    """A program learns the place and the rules' reason; a gap has `entry_missing`."""
    setup, entries = recorded(f"{DEAL}, {DEAL}")
    for operated, code in (
        (operation("remove", 1), "entry_missing"),
        (operation("insert", 0, "Bo pair"), "recorded_already"),
    ):
        with pytest.raises(NotAllowed) as caught:
            replay_entries(setup, operate(entries, [operated]), exact=True)
        assert (caught.value.code, caught.value.event) == (code, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "{}",
        '[["burn",0]]',
        '[["remove",-1]]',
        '[["remove"]]',
        '[["change",0,[]]]',
        "[" * 9000,
    ],
)
def test_operations_that_cannot_be_read_are_refused(text: str) -> None:
    """So are too many of them, and those on entries that are not there."""
    with pytest.raises(BadFile):
        read_operations(text)


def test_operations_are_bounded() -> None:
    """Too many are refused before they are worked on, and so are those on no entry."""
    with pytest.raises(BadFile, match="too_many_edits"):
        read_operations("[" + ",".join(['["remove",0]'] * 101) + "]")
    with pytest.raises(BadFile, match="too_many_edits"):
        operate(recorded(DEAL)[1], [operation("remove_deal", 1)] * 11)
    for each in (operation("remove", 4), operation("insert", 5, "Bo pair"), operation("move", 9)):
        with pytest.raises(BadFile, match="edit_unreadable"):
            operate(recorded(DEAL)[1], [each])


def test_whom_an_edit_changes_something_for() -> None:
    """Points, the right to exchange or bid, and the payout, each only where it differs."""
    before = play("Cilla 40, Bo 20, deal Anna", exchange_stop=45, players="Anna Bo Cilla")
    lower = play("Cilla 40, Bo 20, deal Anna", exchange_stop=40, players="Anna Bo Cilla")
    same = {name: name for name in before.state.players}
    [cissi] = find_consequences(before.state, lower.state, same)
    assert (cissi.player, cissi.score, cissi.bid, cissi.ore) == ("Cilla", None, None, None)
    assert cissi.exchange is not None
    assert cissi.exchange.code == "exchange_stop"
    ended, other = play("Bo 20, settled"), play("Bo 21, settled")
    found = find_consequences(ended.state, other.state, {n: n for n in ended.state.players})
    assert [(each.player, each.score, each.ore) for each in found][1] == ("Bo", (20, 21), 200)
    # A game that is over leaves nobody a right to lose.
    over = find_consequences(before.state, lower.then("settled").state, same)
    assert not any(each.exchange or each.bid for each in over)
    renamed = find_consequences(ended.state, ended.state, {"Anna": "Anna"})
    assert renamed == []
    over = find_consequences(before.state, ended.state, same)
    assert [(each.exchange, each.bid) for each in over] == [(None, None)] * 3


def test_entries_beside_a_step_stay_in_their_deal() -> None:
    """A correction waits for no hand that is missing before it."""
    edited = edit("Bo pair, Bo 3, Bo pair, Bo trick, nobody", operation("remove", 0))
    assert events(edited) == facts("Bo 3, nobody, Bo pair, Bo trick, nobody")
    assert all(isinstance(event, ANY_STEP) for event in events(edited)[:1])
    assert edited.entries[0].moment == Moment(1, Step.HAND_1)
