"""Putting a game in order: a forgotten fact, a missing or extra deal, and leftovers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.amendment import (
    Amendment,
    Entry,
    insert_deal,
    is_empty_hand,
    judge,
    moment_of,
    place_entries,
    remove_deal,
    settle,
    shift,
)
from app.rules.errors import NotAllowed
from tests.rules.strategies import Played, games, happenings
from tests.rules.table import Rules, Table, cases, facts, play

DEAL = "Anna pair, nobody, Bo trick, nobody"
ENDS: Rules = {"zeroing": {"four_of_a_kind": "choice"}}
GOES_ON: Rules = {**ENDS, "after_zeroing": "deal_goes_on"}


def place(table: Table) -> tuple[Entry, ...]:
    """Return the game of a table as a draft."""
    return place_entries(table.states, table.events)


def forget(at: int, fact: str, text: str, **rules: object) -> Amendment:
    """Judge a game with a forgotten fact inserted, and the rest moved on."""
    table, draft = play(text, **rules), place(play(text, **rules))
    new = Entry(facts(fact)[0], moment_of(table.states[at]))
    setup = table.state.setup
    return judge(setup, shift(setup, (*draft[:at], new, *draft[at:]), at))


def assert_order(amendment: Amendment, text: str) -> None:
    """Assert that a draft stands, with these events."""
    assert amendment.stands
    assert tuple(entry.event for entry in amendment.draft) == facts(text)


@cases(
    ("at", "fact", "text", "rules", "order"),
    [
        # Entries move up to the first hand of nobody: the other deals stay.
        (
            0,
            "Cilla flush",
            f"{DEAL}, {DEAL}, {DEAL}, Bo pair",
            {},
            f"Cilla flush, Anna pair, Bo trick, nobody, {DEAL}, {DEAL}, Bo pair",
        ),
        # The final hand becomes the next deal's first hand, and the first hand the second.
        (
            3,
            "Cilla flush",
            "Anna pair, nobody, Bo trick, Anna pair, Bo pair, nobody, Anna trick, nobody",
            {},
            "Anna pair, nobody, Bo trick, Cilla flush, Anna pair, Bo pair, Anna trick, nobody",
        ),
        # All entries move where all of them fit: in the current deal, or after an end of the deal.
        (0, "Cilla flush", "Anna pair", {}, "Cilla flush, Anna pair"),
        (0, "Anna zeroes", f"{DEAL}, {DEAL}", ENDS, f"Anna zeroes, {DEAL}, {DEAL}"),
        # A fact that takes no step moves nothing.
        (1, "Bo 3", DEAL, {}, "Anna pair, Bo 3, nobody, Bo trick, nobody"),
    ],
)
def test_a_forgotten_fact_moves_the_rest_on(
    at: int, fact: str, text: str, rules: Rules, order: str
) -> None:
    """A hand, the final hand or a correction, three deals ago or in the current deal."""
    assert_order(forget(at, fact, text, **rules), order)


def test_the_deals_behind_a_gap_keep_their_moments() -> None:
    """Only a moved entry has no moment, and belongs to the place where it comes."""
    amendment = forget(0, "Cilla flush", f"{DEAL}, {DEAL}")
    assert [entry.moment is None for entry in amendment.draft[:4]] == [False, True, False, False]


@cases(
    ("at", "fact", "text", "conflict"),
    [
        # With a best hand at every step, the last one before the play has no room.
        (0, "Cilla flush", f"Anna pair, Bo pair, Bo trick, nobody, {DEAL}", 2),
        # A fact refused at its place is named, and nothing else.
        (2, "Anna pair", f"{DEAL}, {DEAL}", 2),
    ],
)
def test_what_finds_no_room_is_named(at: int, fact: str, text: str, conflict: int) -> None:
    """All other entries stay as they were."""
    amendment = forget(at, fact, text)
    assert [(m.place, m.reason.code) for m in amendment.conflicts] == [(conflict, "not_announced")]
    assert (amendment.missing, amendment.states[-1].deal.number) == (None, 3)


def test_new_entries_move_on_to_moments_of_their_own() -> None:
    """An entry inserted earlier moves on too, and gets a new moment."""
    table = play(f"{DEAL}, {DEAL}")
    moments = [moment_of(state) for state in table.states]
    late, early = (Entry(event, moments[0]) for event in facts("Cilla flush, Bo pair"))
    shifted = shift(table.state.setup, (early, late, *place(table)[1:]), 0)
    assert judge(table.state.setup, shifted).stands
    assert [entry.moment for entry in shifted if entry.index is None] == moments[:2]


@given(games(), st.data())
def test_all_keeps_its_order_and_at_most_one_gap_goes(played: Played, data: st.DataObject) -> None:
    """Any event is inserted at any place; the entries up to there stay."""
    if not played.events:
        return
    at = data.draw(st.integers(0, len(played.events) - 1))
    event = data.draw(happenings(played.states[at]))
    base = place_entries(played.states, played.events)
    draft = (*base[:at], Entry(event, moment_of(played.states[at])), *base[at:])
    shifted = shift(played.setup, draft, at)
    amendment = judge(played.setup, shifted)
    assert amendment.missing is None or amendment.gap > at
    assert shifted[: at + 1] == draft[: at + 1]
    left = [entry.index for entry in draft if entry.index not in {each.index for each in shifted}]
    assert all(is_empty_hand(played.events[index]) for index in left if index is not None)
    assert len(left) <= 1
    assert [e.index for e in shifted] == [e.index for e in draft if e.index not in left]
    assert judge(played.setup, settle(played.setup, shifted)).conflicts == ()


def test_a_deal_that_was_not_noted_is_put_in_before_the_one_at_hand() -> None:
    """Nobody has a hand in the new deal; the entries of the current deal move with it."""
    table = play(f"{DEAL}, Bo pair")
    draft = insert_deal(table.states, place(table), "Cilla")
    assert_order(judge(table.state.setup, draft), f"{DEAL}, deal Cilla, Bo pair")
    with pytest.raises(NotAllowed, match="unknown_player"):
        insert_deal(table.states, place(table), "Erik")


def test_a_deal_noted_twice_is_taken_away() -> None:
    """Later deals move up by one; an entry that needs its points is named in its own deal."""
    table = play(f"Anna 9, {DEAL}, {DEAL}, deal Anna")
    draft = remove_deal(place(table), 2)
    assert_order(judge(table.state.setup, draft), f"Anna 9, {DEAL}, deal Anna")
    first = "Anna pair, nobody, Anna trick, nobody"
    poor = play(f"Anna 9, {first}, {DEAL}, Anna pair, nobody, Anna chicago, made, nobody")
    amendment = judge(poor.state.setup, remove_deal(place(poor), 1))
    assert [m.reason.code for m in amendment.conflicts] == ["chicago_minimum"]
    assert amendment.missing is not None
    assert amendment.missing.deal.number == 2


SHORT = "Anna pair, Bo trick, nobody"


@cases(
    ("text", "before", "after", "order"),
    [
        (
            f"Anna zeroes, nobody, Bo trick, nobody, {DEAL}",
            GOES_ON,
            {},
            f"Anna four_of_a_kind, nobody, Bo trick, nobody, {DEAL}",
        ),
        (f"{SHORT}, {SHORT}", {"exchanges": 2}, {}, f"{DEAL}, {DEAL}"),
        (f"{DEAL}, {DEAL}", {}, {"exchanges": 2}, f"{SHORT}, {SHORT}"),
    ],
)
def test_what_other_rules_leave_over_is_settled(
    text: str, before: Rules, after: Rules, order: str
) -> None:
    """A hand that cannot zero scores; an added exchange has no best hand, a removed one goes."""
    setup = play(**after).state.setup
    assert_order(judge(setup, settle(setup, place(play(text, **before)))), order)


def test_a_trick_that_is_missing_is_not_made_up() -> None:
    """A deal that was cut short and now goes on needs a person to name the taker of its trick."""
    setup = play().state.setup
    amendment = judge(setup, settle(setup, place(play(f"Anna zeroes, {DEAL}", **ENDS))))
    assert not amendment.conflicts
    assert amendment.missing is not None
    assert moment_of(amendment.missing) == (1, "play")
