"""Why a player may or may not exchange, bid Chicago, or win: the reasons behind the answers."""

import pytest

from app.rules.events import Event
from app.rules.rights import Verdict, can_win, may_bid, may_bid_blind, may_exchange
from tests.rules.table import (
    bid,
    blind,
    broken,
    broken_off,
    deal_with_trick_to,
    gets,
    leaves,
    nobody,
    play,
    to_the_play,
)

BLIND = {"blind_chicago": {"points": 30, "penalty": 20, "minimum": 10}}
IN_A_TIE_BREAK = (*gets(Anna=48, Bo=53), *deal_with_trick_to("Anna"))
LAST_DEAL = deal_with_trick_to("Bo")


def exchange(*happened: Event, **rules: object) -> Verdict:
    """Ask whether Anna may exchange."""
    return may_exchange(play(*happened, **rules).state, "Anna")


@pytest.mark.rule("exchange_stop", None)
@pytest.mark.rule("exchange_stop_when", "deal_end", "at_once")
@pytest.mark.reading(5)
@pytest.mark.parametrize(
    ("happened", "rules", "may", "why"),
    [
        ((), {"exchange_stop": None}, True, "no_exchange_stop"),
        ((), {}, True, "below_exchange_stop"),
        (gets(Anna=45), {}, True, "below_exchange_stop"),
        ((nobody(), *gets(Anna=46)), {}, True, "exchange_stop_next_deal"),
        ((*gets(Anna=46), *LAST_DEAL), {}, False, "exchange_stop"),
        ((nobody(), *gets(Anna=46)), {"exchange_stop_when": "at_once"}, False, "exchange_stop"),
        ((broken_off("void"),), {}, False, "game_over"),
        ((leaves("Anna"),), {}, False, "player_out"),
    ],
)
def test_why_a_player_may_exchange_or_not(
    happened: tuple[Event, ...], rules: dict[str, object], why: str, *, may: bool
) -> None:
    """The answer names the stop that holds, that will hold from the next deal, or none."""
    verdict = exchange(*happened, **rules)
    assert (verdict.ok, verdict.code) == (may, why)


@pytest.mark.rule("exchange_stop")
@pytest.mark.rule("max_exchange")
def test_the_answer_about_exchanging_has_its_numbers() -> None:
    """Who may is told how many cards, who may not the score and the limit."""
    assert exchange(*gets(Anna=40), max_exchange=4).values == {
        "player": "Anna", "score": 40, "limit": 46, "cards": 4,
    }  # fmt: skip
    stopped = exchange(*gets(Anna=47), *LAST_DEAL).values
    assert stopped == {"player": "Anna", "score": 47, "limit": 46}


@pytest.mark.rule("chicago_minimum", None)
@pytest.mark.parametrize(
    ("happened", "rules", "may", "why"),
    [
        ((), {"chicago_minimum": None}, True, "may_bid"),
        (gets(Anna=15), {}, True, "may_bid_from"),
        (gets(Anna=14), {}, False, "chicago_minimum"),
        ((*gets(Bo=20), *to_the_play(), bid("Bo")), {}, False, "chicago_already_bid"),
        ((*gets(Anna=20), *to_the_play(), bid("Anna"), broken()), {"chicago_once": True}, False,
         "chicago_once"),
        ((*gets(Anna=20), leaves("Anna")), {}, False, "player_out"),
        ((*gets(Anna=20), broken_off("void")), {}, False, "game_over"),
        ((*gets(Bo=48, Cilla=53), *deal_with_trick_to("Bo")), {"tied_winners": "tie_break"}, False,
         "player_frozen"),
    ],
)  # fmt: skip
def test_why_a_player_may_bid_or_not(
    happened: tuple[Event, ...], rules: dict[str, object], why: str, *, may: bool
) -> None:
    """The answer names what is missing, or from how many points a bid is free."""
    verdict = may_bid(play(*happened, **rules).state, "Anna")
    assert (verdict.ok, verdict.code) == (may, why)


@pytest.mark.rule("chicago_minimum")
def test_the_answer_about_bidding_has_its_numbers() -> None:
    """Who lacks points is told how many there are and how many it takes."""
    verdict = may_bid(play(gets(Anna=12)).state, "Anna")
    assert verdict.values == {"player": "Anna", "score": 12, "minimum": 15}
    other = may_bid(play(gets(Bo=20), *to_the_play(), bid("Bo")).state, "Anna")
    assert other.values == {"player": "Anna", "by": "Bo"}


@pytest.mark.rule("blind_chicago")
@pytest.mark.parametrize(
    ("happened", "rules", "may", "why"),
    [
        ((), {}, False, "no_blind_chicago"),
        (gets(Anna=9), BLIND, False, "chicago_minimum"),
        (gets(Anna=10), BLIND, True, "may_bid_from"),
        ((), {"blind_chicago": {"points": 30, "penalty": 20}}, True, "may_bid"),
        ((*gets(Anna=10), nobody()), BLIND, False, "blind_too_late"),
        ((*gets(Anna=40), blind("Anna"), broken()), {**BLIND, "chicago_once": True}, False,
         "chicago_once"),
        ((*gets(Anna=10), leaves("Anna")), BLIND, False, "player_out"),
        ((*gets(Anna=10), broken_off("void")), BLIND, False, "game_over"),
    ],
)  # fmt: skip
def test_why_a_player_may_bid_blind_or_not(
    happened: tuple[Event, ...], rules: dict[str, object], why: str, *, may: bool
) -> None:
    """The answer names whether blind Chicago is played, its own minimum, or that it is too late."""
    verdict = may_bid_blind(play(*happened, **rules).state, "Anna")
    assert (verdict.ok, verdict.code) == (may, why)


@pytest.mark.rule("win_needs_chicago")
@pytest.mark.rule("finish")
@pytest.mark.parametrize(
    ("happened", "rules", "may", "why"),
    [
        ((), {}, True, "wins_at_target"),
        ((), {"win_needs_chicago": "declared"}, False, "win_needs_chicago_declared"),
        ((), {"win_needs_chicago": "won"}, False, "win_needs_chicago_won"),
        ((), {"win_needs_chicago": "won", "win_needs_chicago_players": [4]}, True,
         "wins_at_target"),
        ((*gets(Anna=20), *to_the_play(), bid("Anna")), {"win_needs_chicago": "declared"}, True,
         "wins_at_target"),
        ((), {"finish": "trick_same_deal"}, True, "wins_with_trick"),
        ((nobody(), *gets(Anna=60)), {"finish": "trick_later_deal"}, False,
         "win_needs_trick_later"),
        ((*gets(Anna=52), *LAST_DEAL), {"finish": "trick_later_deal"}, True, "wins_with_trick"),
        (IN_A_TIE_BREAK, {"tied_winners": "tie_break"}, True, "wins_by_most"),
        ((leaves("Anna"),), {}, False, "player_out"),
        ((broken_off("void"),), {}, False, "game_over"),
    ],
)  # fmt: skip
def test_why_a_player_can_win_or_not(
    happened: tuple[Event, ...], rules: dict[str, object], why: str, *, may: bool
) -> None:
    """The answer names the Chicago or the trick that winning takes besides the points."""
    verdict = can_win(play(*happened, **rules).state, "Anna")
    assert (verdict.ok, verdict.code) == (may, why)


@pytest.mark.rule("target")
def test_the_answer_about_winning_has_its_numbers() -> None:
    """Whether a player can win is told with the score and the target."""
    verdict = can_win(play(gets(Anna=12), target=51).state, "Anna")
    assert verdict.values == {"player": "Anna", "score": 12, "target": 51}


def test_who_sits_out_a_tie_break_is_told_so() -> None:
    """Who is frozen in a tie-break neither exchanges, bids nor wins, for that reason."""
    state = play(*IN_A_TIE_BREAK, tied_winners="tie_break", **BLIND).state
    for asked in (may_exchange, may_bid, may_bid_blind, can_win):
        verdict = asked(state, "Cilla")
        assert (verdict.ok, verdict.code, verdict.values) == (
            False, "player_frozen", {"player": "Cilla"},
        )  # fmt: skip
