"""Edits of a game: entries stay in their deals, and what no longer fits is left out and named."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed
from app.rules.edit import (
    Edited,
    Entry,
    Kind,
    Operation,
    change_rules,
    find_deal_after,
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
from app.rules.state import Setup
from app.services.edit import differences, find_consequences
from tests.rules.strategies import Played, games, happenings
from tests.rules.table import Rules, Table, facts, golden_games, play
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


def events(edited: Edited) -> tuple[object, ...]:
    """Return the events of an edited game."""
    return tuple(entry.event for entry in edited.entries)


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


@told
def test_an_edit_keeps_what_fits_and_names_the_rest(
    text: str,
    rules: Rules,
    edits: list[Any] | Rules,
    order: str,
    left: list[object],
    unfinished: list[object],
    as_played: list[int],
    stands: str,
) -> None:
    """By operations, or by other rules from the beginning.

    An entry that is left out has its index in the recorded game, and the reason; a deal what is
    missing in it and where that goes, or it counts by the rules that it was played by.
    """
    table = play(text, **rules)
    setup, entries = table.state.setup, place_entries(table.states, table.events)
    if isinstance(edits, dict):
        setup = play(**edits).state.setup
        edited = replay_by(setup, entries, table.states)
    else:
        operations = [operation(*each) for each in edits]
        deal = find_deal_after(operations, table.state.deal.number)
        edited = replay_entries(setup, operate(entries, operations), deal=deal)
    assert_sound(edited)
    kept = (event for event in events(edited) if not isinstance(event, RulesEvent))
    assert (tuple(kept), edited.states[-1].rules) == (facts(order), setup.rules)
    assert [[each.entry.index, each.reason.code] for each in edited.left] == left
    missing = [[each.deal, each.due.deal.step, each.at] for each in edited.unfinished]
    assert (missing, [each.deal for each in edited.as_played]) == (unfinished, as_played)
    assert Table(tuple(edited.states)).stands == stands


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


@told
def test_operations_that_cannot_be_carried_out_are_refused(text: str, code: str) -> None:
    """Unreadable ones, too many, which are not worked on, and those on no entry."""
    with pytest.raises(BadFile, match=code):
        operate(recorded(DEAL)[1], read_operations(text.replace("DEEP", "[" * 9000)))


@told
def test_whom_an_edit_changes_something_for(
    one: tuple[str, Rules], other: tuple[str, Rules], names: list[str], told: list[object]
) -> None:
    """Points, the right to exchange or bid, and the payout, each only where it differs."""
    before, after = (play(text, **rules).state for text, rules in (one, other))
    found = find_consequences(before, after, {name: name for name in names})
    assert [
        [e.player, e.score and [*e.score], *(v and v.code for v in (e.exchange, e.bid)), e.ore]
        for e in found
    ] == told
