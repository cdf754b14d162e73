"""A latecomer: who may join, when and where, and what they begin with (reading 20)."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.rules.errors import BadFile
from app.rules.events import Event, Joins
from app.rules.gamefile import read_game
from app.rules.protocol import assemble
from app.rules.rights import speaking_order
from app.rules.statistics import seat_statistics
from tests.rules.strategies import NAMES
from tests.rules.table import (
    bid,
    blind,
    broken_off,
    claims_falsely,
    deal_with_trick_to,
    exchanges_illegally,
    gets,
    joins,
    leaves,
    made,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
)


def dan(after: str = "Cilla", points: int = 0) -> Joins:
    """Let Dan sit down."""
    return joins("Dan", after, points)


# When.


@pytest.mark.reading(20)
@pytest.mark.parametrize(
    "begun", [pair("Anna"), nobody(), tie("pair", "Anna", "Bo"), bid("Anna"), blind("Anna")]
)
def test_nobody_joins_once_a_deal_has_begun(begun: Event) -> None:
    """A hand, nobody's hand or a bid of either kind, and it is too late until the next deal."""
    table = play(
        chicago_when="any_time",
        chicago_minimum=None,
        blind_chicago={"points": 30, "penalty": 20},
    ).then(begun)
    assert table.refusal(dan()) == "joins_too_late"


@pytest.mark.reading(20)
@pytest.mark.parametrize(
    "meanwhile", [gets(Anna=5), leaves("Anna"), claims_falsely("Anna"), exchanges_illegally("Bo")]
)
def test_what_does_not_begin_a_deal_leaves_room_to_join(meanwhile: Event) -> None:
    """A correction, a leave, a false claim or an illegal exchange is no beginning."""
    table = play(gets(Bo=50), deal_with_trick_to("Anna"), illegal_exchange="zeroed")
    assert table.then(meanwhile).refusal(dan()) is None


@pytest.mark.reading(20)
def test_nobody_joins_a_tie_break() -> None:
    """It is played between the tied, from its first moment."""
    table = play(gets(Anna=52, Bo=57), deal_with_trick_to("Anna"), tied_winners="tie_break")
    assert table.tie_break == ("Anna", "Bo")
    assert table.refusal(dan()) == "no_joining_tie_break"


@pytest.mark.reading(20)
def test_nobody_joins_a_game_that_is_over() -> None:
    """It is over."""
    assert play(broken_off("settled")).refusal(dan()) == "game_over"


@pytest.mark.reading(20)
def test_a_mended_game_names_who_is_not_there() -> None:
    """What can only be seen once entries are put in or taken away is refused in play."""
    table = play(dan())
    assert table.refusal(joins("Dan", "Anna", 0)) == "name_taken"
    assert table.refusal(joins("Eva", "Fia", 0)) == "unknown_player"
    assert table.refusal(pair("Eva")) == "unknown_player"
    eight = play(players=" ".join(NAMES))
    assert eight.refusal(joins("Ida", "Anna", 0)) == "no_seat_left"


# Where.


@pytest.mark.reading(20)
def test_the_deal_under_way_keeps_its_dealer_and_passes_through_the_new_seat() -> None:
    """Who sits down right behind the dealer is eldest hand now and deals next."""
    table = play(dan("Cilla"), dealer="Cilla")
    assert table.dealer == "Cilla"
    assert speaking_order(table.state) == ("Dan", "Anna", "Bo", "Cilla")
    dealt = [table.then(*[deal_with_trick_to("Anna")] * n).dealer for n in range(5)]
    assert dealt == ["Cilla", "Dan", "Anna", "Bo", "Cilla"]


# What they begin with.


@pytest.mark.reading(20)
def test_points_below_nought_are_clamped_where_scores_are() -> None:
    """Reading 15 holds for what is brought along too."""
    assert play(dan(points=-10))["Dan"] == 0
    assert play(dan(points=-10), negative_scores=True)["Dan"] == -10
    (effect,) = play(dan(points=-10)).state.effects
    assert (effect.code, effect.points, effect.by, effect.clamped) == ("joins", 0, "Cilla", True)


@pytest.mark.reading(20)
def test_no_chicago_said_or_made() -> None:
    """A latecomer's counts begin at nought, and lack what the table asks of a winner."""
    rules: dict[str, Any] = {"win_needs_chicago": "declared"}
    table = play(gets(Bo=20), to_the_play(), bid("Bo"), made(), pair("Bo"), **rules)
    table = table.then(dan(points=60))
    assert (table.chicagos("Dan"), table.chicagos("Bo")) == ((0, 0), (1, 1))
    assert table.then(deal_with_trick_to("Anna"))["Dan"] == 0


@pytest.mark.reading(20)
def test_a_correction_afterwards_counts_as_for_anybody() -> None:
    """Until the deal's first hand it is as if the points joined with were others (reading 21)."""
    assert not play(dan(points=44), gets(Dan=2)).may_exchange("Dan")
    assert play(dan(points=46), gets(Dan=-2)).may_exchange("Dan")
    assert play(dan(points=44), nobody(), gets(Dan=2)).may_exchange("Dan")


@pytest.mark.reading(20)
@pytest.mark.parametrize("when", ["deal_end", "at_once"])
def test_nobody_wins_by_sitting_down(when: str) -> None:
    """At the target, the end of the deal decides; no hand was booked."""
    table = play(dan(points=60), win_when=when)
    assert not table.over
    assert table.then(deal_with_trick_to("Anna")).winners == ("Dan",)
    passed = table.then(nobody(), pair("Anna"))
    assert not passed.over


# The file.


FILE: dict[str, Any] = {"format": "chicago-game/1", "players": ["Anna", "Bo"], "rules": {}}
EVA = {"event": "joins", "player": "Eva", "after": "Bo", "points": 3}


def read(*events: Mapping[str, Any]) -> BadFile | None:
    """Return what is wrong with a game file of these events."""
    try:
        read_game({**FILE, "events": list(events)})
    except BadFile as fault:
        return fault
    return None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("points", value) for value in (1001, -1001, 1.0, True)],
        *[("after", value) for value in ("Cilla", "Eva", 1)],
        *[("player", value) for value in ("   ", "x" * 41, "a\u2028b", 1)],
        *[("player", value) for value in ("Anna", " Bo ")],
        ("seat", 3),
    ],
)
def test_what_is_no_latecomer(key: str, value: object) -> None:
    """Points, names, and whoever is there already: each is seen without playing."""
    fault = read({"event": "no_best_hand"}, {**EVA, key: value})
    assert fault is not None
    assert fault.event == 1


@pytest.mark.parametrize("key", ["player", "after", "points"])
def test_nothing_may_be_left_out(key: str) -> None:
    """All three are needed."""
    assert read({k: v for k, v in EVA.items() if k != key}) is not None


@pytest.mark.parametrize("points", [-1000, 0, 1000])
def test_names_are_trimmed_and_bounds_included(points: int) -> None:
    """A name with space around it is the name without."""
    event = {**EVA, "player": "  Eva ", "after": " Bo", "points": points}
    (read_event,) = read_game({**FILE, "events": [event]}).events
    assert read_event == Joins(player="Eva", after="Bo", points=points)


def test_who_joins_may_be_named_from_then_on_and_not_before() -> None:
    """The list of names grows, event by event, whatever the game says to it."""
    named = {"event": "correction", "player": "Eva", "points": 1}
    behind = {**EVA, "player": "Fia", "after": "Eva"}
    assert read(EVA, named, behind) is None
    fault = read(named, EVA)
    assert fault is not None
    assert (fault.event, fault.code) == (0, "unknown_player")
    assert read(behind, EVA) is not None
    # Also after a latecomer who is refused: that is seen only by playing.
    assert read({"event": "no_best_hand"}, EVA, named) is None


# The protocol and the figures.


def test_the_protocol_has_no_score_of_theirs_before() -> None:
    """A deal knows those who had a seat by its end, and who played it."""
    events = (*deal_with_trick_to("Anna"), dan("Anna", 50), *deal_with_trick_to("Bo"))
    first, second, *_ = assemble(play(*events, target=70).states, events)
    assert first.scores == {"Anna": 5, "Bo": 0, "Cilla": 0}
    assert first.playing == ("Anna", "Bo", "Cilla")
    assert second.scores == {"Anna": 5, "Dan": 50, "Bo": 5, "Cilla": 0}
    assert (second.playing, second.stopped) == (("Anna", "Dan", "Bo", "Cilla"), ("Dan",))
    row = second.rows[0]
    (cell,) = row.cells
    assert (row.code, row.by) == ("joins", "Anna")
    assert (cell.player, cell.points, cell.score) == ("Dan", 50, 50)


def test_figures_count_the_deals_played_and_no_swing_for_sitting_down() -> None:
    """What is brought along was not played; the deal joined in was, under the stop perhaps."""
    events = (*deal_with_trick_to("Anna"), dan("Anna", 50), *deal_with_trick_to("Dan"))
    events = (*events, broken_off("settled"))
    figures = {seat.name: seat for seat in seat_statistics(play(*events, target=70).states, events)}
    late = figures["Dan"]
    assert list(figures) == ["Anna", "Dan", "Bo", "Cilla"]
    assert (late.seat, late.deals, late.longest_stop, late.biggest_swing) == (2, 2, 2, 5)
    assert (figures["Anna"].deals, late.won, late.score) == (3, True, 55)
