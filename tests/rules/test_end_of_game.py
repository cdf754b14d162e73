"""The end of the game: the winners, its moment, and the payouts."""

from app.rules.rights import may_bid, may_exchange
from app.rules.settlement import payout
from tests.rules.table import Rules, cases, play, reading, rule

TRICK_NOW: Rules = {"finish": "trick_same_deal"}
TRICK_LATER: Rules = {"finish": "trick_later_deal"}
AT_ONCE: Rules = {"win_when": "at_once"}
FREE: Rules = {
    "win_needs_chicago": "declared",
    "win_needs_chicago_unmet": "plays_on",
    "chicago_penalty": 0,
    "chicago_minimum": None,
}
LOST_BY_ANNA_AND_CILLA = "no hands, Anna chicago, broken, no hands, Cilla chicago, broken"
ZEROES: Rules = {"zeroing": {"four_of_a_kind": "choice"}}


@rule("target")
@rule("finish", "at_target", "trick_same_deal", "trick_later_deal")
@rule("win_when", "deal_end", "at_once")
@reading(6, 10)
@cases(
    ("text", "rules", "winner"),
    [
        ("Anna 47, no hands, Anna trick", {}, ""),
        ("Anna 47, deal Anna", {}, "Anna"),
        ("Anna 46, deal Anna", {"target": 51}, "Anna"),
        ("Anna 49, Bo 53, deal Anna", {}, "Anna"),
        # Reading 6: a deal cut short counts as ended, and the final hand still counts.
        ("Anna 52, Bo 60, Anna zeroes", ZEROES, "Anna"),
        ("Anna 48, Bo 47, no hands, Bo trick, Anna full_house", {}, "Anna"),
        # Bo lacks a Chicago and Anna the trick, so Cilla, the lowest of them, wins.
        (
            f"{LOST_BY_ANNA_AND_CILLA}, Anna 60, Bo 70, Cilla 50, deal Cilla",
            {**FREE, **TRICK_NOW},
            "Cilla",
        ),
        ("Anna 60, deal Bo", {"finish": "at_target"}, "Anna"),
        ("Anna 60, deal Bo", TRICK_NOW, ""),
        ("Anna 60, deal Bo, deal Anna", TRICK_NOW, "Anna"),
        ("Anna 60, Bo 47, deal Bo", TRICK_NOW, "Bo"),
        ("Anna 67, Bo 60, no hands, Anna chicago, broken", TRICK_NOW, ""),
        ("nobody, Anna 60, nobody, Anna trick, nobody", TRICK_LATER, ""),
        ("Anna 60, deal Bo, deal Bo", TRICK_LATER, ""),
        ("Anna 60, deal Bo, deal Bo, deal Anna", TRICK_LATER, "Anna"),
        ("Anna 46, deal Anna, deal Anna", TRICK_LATER, ""),
        ("Anna 47, deal Anna, deal Anna", TRICK_LATER, "Anna"),
        ("deal Bo, Anna 52, deal Anna", TRICK_LATER, "Anna"),
        ("Anna 60, deal Bo, Anna -20, deal Anna", TRICK_LATER, ""),
        ("Anna 60, deal Bo, no hands, Anna chicago, made, nobody", TRICK_LATER, "Anna"),
        ("Anna 51, Anna pair", {"win_when": "deal_end"}, ""),
        ("Anna 51, Bo 53, Anna pair", AT_ONCE, "Anna"),
        ("Anna 51, no hands, Anna pair", {**AT_ONCE, "scored_exchanges": [1, 2, 3]}, "Anna"),
        ("Anna 51, Anna pair", {**AT_ONCE, **TRICK_NOW}, ""),
        ("Anna 51, Anna pair", {**AT_ONCE, **TRICK_LATER}, ""),
    ],
)
def test_who_has_won(text: str, rules: Rules, winner: str) -> None:
    """The highest of those with the target wins, with the trick where one is needed."""
    assert " ".join(play(text, **rules).state.winners) == winner


def test_nobody_exchanges_or_bids_when_the_game_is_over() -> None:
    """The last deal stays as it was."""
    state = play("Anna 52, deal Bo").state
    for name in state.players:
        assert not may_exchange(state, name).ok
        assert not may_bid(state, name).ok
    assert (state.deal.number, state.deal.dealer, state.deal.step) == (1, "Cilla", "over")


TIED = "Anna 48, Bo 53, Cilla 40, deal Anna"
BREAKS: Rules = {"tied_winners": "tie_break"}
BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}


@rule("tied_winners", "share", "play_on", "tie_break")
@reading(11, 13)
@cases(
    ("text", "rules", "stands"),
    [
        (TIED, {"tied_winners": "share"}, "won Anna Bo: 53 53 40"),
        (TIED, {"tied_winners": "play_on"}, "2 hand_1: 53 53 40"),
        (f"{TIED}, Cilla 20, deal Cilla", {"tied_winners": "play_on"}, "won Cilla: 53 53 65"),
        (TIED, BREAKS, "2 hand_1: 53 53 40"),
        # From -53 a royal flush comes to 20: the deal is over, and the highest wins.
        (
            f"{TIED}, Anna -53, Anna royal_flush",
            {**BREAKS, "winning_hands": ["royal_flush"], "hand_points": {"royal_flush": 20}},
            "won Bo: 20 53 40",
        ),
        (f"{TIED}, Bo 70, Anna blind, made with_two", {**BREAKS, **BLIND}, "won Anna: 113 123 40"),
        ("Anna 49, Bo 53, Cilla 53, deal Anna", BREAKS, "won Anna: 54 53 53"),
        (f"{TIED}, settled", BREAKS, "won Anna Bo: 53 53 40"),
        ("Anna 20, Bo 30, Cilla 30, settled", BREAKS, "won Bo Cilla: 20 30 30"),
        # A game broken off during a Chicago neither wins nor costs points for it.
        ("Bo 20, no hands, Bo chicago, settled", {}, "won Bo: 0 20 0"),
        ("Bo 20, void", {}, "won: 0 20 0"),
    ],
)
def test_equal_at_the_top_and_broken_off(text: str, rules: Rules, stands: str) -> None:
    """The tied share, play on with all, or play on alone until one of them is highest."""
    assert play(text, **rules).stands == stands


@rule("tied_winners", "tie_break")
@reading(11)
def test_nobody_but_the_tied_plays_a_tie_break() -> None:
    """A player who sits out scores nothing, and neither exchanges, bids nor leaves."""
    table = play(TIED, **BREAKS, exchange_stop=None)
    assert table.state.tie_break == ("Anna", "Bo")
    for fact in ("Cilla pair", "Cilla leaves", "Cilla 1", "Cilla claims"):
        assert table.refusal(fact) == "player_frozen"
    for ask in (may_exchange, may_bid):
        assert [ask(table.state, name).ok for name in table.state.players] == [True, True, False]


OF_FOUR: Rules = {"players": "Anna Bo Cilla Dan"}
ANNA_WINS = "Anna 49, Bo 45, Cilla 53, Dan 47, deal Anna"
NEGATIVE: Rules = {"negative_scores": True}


@rule("negative_pays_double", True, False)
@reading(9, 12, 13)
@cases(
    ("text", "rules", "ore"),
    [
        (ANNA_WINS, {**OF_FOUR, "stake_ore": 25}, [425, -225, -25, -175]),
        (ANNA_WINS, {**OF_FOUR, "stake_ore": 0}, [0, 0, 0, 0]),
        # An indivisible öre goes to the first winner in seat order, with any dealer.
        ("Anna 40, Bo 53, Cilla 48, deal Cilla", {"stake_ore": 1, "dealer": "Bo"}, [-13, 7, 6]),
        (
            "Anna 47, Bo -10, deal Anna",
            {**NEGATIVE, "negative_pays_double": True},
            [17_600, -12_400, -5_200],
        ),
        (
            "Anna 47, Bo -10, deal Anna",
            {**NEGATIVE, "negative_pays_double": False},
            [11_400, -6_200, -5_200],
        ),
        # A player who has left pays like any loser, but nothing with more points than the winner.
        ("Anna 47, Bo 20, Cilla 30, Bo leaves, deal Anna", {}, [5_400, -3_200, -2_200]),
        ("Anna 47, Bo 60, Cilla 30, Bo leaves, deal Anna", {}, [2_200, 0, -2_200]),
        ("Anna 20, Bo 30, Cilla 30, settled", BREAKS, [-1_000, 500, 500]),
    ],
)
def test_who_pays_whom(text: str, rules: Rules, ore: list[int]) -> None:
    """Every loser pays the winners the stake for every point of difference."""
    assert list((payout(play(text, **rules).state) or {}).values()) == ore
