"""What the last event set off, told as codes with who, whom and how much."""

import pytest

from app.rules.events import Event
from tests.rules.table import (
    Happening,
    Table,
    bid,
    blind,
    broken,
    broken_off,
    claims_falsely,
    deal_with_trick_to,
    exchanges_illegally,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    royal,
    tie,
    to_the_play,
    trick,
    zero,
)

Told = tuple[str, str | None, int]


def told(table: Table) -> list[Told]:
    """Return code, player and points of each thing the last event set off."""
    return [(effect.code, effect.player, effect.points) for effect in table.state.effects]


GOES_ON = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}
BLIND = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}


@pytest.mark.parametrize(
    ("before", "event", "rules", "effects"),
    [
        ((), pair("Anna"), {}, [("hand", "Anna", 1)]),
        ((), nobody(), {}, []),
        ((), tie("pair", "Anna", "Bo"), {}, []),
        (gets(Anna=30), royal("Anna"), {"raising_hands": ["royal_flush"]},
         [("hand_raised", "Anna", 22)]),
        (gets(Bo=9), zero("Anna"), GOES_ON,
         [("zeroes", "Anna", 0), ("zeroed", "Bo", -9), ("zeroed", "Cilla", 0)]),
        (to_the_play(), trick("Bo"), {}, [("last_trick", "Bo", 5)]),
        (to_the_play(), trick("Bo", "with_two"), {"last_trick_with_two": 10},
         [("last_trick_with_two", "Bo", 10)]),
        ((*gets(Bo=20), *to_the_play()), bid("Bo"), {}, [("bid", "Bo", 0)]),
        ((*gets(Bo=20), *to_the_play(), bid("Bo")), made(), {}, [("chicago_won", "Bo", 15)]),
        ((*gets(Bo=20), *to_the_play(), bid("Bo")), made("with_two"), {"chicago_with_two": 30},
         [("chicago_won_with_two", "Bo", 30)]),
        ((*gets(Bo=20), *to_the_play(), bid("Bo")), broken("Anna"), {"chicago_breaker_bonus": 8},
         [("chicago_lost", "Bo", -15), ("breaker", "Anna", 8)]),
        ((*gets(Bo=9), *to_the_play(), bid("Bo")), broken("Anna"), {"chicago_minimum": None},
         [("chicago_lost", "Bo", -9)]),
        ((), blind("Bo"), BLIND, [("blind_bid", "Bo", 0)]),
        ((blind("Bo"),), made(), BLIND, [("blind_won", "Bo", 30)]),
        ((*gets(Bo=45), blind("Bo")), broken(), BLIND, [("blind_lost", "Bo", -20)]),
        ((*gets(Anna=46), *deal_with_trick_to("Bo")), exchanges_illegally("Anna"),
         {"illegal_exchange": "zeroed"}, [("illegal_exchange", "Anna", -46)]),
        (gets(Anna=9), claims_falsely("Anna"), {}, [("false_claim", "Anna", -9)]),
        (gets(Anna=9), leaves("Anna"), {}, [("leaves", "Anna", 0)]),
        ((), gets(Anna=9)[0], {}, [("correction", "Anna", 9)]),
    ],
)  # fmt: skip
def test_what_an_event_sets_off_is_told(
    before: tuple[Event, ...], event: Event, rules: dict[str, object], effects: list[Told]
) -> None:
    """Every booking is told with the points by which it changed a score, clamped ones too."""
    assert told(play(*before, event, **rules)) == effects


@pytest.mark.parametrize(
    ("happened", "rules", "why", "winners"),
    [
        ((*gets(Anna=60), *deal_with_trick_to("Bo")), {}, "won_highest", ("Anna",)),
        ((*gets(Anna=60, Cilla=60), *deal_with_trick_to("Bo")), {}, "won_shared",
         ("Anna", "Cilla")),
        ((royal("Anna"),), {"winning_hands": ["royal_flush"]}, "won_by_hand", ("Anna",)),
        ((*gets(Anna=51), pair("Anna")), {"win_when": "at_once"}, "won_at_once", ("Anna",)),
        ((blind("Bo"), made("with_two")), BLIND, "won_by_blind_two", ("Bo",)),
        ((leaves("Anna"), leaves("Bo")), {}, "won_last_left", ("Cilla",)),
        ((*gets(Anna=60, Bo=55), *deal_with_trick_to("Bo"), *deal_with_trick_to("Anna")),
         {"tied_winners": "tie_break"}, "won_tie_break", ("Anna",)),
        ((*gets(Anna=9), broken_off("settled")), {}, "broken_off_settled", ("Anna",)),
        ((*gets(Anna=9), broken_off("void")), {}, "broken_off_void", ()),
    ],
)  # fmt: skip
def test_why_a_game_is_over_is_told(
    happened: tuple[Happening, ...], rules: dict[str, object], why: str, winners: tuple[str, ...]
) -> None:
    """The end of the game is the last thing told, with its reason and the winners."""
    state = play(*happened, **rules).state
    assert (state.ended, state.effects[-1].code) == (why, why)
    assert state.winners == state.effects[-1].players == winners


def test_a_zeroing_is_told_with_its_holder_and_hand() -> None:
    """Who was zeroed is told together with by whom and with what."""
    zeroed = play(gets(Bo=9), zero("Anna"), **GOES_ON).state.effects[1]
    assert (zeroed.player, zeroed.by, zeroed.hand) == ("Bo", "Anna", "four_of_a_kind")


def test_a_chicago_taken_by_a_lost_one_is_told_after_it() -> None:
    """It stands between the loss and what the breaker gets; where there is none, nothing does."""
    rules = {"lost_chicago_takes_won": True, "chicago_breaker_bonus": 8, "chicago_hand": "never"}
    lost = (*to_the_play(), bid("Bo"), broken("Anna"))
    one = play(gets(Bo=20), *to_the_play(), bid("Bo"), made(), *lost, **rules)
    first, last = ("chicago_lost", "Bo", -15), ("breaker", "Anna", 8)
    assert told(one) == [first, ("won_chicago_taken", "Bo", 0), last]
    assert told(one.then(*lost)) == [first, last]


def test_a_cancelled_zeroing_is_told() -> None:
    """The bid that voids a waiting zeroing tells whose it was."""
    opened = play(*to_the_play(), zero("Anna"), chicago_minimum=None,
                  zeroing_and_chicago="chicago_voids_zeroing", **GOES_ON)  # fmt: skip
    assert told(opened.then(bid("Bo"))) == [("bid", "Bo", 0), ("zeroing_voided", "Anna", 0)]


def test_a_bid_taken_away_is_told() -> None:
    """A declarer who leaves before the play is told to have taken the bid along."""
    table = play(gets(Bo=20), bid("Bo"), leaves("Bo"), chicago_when="any_time")
    assert told(table) == [("leaves", "Bo", 0), ("bid_withdrawn", "Bo", 0)]


def test_an_unmet_requirement_is_told() -> None:
    """Who is zeroed, or passed over, for lacking a Chicago is named."""
    rules = {"win_needs_chicago": "declared"}
    zeroed = play(gets(Anna=60), *deal_with_trick_to("Bo"), **rules)
    assert told(zeroed) == [("requirement_unmet", "Anna", -60)]
    rules["win_needs_chicago_unmet"] = "plays_on"
    passed = play(gets(Anna=60), *deal_with_trick_to("Bo"), **rules)
    assert told(passed) == [("passed_over", "Anna", 0)]


@pytest.mark.parametrize(
    ("ties", "code"), [("tie_break", "tie_break_begins"), ("play_on", "tied_play_on")]
)
def test_a_tie_at_the_top_is_told(ties: str, code: str) -> None:
    """Who is tied is told when a tie-break begins, and when all play on."""
    table = play(gets(Anna=60, Bo=55), *deal_with_trick_to("Bo"), tied_winners=ties)
    assert [(e.code, e.players) for e in table.state.effects] == [(code, ("Anna", "Bo"))]
