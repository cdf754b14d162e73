"""Effects of an event: codes with player, cause and points."""

from tests.rules.table import Rules, cases, play

GOES_ON: Rules = {"zeroing": {"four_of_a_kind": "choice"}, "after_zeroing": "deal_goes_on"}
BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20, "with_two": 60}}
BREAKER: Rules = {"chicago_breaker_bonus": 8}
DECLARED: Rules = {"win_needs_chicago": "declared"}
LOST_TAKES: Rules = {**BREAKER, "lost_chicago_takes_won": True, "chicago_hand": "never"}
LOST = "Bo 20, no hands, Bo chicago, broken Anna"
FREE: Rules = {"chicago_minimum": None}


@cases(
    ("text", "rules", "told"),
    [
        ("Anna pair", {}, "hand Anna 1"),
        ("tie pair Anna Bo", {}, ""),
        ("Anna 30, Anna royal_flush", {"raising_hands": ["royal_flush"]}, "hand_raised Anna 22"),
        ("Bo 9, Anna zeroes", GOES_ON, "zeroes Anna 0, zeroed Bo -9, zeroed Cilla 0"),
        ("no hands, Bo trick", {}, "last_trick Bo 5"),
        (
            "no hands, Bo trick with_two",
            {"last_trick_with_two": 10},
            "last_trick_with_two Bo 10",
        ),
        ("Bo 20, no hands, Bo chicago", {}, "bid Bo 0"),
        ("Bo 20, no hands, Bo chicago, made", {}, "chicago_won Bo 15"),
        (
            "Bo 20, no hands, Bo chicago, made with_two",
            {"chicago_with_two": 30},
            "chicago_won_with_two Bo 30",
        ),
        (LOST, BREAKER, "chicago_lost Bo -15, breaker Anna 8"),
        (LOST, {}, "chicago_lost Bo -15"),
        (
            f"Bo 20, no hands, Bo chicago, made, {LOST}",
            LOST_TAKES,
            "chicago_lost Bo -15, won_chicago_taken Bo 0, breaker Anna 8",
        ),
        ("Bo blind", BLIND, "blind_bid Bo 0"),
        ("Bo blind, made", BLIND, "blind_won Bo 30"),
        ("Bo 45, Bo blind, broken", BLIND, "blind_lost Bo -20"),
        (
            "Anna 46, deal Bo, Anna exchanges",
            {"illegal_exchange": "zeroed"},
            "illegal_exchange Anna -46",
        ),
        ("Anna 9, Anna claims", {}, "false_claim Anna -9"),
        ("Anna leaves", {}, "leaves Anna 0"),
        ("Anna 9", {}, "correction Anna 9"),
        (
            "no hands, Anna zeroes, Bo chicago",
            {**FREE, **GOES_ON, "zeroing_and_chicago": "chicago_voids_zeroing"},
            "bid Bo 0, zeroing_voided Anna 0",
        ),
        (
            "Bo chicago, Bo leaves",
            {**FREE, "chicago_when": "any_time"},
            "leaves Bo 0, bid_withdrawn Bo 0",
        ),
        ("Anna 60, deal Bo", DECLARED, "requirement_unmet Anna -60"),
        (
            "Anna 60, deal Bo",
            {**DECLARED, "win_needs_chicago_unmet": "plays_on"},
            "passed_over Anna 0",
        ),
        # Reading 15: each booking is clamped by itself.
        ("Bo 9, no hands, Bo chicago, broken", FREE, "chicago_lost Bo -9"),
        (
            "no hands, Bo chicago, broken, Bo trick",
            {**FREE, "chicago_last_trick": "if_lost"},
            "last_trick Bo 5",
        ),
        ("Anna 3, Anna -5", {}, "correction Anna -3"),
        ("Anna 3, Anna -5", {"negative_scores": True}, "correction Anna -5"),
        (
            "Bo 10, no hands, Bo chicago, broken",
            {**FREE, "negative_scores": True},
            "chicago_lost Bo -15",
        ),
        ("Bo -10, Bo claims", {"negative_scores": True}, "false_claim Bo 10"),
    ],
)
def test_what_an_event_sets_off(text: str, rules: Rules, told: str) -> None:
    """Every booking has an effect with the change of the score."""
    effects = play(text, **rules).state.effects
    assert ", ".join(f"{e.code} {e.player} {e.points}" for e in effects) == told


def test_an_effect_tells_by_whom_and_that_the_score_stopped_at_zero() -> None:
    """A zeroing names its player and hand; only a score that would fall below 0 is clamped."""
    zeroed = play("Bo 9, Anna zeroes", **GOES_ON).state.effects[1]
    assert (zeroed.player, zeroed.by, zeroed.hand) == ("Bo", "Anna", "four_of_a_kind")
    joined = play("Dan joins Cilla -1").state.effects[0]
    assert (joined.code, joined.by, joined.clamped) == ("joins", "Cilla", True)
    for points, clamped in ((-3, False), (-4, True)):
        assert play(f"Bo 3, Bo {points}").state.effects[0].clamped == clamped


@cases(
    ("text", "rules", "why", "players"),
    [
        ("Anna 60, deal Bo", {}, "won_highest", "Anna"),
        ("Anna 60, Cilla 60, deal Bo", {}, "won_shared", "Anna Cilla"),
        ("Anna royal_flush", {"winning_hands": ["royal_flush"]}, "won_by_hand", "Anna"),
        ("Anna 51, Anna pair", {"win_when": "at_once"}, "won_at_once", "Anna"),
        ("Bo blind, made with_two", BLIND, "won_by_blind_two", "Bo"),
        ("Anna leaves, Bo leaves", {}, "won_last_left", "Cilla"),
        (
            "Anna 60, Bo 55, deal Bo, deal Anna",
            {"tied_winners": "tie_break"},
            "won_tie_break",
            "Anna",
        ),
        ("Anna 9, settled", {}, "broken_off_settled", "Anna"),
        ("Anna 9, void", {}, "broken_off_void", ""),
        ("Anna 60, Bo 55, deal Bo", {"tied_winners": "tie_break"}, "tie_break_begins", "Anna Bo"),
        ("Anna 60, Bo 55, deal Bo", {"tied_winners": "play_on"}, "tied_play_on", "Anna Bo"),
    ],
)
def test_why_a_game_is_over_or_goes_on(text: str, rules: Rules, why: str, players: str) -> None:
    """The end of the game, or the tie that delays it, is the last effect."""
    state = play(text, **rules).state
    assert (state.effects[-1].code, " ".join(state.effects[-1].players)) == (why, players)
    assert (state.ended, state.winners) == (
        (why, state.effects[-1].players) if state.over else (None, ())
    )
