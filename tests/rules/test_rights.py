"""Rights to exchange, to bid Chicago and to win: the reasons of the answers."""

from collections.abc import Callable

from app.rules.rights import Verdict, can_win, may_bid, may_bid_blind, may_exchange
from app.rules.state import GameState
from tests.rules.table import Rules, cases, play

Ask = Callable[[GameState, str], Verdict]

BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20, "minimum": 10}}
ONCE: Rules = {"chicago_once": True}
BREAKS: Rules = {"tied_winners": "tie_break"}
DECLARED: Rules = {"win_needs_chicago": "declared"}
MADE: Rules = {"win_needs_chicago": "won"}
TIED = "Anna 48, Bo 53, deal Anna"


@cases(
    ("ask", "text", "rules", "may", "why"),
    [
        (may_exchange, "", {"exchange_stop": None}, True, "no_exchange_stop"),
        (may_exchange, "Anna 45", {}, True, "below_exchange_stop"),
        (may_exchange, "nobody, Anna 46", {}, True, "exchange_stop_next_deal"),
        (
            may_exchange,
            "nobody, Anna 46",
            {"exchange_stop_when": "at_once"},
            False,
            "exchange_stop",
        ),
        (may_bid, "", {"chicago_minimum": None}, True, "may_bid"),
        (may_bid, "Anna 15", {}, True, "may_bid_from"),
        (may_bid_blind, "Anna 9", BLIND, False, "chicago_minimum"),
        (may_bid_blind, "Anna 10", BLIND, True, "may_bid_from"),
        (may_bid_blind, "", {"blind_chicago": {"points": 9, "penalty": 9}}, True, "may_bid"),
        (may_bid_blind, "Anna 40, Anna blind, broken", {**BLIND, **ONCE}, False, "chicago_once"),
        (can_win, "", {}, True, "wins_at_target"),
        (can_win, "", DECLARED, False, "win_needs_chicago_declared"),
        (can_win, "", MADE, False, "win_needs_chicago_won"),
        (can_win, "", {**MADE, "win_needs_chicago_players": [4]}, True, "wins_at_target"),
        (can_win, "Anna 20, no hands, Anna chicago", DECLARED, True, "wins_at_target"),
        (can_win, "", {"finish": "trick_same_deal"}, True, "wins_with_trick"),
        (
            can_win,
            "nobody, Anna 60",
            {"finish": "trick_later_deal"},
            False,
            "win_needs_trick_later",
        ),
        (can_win, "Anna 52, deal Bo", {"finish": "trick_later_deal"}, True, "wins_with_trick"),
        (can_win, TIED, BREAKS, True, "wins_by_most"),
        *[
            (ask, text, {**BREAKS, **BLIND}, False, why)
            for ask in (may_exchange, may_bid, may_bid_blind, can_win)
            for text, why in (
                ("void", "game_over"),
                ("Anna leaves", "player_out"),
                ("Bo 48, Cilla 53, deal Bo", "player_frozen"),
            )
        ],
    ],
)
def test_why_a_player_may_or_not(ask: Ask, text: str, rules: Rules, why: str, *, may: bool) -> None:
    """The verdict has the reason that allows or forbids it."""
    verdict = ask(play(text, **rules).state, "Anna")
    assert (verdict.ok, verdict.code) == (may, why)


@cases(
    ("ask", "text", "rules", "values"),
    [
        (may_exchange, "Anna 40", {"max_exchange": 4}, {"score": 40, "limit": 46, "cards": 4}),
        (may_exchange, "Anna 47, deal Bo", {}, {"score": 47, "limit": 46}),
        (may_bid, "Anna 12", {}, {"score": 12, "minimum": 15}),
        (may_bid, "Bo 20, no hands, Bo chicago", {}, {"by": "Bo"}),
        (can_win, "Anna 12", {"target": 51}, {"score": 12, "target": 51}),
        (may_bid, "Bo 48, Cilla 53, deal Bo", BREAKS, {}),
    ],
)
def test_the_answers_have_their_numbers(ask: Ask, text: str, rules: Rules, values: Rules) -> None:
    """A refusal has the score and the limit, a permission the number of cards."""
    assert ask(play(text, **rules).state, "Anna").values == {"player": "Anna", **values}
