"""Amending a game: no entry moves into another deal, and each one that no longer fits is named."""

from __future__ import annotations

from collections.abc import Iterator

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
    neighbours,
    place_entries,
    require_standing,
    state_after_deal,
)
from app.rules.checks import can
from app.rules.errors import NotAllowed
from app.rules.game import replay
from app.rules.hands import COMMON_HANDS
from app.rules.state import GameState, Setup, Step
from tests.rules.strategies import Played, all_candidates, games, happenings
from tests.rules.table import Rules, facts, golden_games, play

Draft = tuple[Entry, ...]
OTHERS = ("Bo", "Cilla", "Dan")


def drafts(states: list[GameState], base: Draft) -> Iterator[Draft]:
    """Yield the game with each entry removed, or replaced by another that may be recorded there."""
    for place, entry in enumerate(base):
        yield base[:place] + base[place + 1 :]
        tries = all_candidates(states[place].players)
        # The large step reaches all kinds of events over the entries.
        start = 101 * place % len(tries)
        other = next(e for e in tries[start:] + tries[:start] if can(states[place], e))
        yield (*base[:place], Entry(other, entry.moment), *base[place + 1 :])


def assert_in_place(amendment: Amendment) -> None:
    """Assert that entries stay in their deals, and that exactly the refused ones are named."""
    named = {conflict.place for conflict in amendment.conflicts}
    assert sorted((*named, *amendment.held)) == list(range(amendment.gap))
    for place, before in enumerate(amendment.befores):
        assert (place in named) == refused(before, amendment.draft[place])
    if amendment.missing is not None and amendment.gap < len(amendment.draft):
        due = amendment.draft[amendment.gap].moment
        assert due is not None
        assert not amendment.missing.over
        assert place_of(moment_of(amendment.missing)) < place_of(due)


def refused(state: GameState, entry: Entry) -> bool:
    """Tell whether a state refuses an entry, or is not in its deal and at its step."""
    assert entry.moment is not None
    now = moment_of(state)
    in_place = now == entry.moment or (
        now.deal == entry.moment.deal and isinstance(entry.event, ANY_STEP)
    )
    return not (in_place and can(state, entry.event))


def place_of(moment: Moment) -> tuple[int, int]:
    """Return the sort key of a moment."""
    return moment.deal, list(Step).index(moment.step)


def settle(setup: Setup, draft: Draft, must_end: bool, data: st.DataObject) -> Amendment:
    """Remove the conflicts, and fill each gap with any allowed event, until the draft stands."""
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


def test_golden_games_with_one_entry_changed() -> None:
    """An unchanged game stands; else all other entries stay in their deals, or are named."""
    for game, states in golden_games():
        base = place_entries(states, game.events[: len(states) - 1])
        unchanged = judge(game.setup, base, must_end=states[-1].over)
        assert unchanged.stands
        assert list(unchanged.states) == states
        for draft in drafts(states, base):
            assert_in_place(judge(game.setup, draft))


@given(games(), st.data())
def test_a_settled_draft_replays_to_the_same_states(played: Played, data: st.DataObject) -> None:
    """After any change, settled in any way, the resulting game can be played."""
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


DEAL = "Bo pair, Bo two_pairs, Cilla trick, nobody"
SETUP = play().state.setup


def recorded(text: str, **rules: object) -> tuple[Setup, Draft]:
    """Return the setup and the draft of a game."""
    table = play(text, **rules)
    return table.state.setup, place_entries(table.states, table.events)


def changed(
    text: str, at: int, until: int, new: str = "", rules: Rules | None = None, **judged: bool
) -> Amendment:
    """Judge a game with some of its entries replaced."""
    setup, draft = recorded(text, **(rules or {}))
    entries = [Entry(event, draft[at].moment) for event in facts(new)]
    return judge(setup, (*draft[:at], *entries, *draft[until:]), **judged)


def codes(amendment: Amendment) -> list[tuple[int | None, str]]:
    """Return the index of each entry that no longer fits, and the reason."""
    return [(conflict.entry.index, conflict.reason.code) for conflict in amendment.conflicts]


def test_what_is_missing_is_missing_where_it_was() -> None:
    """A hand removed from deal 1 leaves a gap there, and the hands of deal 2 do not move up."""
    amendment = changed(f"{DEAL}, {DEAL}", 1, 2)
    assert amendment.missing is not None
    assert moment_of(amendment.missing) == Moment(1, Step.HAND_2)
    assert (amendment.gap, amendment.stands, amendment.certain_until(1)) == (1, False, False)


def test_the_last_deal_of_an_unfinished_game_may_be_incomplete() -> None:
    """A removed last entry leaves a gap only where the game must end."""
    assert changed(f"{DEAL}, Bo pair", 4, 5).stands
    ended = changed(f"{DEAL}, Bo pair", 4, 5, must_end=True)
    assert (ended.missing, ended.gap) == (ended.states[-1], 4)


def test_a_bid_below_the_minimum_is_named_in_its_deal() -> None:
    """Fewer points in deal 1 make a bid in deal 2 impossible, and the result of the bid waits."""
    bid = "Bo pair, Bo pair, Cilla chicago, made, nobody"
    amendment = changed(f"Cilla 10, {DEAL}, {bid}, {DEAL}", 0, 1)
    assert codes(amendment) == [(7, "chicago_minimum")]
    assert amendment.conflicts[0].reason.values["score"] == 5
    assert amendment.missing is not None
    assert moment_of(amendment.missing) == Moment(2, Step.PLAY)
    assert amendment.certain_until(1)
    assert not amendment.certain_until(2)


RICH = "Cilla 15, Bo pair, Bo pair"
LOST = "Bo pair, Bo pair, Bo chicago, broken Anna, Anna trick, nobody"
IF_LOST: Rules = {
    "chicago_last_trick": "if_lost",
    "chicago_hand": "always",
    "chicago_minimum": None,
}
CHOICE: Rules = {"zeroing": {"four_of_a_kind": "choice"}}


@pytest.mark.parametrize(
    ("text", "at", "until", "new", "rules", "conflicts"),
    [
        (f"{RICH}, Cilla chicago, made, nobody", 3, 4, "Cilla trick", {}, [(4, "no_chicago_bid")]),
        # A bid in the place of a trick lacks its result; one before the trick blocks it.
        (f"{RICH}, Cilla trick, nobody", 3, 4, "Cilla chicago", {}, []),
        (f"{RICH}, Cilla trick, nobody", 3, 3, "Cilla chicago", {}, [(3, "chicago_was_bid")]),
        (DEAL, 0, 0, "Bo two_pairs", {}, [(0, "recorded_already")]),
        (LOST, 3, 4, "made", IF_LOST, [(4, "no_chicago_lost")]),
        # A deal cut short names its later entries, and no others.
        (
            f"{DEAL}, Bo 1, {DEAL}",
            0,
            1,
            "Anna zeroes",
            CHOICE,
            [(n, "deal_was_over") for n in (1, 2, 3)],
        ),
        ("no hands, Bo trick", 1, 2, "Anna leaves", {"players": "Anna Bo"}, [(2, "game_was_over")]),
    ],
)
def test_what_no_longer_fits_is_named(
    text: str, at: int, until: int, new: str, rules: Rules, conflicts: list[tuple[int, str]]
) -> None:
    """A conflict has its index in the recorded game, and its reason."""
    amendment = changed(text, at, until, new, rules)
    assert codes(amendment) == conflicts
    assert (amendment.missing is not None) == (new == "Cilla chicago")


def test_a_draft_is_refused_for_its_first_entry_that_does_not_fit() -> None:
    """A conflict has the code of the rules; a later entry behind a gap has `entry_missing`."""
    for at, until, new, code in (
        (1, 2, "", "entry_missing"),
        (0, 0, "Bo pair", "recorded_already"),
    ):
        with pytest.raises(NotAllowed) as caught:
            require_standing(changed(f"{DEAL}, {DEAL}", at, until, new))
        assert (caught.value.code, caught.value.event) == (code, 1)
    require_standing(changed(DEAL, 0, 0))


def test_an_entry_without_a_moment_belongs_where_it_comes() -> None:
    """An amending program sends events in order, and each is judged at its place."""
    assert judge(SETUP, [Entry(event) for event in facts(DEAL)]).stands
    early = judge(SETUP, [Entry(event) for event in facts(f"Cilla trick, {DEAL}")])
    assert codes(early) == [(None, "no_trick_due")]


def test_the_end_of_a_deal_is_found() -> None:
    """An ended deal has a last state, and a deal being played has none."""
    states = play(f"{DEAL}, Bo pair").states
    assert state_after_deal(states, 1) == states[4]
    assert state_after_deal(states, 2) is None
    ended = play("Anna leaves", players="Anna Bo").states
    assert state_after_deal(ended, 1) == ended[-1]


@pytest.mark.parametrize(
    ("happened", "likely"),
    [
        (
            "Anna three_of_a_kind",
            [
                "Anna straight",
                "Anna two_pairs",
                *(f"{n} three_of_a_kind" for n in OTHERS),
                "nobody",
            ],
        ),
        ("Anna pair", ["Anna two_pairs", *(f"{name} pair" for name in OTHERS), "nobody"]),
        ("nobody", [f"{name} pair" for name in ("Anna", *OTHERS)]),
        ("tie flush Bo Dan", ["Bo flush", "Dan flush", "nobody"]),
        ("no hands, Bo trick", [f"{name} trick" for name in ("Cilla", "Dan", "Anna")]),
        ("Anna 5", ["Anna -5", *(f"{name} 5" for name in OTHERS)]),
        ("Bo 15, Cilla 15, no hands, Bo chicago", ["Cilla chicago"]),
        ("Bo 15, no hands, Bo chicago, made", ["broken"]),
        ("settled", []),
    ],
)
def test_what_was_most_likely_meant(happened: str, likely: list[str]) -> None:
    """The next hand up and down, the next players, nobody: as far as the rules allow it there."""
    game = play(happened, players="Anna Bo Cilla Dan", preset="huvudregler")
    found = neighbours(game.states[-2], game.events[-1])
    assert found == [event for each in likely for event in facts(each)]


def test_who_doubts_that_nobody_had_a_hand_had_one() -> None:
    """Each common hand of theirs comes before the others' lowest one."""
    game = play("nobody", players="Anna Bo Cilla", preset="huvudregler")
    found = neighbours(game.states[0], game.events[0], ["Cilla"])
    likely = [f"Cilla {hand}" for hand in COMMON_HANDS] + ["Bo pair", "Anna pair"]
    assert sorted(map(repr, found)) == sorted(repr(e) for each in likely for e in facts(each))
    assert found[0] == facts("Cilla pair")[0]
