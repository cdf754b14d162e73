"""Amending a game: nothing moves into another deal, and what no longer fits is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.amendment import (
    ANY_STEP,
    Amendment,
    Entry,
    Moment,
    judge,
    moment_of,
    place_entries,
    require_standing,
    state_after_deal,
)
from app.rules.errors import BadFile, NotAllowed
from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    LastTrick,
    Leaves,
    NoBestHand,
)
from app.rules.game import begin, can, fold, replay
from app.rules.gamefile import read_game, read_setup
from app.rules.hands import Hand
from app.rules.state import GameState, Setup, Step
from tests.rules.strategies import Played, all_candidates, games, happenings

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))

Draft = tuple[Entry, ...]


def golden_game(path: Path) -> tuple[Setup, list[GameState], tuple[Event, ...]] | None:
    """Return a golden game as far as it can be played, None where it cannot be read."""
    with suppress(BadFile):
        game = read_game(json.loads(path.read_text(encoding="utf-8"))["game"])
        states, _ = fold(game.setup, game.events)
        return game.setup, states, game.events[: len(states) - 1]
    return None


def drafts(states: list[GameState], events: tuple[Event, ...]) -> Iterator[Draft]:
    """Yield a game with one entry removed, or replaced by another that may be recorded there."""
    base = place_entries(states, events)
    for place, entry in enumerate(base):
        yield base[:place] + base[place + 1 :]
        tries = all_candidates(states[place].players)
        # A large step goes through all kinds of events as the entries are gone through.
        start = 101 * place % len(tries)
        other = next(e for e in tries[start:] + tries[:start] if can(states[place], e))
        yield (*base[:place], Entry(other, entry.moment), *base[place + 1 :])


def assert_in_place(amendment: Amendment) -> None:
    """Assert that entries stand in their deals, and that those named are those refused there."""
    named = {conflict.place for conflict in amendment.conflicts}
    assert named.isdisjoint(amendment.held)
    assert sorted((*named, *amendment.held)) == list(range(amendment.gap))
    for entry, place, before in zip(
        amendment.draft, range(10_000), amendment.befores, strict=False
    ):
        assert (place in named) == refused(before, entry)
    if amendment.missing is not None and amendment.gap < len(amendment.draft):
        due = amendment.draft[amendment.gap].moment
        assert due is not None
        assert not amendment.missing.over
        assert place_of(moment_of(amendment.missing)) < place_of(due)


def refused(state: GameState, entry: Entry) -> bool:
    """Tell whether an entry cannot be recorded in a state that is in its deal and at its step."""
    assert entry.moment is not None
    now = moment_of(state)
    in_place = now == entry.moment or (
        now.deal == entry.moment.deal and isinstance(entry.event, ANY_STEP)
    )
    return not (in_place and can(state, entry.event))


def place_of(moment: Moment) -> tuple[int, int]:
    """Return what moments are in order of."""
    return moment.deal, list(Step).index(moment.step)


def settle(setup: Setup, draft: Draft, must_end: bool, data: st.DataObject) -> Amendment:
    """Leave out what no longer fits, and complete what is missing with anything allowed."""
    amendment = judge(setup, draft, must_end)
    for _ in range(500):
        if amendment.stands:
            return amendment
        named = {conflict.place for conflict in amendment.conflicts}
        kept = [entry for place, entry in enumerate(amendment.draft) if place not in named]
        if amendment.missing is not None:
            event = data.draw(happenings(amendment.missing))
            kept.insert(amendment.gap - len(named), Entry(event, moment_of(amendment.missing)))
        amendment = judge(setup, kept, must_end)
    raise AssertionError("the draft was never settled")


def test_an_entry_changed_leaves_every_other_in_its_deal() -> None:
    """In every golden game, one entry changed or removed: the others stay, or are named rightly."""
    for played in filter(None, map(golden_game, GOLDEN)):
        setup, states, events = played
        for draft in drafts(states, events):
            assert_in_place(judge(setup, draft))


def test_an_unchanged_draft_stands() -> None:
    """Every golden game as it was recorded stands, and goes through the same states."""
    played = [game for game in map(golden_game, GOLDEN) if game is not None]
    for setup, states, events in played:
        amendment = judge(setup, place_entries(states, events), must_end=states[-1].over)
        assert amendment.stands
        assert list(amendment.states) == states


@given(games(), st.data())
def test_a_settled_draft_replays_to_the_same_states(played: Played, data: st.DataObject) -> None:
    """Whatever is changed and however it is settled, the game that comes of it can be played."""
    if not played.events:
        return
    base = place_entries(played.states, played.events)
    place = data.draw(st.integers(0, len(base) - 1))
    event = data.draw(happenings(played.states[place]))
    new = data.draw(st.sampled_from([(), (Entry(event, base[place].moment),)]))
    draft = (*base[:place], *new, *base[place + data.draw(st.integers(0, 1)) :])
    assert_in_place(judge(played.setup, draft))
    settled = settle(played.setup, draft, played.states[-1].over, data)
    assert_in_place(settled)
    assert list(settled.states) == replay(played.setup, [e.event for e in settled.draft])


SETUP = read_setup({"players": ["Anna", "Bo", "Cilla"], "rules": {"preset": "pagat"}})
PAIR = BestHand(player="Bo", hand=Hand.PAIR)
TWO_PAIRS = BestHand(player="Bo", hand=Hand.TWO_PAIRS)
TRICK, NOBODY = LastTrick(player="Cilla"), NoBestHand()
FREE = {"chicago_minimum": None}
DEAL = (PAIR, TWO_PAIRS, TRICK, NOBODY)


def recorded(*events: Event, setup: Setup = SETUP) -> Draft:
    """Return a game as a draft."""
    return place_entries(replay(setup, events), events)


def codes(amendment: Amendment) -> list[tuple[int | None, str]]:
    """Return which entries no longer fit, by their index, and why."""
    return [(conflict.entry.index, conflict.reason.code) for conflict in amendment.conflicts]


def test_what_is_missing_is_missing_where_it_was() -> None:
    """A hand taken out of deal 1 is missing there, and the hands of deal 2 are not moved up."""
    draft = recorded(*DEAL, *DEAL)
    amendment = judge(SETUP, draft[:1] + draft[2:])
    assert amendment.missing is not None
    assert moment_of(amendment.missing) == Moment(1, Step.HAND_2)
    assert amendment.gap == 1
    assert not amendment.stands
    assert not amendment.certain_until(1)


def test_the_last_deal_of_an_unfinished_game_may_be_incomplete() -> None:
    """What is taken off the end is missing only where the game must end."""
    draft = recorded(*DEAL, PAIR)[:-1]
    assert judge(SETUP, draft).stands
    ended = judge(SETUP, draft, must_end=True)
    assert ended.missing == ended.states[-1]
    assert ended.gap == len(draft)


def test_a_bid_below_the_minimum_is_named_in_its_deal() -> None:
    """Points taken away in deal 1 make a bid in deal 2 impossible, and its result wait for it."""
    rich = Correction(player="Cilla", points=10)
    bid = (Chicago(player="Cilla"), ChicagoResult(won=True), NOBODY)
    draft = recorded(rich, *DEAL, PAIR, PAIR, *bid, *DEAL)
    amendment = judge(SETUP, draft[1:])
    assert codes(amendment) == [(7, "chicago_minimum")]
    assert amendment.conflicts[0].reason.values["score"] == 5
    assert amendment.missing is not None
    assert moment_of(amendment.missing) == Moment(2, Step.PLAY)
    assert amendment.certain_until(1)
    assert not amendment.certain_until(2)


def test_a_result_without_its_bid_is_named() -> None:
    """Where a trick takes the place of a bid, the result of the Chicago has none to be of."""
    rich = Correction(player="Cilla", points=15)
    draft = recorded(rich, PAIR, PAIR, Chicago(player="Cilla"), ChicagoResult(won=True), NOBODY)
    amendment = judge(SETUP, (*draft[:3], Entry(TRICK, draft[3].moment), *draft[4:]))
    assert codes(amendment) == [(4, "no_chicago_bid")]
    assert amendment.missing is None


def test_a_bid_in_the_place_of_a_trick_lacks_its_result() -> None:
    """Where a bid takes the place of the last trick, how it went is missing."""
    draft = recorded(Correction(player="Cilla", points=15), *DEAL)
    bid = Entry(Chicago(player="Cilla"), draft[3].moment)
    amendment = judge(SETUP, (*draft[:3], bid, *draft[4:]))
    assert codes(amendment) == []
    assert amendment.missing is not None
    assert amendment.missing.deal.step is Step.CHICAGO_PLAY
    inserted = judge(SETUP, (*draft[:3], bid, *draft[3:]))
    assert codes(inserted) == [(3, "chicago_was_bid")]


def test_an_entry_inserted_takes_the_moment_of_the_one_after_it() -> None:
    """Two hands cannot be the best of one exchange."""
    draft = recorded(*DEAL)
    amendment = judge(SETUP, (Entry(TWO_PAIRS, draft[0].moment), *draft))
    assert codes(amendment) == [(0, "recorded_already")]
    assert len(amendment.states) == 5


def test_a_last_trick_after_a_chicago_made_is_named() -> None:
    """The last trick that follows a lost Chicago has none to follow where it was made."""
    raw: dict[str, object] = {"players": ["Anna", "Bo"]}
    raw["rules"] = {"chicago_last_trick": "if_lost", "chicago_hand": "always", **FREE}
    setup = read_setup(raw)
    lost = ChicagoResult(won=False, broken_by="Anna")
    trick = LastTrick(player="Anna")
    draft = recorded(PAIR, PAIR, Chicago(player="Bo"), lost, trick, NOBODY, setup=setup)
    made = Entry(ChicagoResult(won=True), draft[3].moment)
    assert codes(judge(setup, (*draft[:3], made, *draft[4:]))) == [(4, "no_chicago_lost")]


def test_a_deal_cut_short_names_its_later_entries_and_no_others() -> None:
    """Where a zeroing ends deal 1 early, the rest of deal 1 falls and deal 2 stays."""
    raw: dict[str, object] = {
        "players": ["Anna", "Bo", "Cilla"],
        "rules": {"zeroing": {"four_of_a_kind": "choice"}},
    }
    setup = read_setup(raw)
    draft = recorded(*DEAL, Correction(player="Bo", points=1), *DEAL, setup=setup)
    zero = BestHand(player="Anna", hand=Hand.FOUR_OF_A_KIND, choose="zero")
    amendment = judge(setup, (Entry(zero, draft[0].moment), *draft[1:]))
    assert codes(amendment) == [(n, "deal_was_over") for n in (1, 2, 3)]
    assert amendment.states[-1].deal.number == 3
    assert not amendment.certain_until(1)


def test_after_the_end_of_the_game_everything_is_named() -> None:
    """Where the game ends earlier, all that follows is named with the deal it ended in."""
    setup = read_setup({"players": ["Anna", "Bo"]})
    draft = recorded(NOBODY, NOBODY, LastTrick(player="Bo"), setup=setup)
    amendment = judge(setup, (draft[0], Entry(Leaves(player="Anna"), draft[1].moment), draft[2]))
    assert codes(amendment) == [(2, "game_was_over")]
    assert amendment.conflicts[0].reason.values == {"deal": 1}
    assert amendment.missing is None


def test_a_draft_is_refused_for_its_first_entry_that_does_not_fit() -> None:
    """The rules say why an entry conflicts; behind a gap the reason is what is missing."""
    draft = recorded(*DEAL, *DEAL)
    with pytest.raises(NotAllowed) as caught:
        require_standing(judge(SETUP, draft[:1] + draft[2:]))
    assert (caught.value.code, caught.value.event) == ("entry_missing", 1)
    with pytest.raises(NotAllowed) as caught:
        require_standing(judge(SETUP, (draft[0], *draft)))
    assert (caught.value.code, caught.value.event) == ("recorded_already", 1)
    require_standing(judge(SETUP, draft))


def test_an_entry_without_a_moment_belongs_where_it_comes() -> None:
    """Who amends by program says what happened in order, and each is judged where it comes."""
    draft = [Entry(event) for event in DEAL]
    assert judge(SETUP, draft).stands
    assert codes(judge(SETUP, [Entry(TRICK), *draft])) == [(None, "no_trick_due")]


def test_the_end_of_a_deal_is_found() -> None:
    """A deal that has ended has a state it ended in, one that is played has none."""
    states = replay(SETUP, (*DEAL, PAIR))
    assert state_after_deal(states, 1) == states[4]
    assert state_after_deal(states, 2) is None
    setup = read_setup({"players": ["Anna", "Bo"]})
    ended = replay(setup, [Leaves(player="Anna")])
    assert state_after_deal(ended, 1) == ended[-1]
    assert state_after_deal([begin(setup)], 1) is None
