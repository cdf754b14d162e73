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
from app.rules.events import Event
from app.rules.game import begin, replay
from app.rules.gamefile import read_setup
from app.rules.state import GameState, Setup
from tests.rules.strategies import Played, games, happenings
from tests.rules.table import best, bid, gets, made, nobody, pair, trick, zero

Draft = tuple[Entry, ...]
NAMES = ["Anna", "Bo", "Cilla"]
FLUSH = best("Cilla", "flush")
DEAL = (pair("Anna"), nobody(), trick("Bo"), nobody())


def agree(**rules: object) -> Setup:
    """Return what was agreed: pagat's rules and what differs."""
    return read_setup({"players": NAMES, "rules": {"preset": "pagat", **rules}})


def record(*events: Event, setup: Setup | None = None) -> tuple[list[GameState], Draft]:
    """Return a game's states and the game as a draft."""
    states = replay(setup or agree(), events)
    return states, place_entries(states, events)


def forget(place: int, event: Event, *events: Event, setup: Setup | None = None) -> Amendment:
    """Return a game with a fact put in that was forgotten, the rest moved on."""
    setup = setup or agree()
    states, draft = record(*events, setup=setup)
    new = Entry(event, moment_of(states[place]))
    return judge(setup, shift(setup, (*draft[:place], new, *draft[place:]), place))


def in_order(amendment: Amendment) -> list[Event]:
    """Return the events of a draft."""
    return [entry.event for entry in amendment.draft]


def test_a_forgotten_hand_moves_the_rest_on_up_to_the_gap() -> None:
    """Three deals ago: its deal takes it up where nobody had a hand, and the others stay."""
    amendment = forget(0, FLUSH, *DEAL, *DEAL, *DEAL, pair("Bo"))
    assert amendment.stands
    assert in_order(amendment) == [FLUSH, pair("Anna"), *DEAL[2:], *DEAL, *DEAL, pair("Bo")]
    assert [entry.moment is None for entry in amendment.draft[:4]] == [False, True, False, False]
    assert amendment.states[-1].deal.number == 4


def test_a_forgotten_final_hand_moves_the_next_deals_hands_on() -> None:
    """What was booked as the final hand becomes the next deal's first, and that the second."""
    first, second = pair("Anna"), pair("Bo")
    amendment = forget(3, FLUSH, *DEAL[:3], first, second, nobody(), trick("Anna"), nobody())
    assert amendment.stands
    assert in_order(amendment) == [*DEAL[:3], FLUSH, first, second, trick("Anna"), nobody()]


def test_what_no_gap_takes_up_is_named() -> None:
    """Where every hand was somebody's the last before the play has no room; the rest stays."""
    amendment = forget(0, FLUSH, pair("Anna"), pair("Bo"), *DEAL[2:], *DEAL)
    assert [(m.place, m.reason.code) for m in amendment.conflicts] == [(2, "not_announced")]
    assert amendment.missing is None
    assert amendment.states[-1].deal.number == 3


def test_new_entries_move_on_to_moments_of_their_own() -> None:
    """What was put in before moves on too, and has a moment again."""
    states, draft = record(*DEAL, *DEAL)
    late, early = (Entry(each, moment_of(states[0])) for each in (FLUSH, pair("Bo")))
    shifted = shift(agree(), (early, late, *draft[1:]), 0)
    assert judge(agree(), shifted).stands
    new = [entry.moment for entry in shifted if entry.index is None]
    assert new == [moment_of(states[0]), moment_of(states[1])]


def test_all_moves_on_where_all_fits() -> None:
    """In the deal at hand, and where the fact ends a deal: what follows was of the next one."""
    assert in_order(forget(0, FLUSH, pair("Anna"))) == [FLUSH, pair("Anna")]
    setup = agree(zeroing={"four_of_a_kind": "choice"}, after_zeroing="deal_ends")
    amendment = forget(0, zero("Anna"), *DEAL, *DEAL, setup=setup)
    assert amendment.stands
    assert amendment.states[-1].deal.number == 4


@given(games(), st.data())
def test_all_keeps_its_order_and_at_most_one_gap_goes(played: Played, data: st.DataObject) -> None:
    """Whatever is put in wherever; what stands up to there stays."""
    if not played.events:
        return
    place = data.draw(st.integers(0, len(played.events) - 1))
    event = data.draw(happenings(played.states[place]))
    base = place_entries(played.states, played.events)
    new = Entry(event, moment_of(played.states[place]))
    draft = (*base[:place], new, *base[place:])
    shifted = shift(played.setup, draft, place)
    amendment = judge(played.setup, shifted)
    assert amendment.missing is None or amendment.gap > place
    assert shifted[: place + 1] == draft[: place + 1]
    left = [entry.index for entry in draft if entry.index not in {each.index for each in shifted}]
    assert all(is_empty_hand(played.events[index]) for index in left if index is not None)
    assert len(left) <= 1
    assert [e.index for e in shifted] == [e.index for e in draft if e.index not in left]
    assert judge(played.setup, settle(played.setup, shifted)).conflicts == ()


def test_what_takes_no_step_moves_nothing() -> None:
    """A correction that was forgotten leaves every entry where it was."""
    amendment = forget(1, gets(Bo=3)[0], *DEAL, *DEAL)
    assert amendment.stands
    assert amendment.states[-1].score("Bo") == 3 + 2 * 5


def test_what_cannot_be_put_in_moves_nothing() -> None:
    """A fact that its place refuses is named, and nothing else."""
    amendment = forget(2, pair("Anna"), *DEAL, *DEAL)
    assert [(m.place, m.reason.code) for m in amendment.conflicts] == [(2, "not_announced")]


def test_a_deal_that_was_not_noted_is_put_in_before_the_one_at_hand() -> None:
    """Nobody had a hand in it; what was recorded of the deal at hand goes along."""
    states, draft = record(*DEAL, pair("Bo"))
    amendment = judge(agree(), insert_deal(states, draft, "Cilla"))
    assert amendment.stands
    last = amendment.states[-1]
    assert (last.deal.number, last.deal.step, last.score("Cilla")) == (3, "hand_2", 5)
    assert in_order(amendment)[4:] == [nobody(), nobody(), trick("Cilla"), nobody(), pair("Bo")]


def test_a_deal_put_in_needs_somebody_who_plays() -> None:
    """The last trick is always somebody's."""
    with pytest.raises(NotAllowed, match="unknown_player"):
        insert_deal([begin(agree())], (), "Erik")


def test_a_deal_noted_twice_is_taken_away() -> None:
    """The later ones are each one earlier, and what lived on its points is named in its deal."""
    rich, chicago = gets(Anna=9), (bid("Anna"), made(), nobody())
    states, draft = record(*rich, *DEAL, *DEAL, nobody(), nobody(), trick("Anna"), nobody())
    amendment = judge(agree(), remove_deal(draft, 2))
    assert amendment.stands
    assert amendment.states[-1].deal.number == states[-1].deal.number - 1
    _, draft = record(*rich, *DEAL[:2], trick("Anna"), nobody(), *DEAL, *DEAL[:2], *chicago)
    amendment = judge(agree(), remove_deal(draft, 1))
    assert [m.reason.code for m in amendment.conflicts] == ["chicago_minimum"]
    assert amendment.missing is not None
    assert amendment.missing.deal.number == 2


def settled(events: tuple[Event, ...], before: Setup, after: Setup) -> Amendment:
    """Return a game under other rules, with what no longer fits settled."""
    return judge(after, settle(after, record(*events, setup=before)[1]))


def test_what_other_rules_leave_over_is_settled() -> None:
    """A hand that no longer zeroes scores; one more exchange had no best hand, one less none."""
    zeroing = agree(zeroing={"four_of_a_kind": "choice"}, after_zeroing="deal_goes_on")
    four = best("Anna", "four_of_a_kind")
    game = (zero("Anna"), nobody(), trick("Bo"), nobody(), *DEAL)
    assert in_order(settled(game, zeroing, agree())) == [four, *game[1:]]
    short = (pair("Anna"), *DEAL[2:])
    more = settled((*short, *short), agree(exchanges=2), agree())
    assert more.stands
    assert in_order(more) == [*DEAL, *DEAL]
    less = settled((*DEAL, *DEAL), agree(), agree(exchanges=2))
    assert less.stands
    assert in_order(less) == [*short, *short]


def test_a_trick_that_is_missing_is_not_made_up() -> None:
    """Where a deal was cut short and goes on now, somebody has to say who took its trick."""
    ended = agree(zeroing={"four_of_a_kind": "choice"}, after_zeroing="deal_ends")
    amendment = settled((zero("Anna"), *DEAL), ended, agree())
    assert not amendment.conflicts
    assert amendment.missing is not None
    assert (amendment.missing.deal.number, amendment.missing.deal.step) == (1, "play")
