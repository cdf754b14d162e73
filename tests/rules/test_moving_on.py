"""A game put right in its order: a fact forgotten, a deal too few or too many, all that is left."""

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
    """Return a game as a draft."""
    return place_entries(table.states, table.events)


def forget(at: int, fact: str, text: str, **rules: object) -> Amendment:
    """Return a game with a fact put in that was forgotten, the rest moved on."""
    table, draft = play(text, **rules), place(play(text, **rules))
    new = Entry(facts(fact)[0], moment_of(table.states[at]))
    setup = table.state.setup
    return judge(setup, shift(setup, (*draft[:at], new, *draft[at:]), at))


def assert_order(amendment: Amendment, text: str) -> None:
    """Assert that a draft stands, and which events it has."""
    assert amendment.stands
    assert tuple(entry.event for entry in amendment.draft) == facts(text)


@cases(
    ("at", "fact", "text", "rules", "order"),
    [
        # Up to where nobody had a hand: the other deals stay.
        (
            0,
            "Cilla flush",
            f"{DEAL}, {DEAL}, {DEAL}, Bo pair",
            {},
            f"Cilla flush, Anna pair, Bo trick, nobody, {DEAL}, {DEAL}, Bo pair",
        ),
        # What was booked as the final hand becomes the next deal's first, and that the second.
        (
            3,
            "Cilla flush",
            "Anna pair, nobody, Bo trick, Anna pair, Bo pair, nobody, Anna trick, nobody",
            {},
            "Anna pair, nobody, Bo trick, Cilla flush, Anna pair, Bo pair, Anna trick, nobody",
        ),
        # All of it where all of it fits: in the deal at hand, and where the fact ends a deal.
        (0, "Cilla flush", "Anna pair", {}, "Cilla flush, Anna pair"),
        (0, "Anna zeroes", f"{DEAL}, {DEAL}", ENDS, f"Anna zeroes, {DEAL}, {DEAL}"),
        # What takes no step moves nothing.
        (1, "Bo 3", DEAL, {}, "Anna pair, Bo 3, nobody, Bo trick, nobody"),
    ],
)
def test_a_forgotten_fact_moves_the_rest_on(
    at: int, fact: str, text: str, rules: Rules, order: str
) -> None:
    """A hand, the final hand or a correction, three deals ago or in the deal at hand."""
    assert_order(forget(at, fact, text, **rules), order)


def test_the_deals_behind_a_gap_keep_their_moments() -> None:
    """Only what moves belongs to wherever it comes."""
    amendment = forget(0, "Cilla flush", f"{DEAL}, {DEAL}")
    assert [entry.moment is None for entry in amendment.draft[:4]] == [False, True, False, False]


@cases(
    ("at", "fact", "text", "conflict"),
    [
        # Where every hand was somebody's the last before the play has no room.
        (0, "Cilla flush", f"Anna pair, Bo pair, Bo trick, nobody, {DEAL}", 2),
        # A fact that its place refuses is named, and nothing else.
        (2, "Anna pair", f"{DEAL}, {DEAL}", 2),
    ],
)
def test_what_finds_no_room_is_named(at: int, fact: str, text: str, conflict: int) -> None:
    """The rest stays as it was."""
    amendment = forget(at, fact, text)
    assert [(m.place, m.reason.code) for m in amendment.conflicts] == [(conflict, "not_announced")]
    assert (amendment.missing, amendment.states[-1].deal.number) == (None, 3)


def test_new_entries_move_on_to_moments_of_their_own() -> None:
    """What was put in before moves on too, and has a moment again."""
    table = play(f"{DEAL}, {DEAL}")
    moments = [moment_of(state) for state in table.states]
    late, early = (Entry(event, moments[0]) for event in facts("Cilla flush, Bo pair"))
    shifted = shift(table.state.setup, (early, late, *place(table)[1:]), 0)
    assert judge(table.state.setup, shifted).stands
    assert [entry.moment for entry in shifted if entry.index is None] == moments[:2]


@given(games(), st.data())
def test_all_keeps_its_order_and_at_most_one_gap_goes(played: Played, data: st.DataObject) -> None:
    """Whatever is put in wherever; what stands up to there stays."""
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
    """Nobody had a hand in it; what was recorded of the deal at hand goes along."""
    table = play(f"{DEAL}, Bo pair")
    draft = insert_deal(table.states, place(table), "Cilla")
    assert_order(judge(table.state.setup, draft), f"{DEAL}, deal Cilla, Bo pair")
    with pytest.raises(NotAllowed, match="unknown_player"):
        insert_deal(table.states, place(table), "Erik")


def test_a_deal_noted_twice_is_taken_away() -> None:
    """The later ones are each one earlier, and what lived on its points is named in its deal."""
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
    """A hand that no longer zeroes scores; one more exchange had no best hand, one less none."""
    setup = play(**after).state.setup
    assert_order(judge(setup, settle(setup, place(play(text, **before)))), order)


def test_a_trick_that_is_missing_is_not_made_up() -> None:
    """Where a deal was cut short and goes on now, somebody has to say who took its trick."""
    setup = play().state.setup
    amendment = judge(setup, settle(setup, place(play(f"Anna zeroes, {DEAL}", **ENDS))))
    assert not amendment.conflicts
    assert amendment.missing is not None
    assert moment_of(amendment.missing) == (1, "play")
