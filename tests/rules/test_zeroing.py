"""Zeroing the others' scores: the player, the hand, the moment, and the rest of the deal."""

from tests.rules.table import Rules, cases, play, reading, rule

CHOICE: Rules = {"zeroing": {"four_of_a_kind": "choice"}}
ALWAYS: Rules = {"zeroing": {"four_of_a_kind": "always"}}
GOES_ON: Rules = {**CHOICE, "after_zeroing": "deal_goes_on"}
ENDS_DEAL: Rules = {**GOES_ON, "four_of_a_kind_ends_deal": True}
ONE: Rules = {**CHOICE, "zeroing_victims": "one"}
HEARTS: Rules = {"zeroing": {"royal_flush": "always", "royal_flush_hearts": "choice"}}
LAST: Rules = {**GOES_ON, "zeroing_and_chicago": "zeroing_last"}
VOIDS: Rules = {**GOES_ON, "zeroing_and_chicago": "chicago_voids_zeroing"}
START = "Anna 20, Bo 30, Cilla 10"


@rule("zeroing", "choice", "always")
@rule("zeroing_victims", "others", "one")
@rule("after_zeroing", "deal_ends", "deal_goes_on")
@rule("four_of_a_kind_ends_deal", True, False)
@reading(1, 2)
@cases(
    ("text", "rules", "stands"),
    [
        ("Anna four_of_a_kind", {}, "1 hand_2: 27 30 10"),
        ("Anna zeroes", CHOICE, "2 hand_1: 20 0 0"),
        ("Anna four_of_a_kind", CHOICE, "1 hand_2: 27 30 10"),
        ("Anna four_of_a_kind", ALWAYS, "2 hand_1: 27 0 0"),
        ("Anna royal_flush_hearts", {**HEARTS, "target": 100}, "1 hand_2: 72 30 10"),
        ("Anna zeroes royal_flush_hearts", HEARTS, "2 hand_1: 20 0 0"),
        ("Anna royal_flush", {**HEARTS, "target": 100}, "2 hand_1: 72 0 0"),
        ("Anna zeroes Bo", ONE, "2 hand_1: 20 0 10"),
        ("Anna zeroes", GOES_ON, "1 hand_2: 20 0 0"),
        (
            "Anna royal_flush",
            {"preset": "huvudregler", "after_zeroing": "deal_goes_on"},
            "won Anna: 72 0 0",
        ),
        ("Anna four_of_a_kind", ENDS_DEAL, "2 hand_1: 27 30 10"),
        ("Anna zeroes", ENDS_DEAL, "2 hand_1: 20 0 0"),
        ("Anna straight_flush", ENDS_DEAL, "1 hand_2: 28 30 10"),
        # Reading 1: at the final hand it scores, although it cannot zero there.
        ("no hands, Bo trick, Anna four_of_a_kind", ENDS_DEAL, "2 hand_1: 27 35 10"),
        ("no hands, Bo trick, Anna four_of_a_kind", ALWAYS, "2 hand_1: 27 0 0"),
        # Reading 2: only a zeroing chosen before the play uses up the final hand.
        ("Anna zeroes, nobody, Bo trick", GOES_ON, "1 final_hand: 20 5 0"),
        ("no hands, Anna zeroes, Bo trick", GOES_ON, "2 hand_1: 20 5 0"),
        (
            "no hands, Anna zeroes, Anna chicago, made",
            {**GOES_ON, "chicago_hand": "always"},
            "2 hand_1: 35 0 0",
        ),
    ],
)
def test_what_a_zeroing_does(text: str, rules: Rules, stands: str) -> None:
    """It strikes all others or the named one, and the deal ends with it or goes on."""
    assert play(f"{START}, {text}", **rules).stands == stands


@rule("zeroing")
@rule("zeroing_after_scoring", True, False)
@reading(1, 2, 4)
@cases(
    ("before", "rules", "fact", "refusal"),
    [
        ("", {"zeroing": {}}, "Anna zeroes", "hand_does_not_zero"),
        ("", ALWAYS, "Anna zeroes", "always_zeroes"),
        ("", CHOICE, "Anna zeroes Bo", "no_victim_to_name"),
        ("", ONE, "Anna zeroes", "victim_needed"),
        ("", ONE, "Anna zeroes Anna", "victim_is_holder"),
        ("", ONE, "Anna four_of_a_kind Bo", "no_victim_to_name"),
        # Reading 4: once the best hand is booked nobody zeroes with a lower one.
        ("Bo straight_flush", {**ALWAYS, "exchanges": 2}, "Anna four_of_a_kind", "not_announced"),
        ("Anna four_of_a_kind", CHOICE, "Anna zeroes", None),
        ("Anna four_of_a_kind", {**CHOICE, "zeroing_after_scoring": True}, "Anna zeroes", None),
        (
            "Anna four_of_a_kind",
            {**CHOICE, "zeroing_after_scoring": False},
            "Anna zeroes",
            "zeroing_after_scoring",
        ),
        ("Anna straight_flush", {**CHOICE, "zeroing_after_scoring": False}, "Anna zeroes", None),
        ("no hands, Bo trick", CHOICE, "Anna zeroes", "zero_before_play"),
        ("no hands, Bo trick", ENDS_DEAL, "Anna zeroes", "zero_before_play"),
        ("no hands, Bo trick", GOES_ON, "Anna zeroes", None),
        ("no hands", ALWAYS, "Anna four_of_a_kind", "not_announced"),
        ("no hands", CHOICE, "Anna pair", "not_announced"),
        ("no hands", CHOICE, "Anna four_of_a_kind", "not_announced"),
        ("no hands, Anna zeroes", GOES_ON, "Bo zeroes", "announced_already"),
        (
            "no hands, Anna zeroes",
            {**GOES_ON, "winning_hands": ["royal_flush"]},
            "Bo royal_flush",
            "announced_already",
        ),
        ("no hands, Bo chicago", CHOICE, "Anna zeroes", "no_hand_due"),
    ],
)
def test_who_may_zero(before: str, rules: Rules, fact: str, refusal: str | None) -> None:
    """The holder of the best hand may, under its rules, and before the play if it ends the deal."""
    assert play(f"Bo 20, {before}", **rules).refusal(fact) == refusal


@rule("zeroing_and_chicago", "zeroing_first", "chicago_voids_zeroing", "zeroing_last")
@cases(
    ("text", "rules", "stands"),
    [
        ("no hands, Anna zeroes", GOES_ON, "1 play: 20 0 0"),
        ("no hands, Anna zeroes, Bo chicago, made", VOIDS, "2 hand_1: 20 45 10"),
        ("Anna zeroes", LAST, "1 hand_2: 20 0 0"),
        ("nobody, Anna zeroes", LAST, "1 play: 20 0 0"),
        ("no hands, Anna zeroes, Bo chicago, made", LAST, "2 hand_1: 20 0 0"),
        (
            "no hands, Anna zeroes Cilla, Bo chicago, made",
            {**LAST, **ONE},
            "2 hand_1: 20 45 0",
        ),
        # A Chicago bid before the zeroing does not cancel it.
        ("Bo chicago, Anna zeroes", {**VOIDS, "chicago_when": "any_time"}, "1 hand_2: 20 0 0"),
    ],
)
def test_a_zeroing_laid_open_before_a_chicago(text: str, rules: Rules, stands: str) -> None:
    """It strikes before the bid, after the Chicago, or not at all."""
    assert play(f"{START}, {text}", **rules).stands == stands


@rule("zeroing_and_chicago", "zeroing_first")
def test_a_bidder_who_is_zeroed_first_needs_the_minimum_after_it() -> None:
    """The holder still has the points that a bid requires."""
    table = play(f"{START}, no hands, Anna zeroes", **GOES_ON)
    assert table.refusal("Bo chicago") == "chicago_minimum"
    assert table.refusal("Anna chicago") is None
